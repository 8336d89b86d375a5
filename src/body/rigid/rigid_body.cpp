/// Inertia and meshes of rigid bodies.
#include "tendril/rigid_body.h"

#include "math/elementary.h"

#include <algorithm>
#include <numbers>

namespace tendril {

namespace {

constexpr uint32_t kAround = 64;  // vertices of a circle
constexpr uint32_t kHalfCircle = 32;

/// All shapes are convex and contain the origin, so outward is away from the origin.
void add_outward(Mesh& mesh, uint32_t a, uint32_t b, uint32_t c)
{
    const Vec3f &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
    if (dot(cross(q - p, r - p), p + q + r) < 0) std::swap(b, c);
    mesh.triangles.push_back({a, b, c});
}

void add_quad(Mesh& mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    add_outward(mesh, a, b, c);
    add_outward(mesh, a, c, d);
}

double bevel_of(double smallest_edge)
{
    return std::min(0.04 * smallest_edge, 0.01);
}

/// Every corner has three vertices, one in each adjacent face. Faces then shade flat and bevels round, because the
/// large triangles of the faces dominate the vertex normals.
Mesh box_mesh(const Vec3d& edges)
{
    const double bevel = bevel_of(std::min({edges.x, edges.y, edges.z}));
    Mesh mesh;
    for (uint32_t corner = 0; corner < 8; ++corner)
        for (uint32_t face = 0; face < 3; ++face) {
            const auto coordinate = [&](uint32_t axis, double edge) {
                const double half = edge / 2 - (face == axis ? 0 : bevel);
                return static_cast<float>(corner >> axis & 1 ? half : -half);
            };
            mesh.vertices.push_back({coordinate(0, edges.x), coordinate(1, edges.y), coordinate(2, edges.z)});
        }
    const auto vertex = [](uint32_t corner, uint32_t face) { return 3 * corner + face; };
    for (uint32_t corner = 0; corner < 8; ++corner) {
        add_outward(mesh, vertex(corner, 0), vertex(corner, 1), vertex(corner, 2));
        for (uint32_t axis = 0; axis < 3; ++axis) {
            const uint32_t u = (axis + 1) % 3, v = (axis + 2) % 3;
            const uint32_t next = corner | 1u << axis;  // along the edge
            if (next != corner) add_quad(mesh, vertex(corner, u), vertex(corner, v), vertex(next, v), vertex(next, u));
            if ((corner >> u & 1) == 0 && (corner >> v & 1) == 0)
                add_quad(mesh, vertex(corner, axis), vertex(corner | 1u << u, axis),
                         vertex(corner | 1u << u | 1u << v, axis), vertex(corner | 1u << v, axis));
        }
    }
    return mesh;
}

struct ProfilePoint {
    double radius, height;
};

/// Revolves a profile about the y axis. The profile begins and ends on the axis.
Mesh revolved_mesh(const std::vector<ProfilePoint>& profile)
{
    Mesh mesh;
    const auto rings = static_cast<uint32_t>(profile.size() - 2);
    mesh.vertices.push_back({0, static_cast<float>(profile.front().height), 0});
    for (uint32_t ring = 0; ring < rings; ++ring)
        for (uint32_t k = 0; k < kAround; ++k) {
            const SinCos turn = sin_cos(2 * std::numbers::pi * k / kAround);
            const auto [radius, height] = profile[ring + 1];
            mesh.vertices.push_back(to_float({radius * turn.cos, height, radius * turn.sin}));
        }
    const auto last = static_cast<uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back({0, static_cast<float>(profile.back().height), 0});
    for (uint32_t k = 0; k < kAround; ++k) {
        const uint32_t a = 1 + k, b = 1 + (k + 1) % kAround;
        add_outward(mesh, 0, a, b);
        for (uint32_t ring = 0; ring + 1 < rings; ++ring)
            add_quad(mesh, a + ring * kAround, b + ring * kAround, b + (ring + 1) * kAround, a + (ring + 1) * kAround);
        add_outward(mesh, a + (rings - 1) * kAround, b + (rings - 1) * kAround, last);
    }
    return mesh;
}

Mesh cylinder_mesh(double diameter, double length)
{
    const double radius = diameter / 2, half = length / 2, bevel = bevel_of(std::min(diameter, length));
    const double rounding = bevel * (1 - std::numbers::sqrt2 / 2);
    return revolved_mesh({{0, half},
                          {radius - bevel, half},
                          {radius - rounding, half - rounding},
                          {radius, half - bevel},
                          {radius, bevel - half},
                          {radius - rounding, rounding - half},
                          {radius - bevel, -half},
                          {0, -half}});
}

/// With a straight part of length 0, this is a sphere.
Mesh capsule_mesh(double diameter, double straight)
{
    const double radius = diameter / 2;
    std::vector<ProfilePoint> profile;
    for (uint32_t k = 0; k <= kHalfCircle; ++k) {
        const SinCos polar = sin_cos(std::numbers::pi * k / kHalfCircle);
        const double shift = 2 * k < kHalfCircle ? straight / 2 : -straight / 2;
        if (2 * k == kHalfCircle && straight > 0) profile.push_back({radius, straight / 2});
        profile.push_back({radius * polar.sin, radius * polar.cos + shift});
    }
    return revolved_mesh(profile);
}

double straight_part(const RigidBody& body)
{
    return std::max(body.size.y - body.size.x, 0.0);
}

/// A cylinder between two hemispheres, each with its centre of mass 3/8 of the radius from its flat side.
Vec3d capsule_inertia(double mass, double radius, double straight)
{
    const double cylinder = mass * straight / (straight + radius * 4 / 3), ball = mass - cylinder;
    const double r2 = radius * radius, s2 = straight * straight;
    const double transverse = cylinder * (3 * r2 + s2) / 12 + ball * (0.4 * r2 + s2 / 4 + 0.375 * straight * radius);
    return {transverse, (cylinder / 2 + 0.4 * ball) * r2, transverse};
}

}  // namespace

Vec3d rigid_inertia(const RigidBody& body)
{
    const Vec3d& s = body.size;
    const double radius = s.x / 2, r2 = radius * radius;
    switch (body.kind) {
        case RigidBodyKind::kBox:
            return Vec3d{s.y * s.y + s.z * s.z, s.z * s.z + s.x * s.x, s.x * s.x + s.y * s.y} * (body.mass / 12);
        case RigidBodyKind::kSphere: return Vec3d{1, 1, 1} * (0.4 * body.mass * r2);
        case RigidBodyKind::kCylinder: {
            const double transverse = body.mass * (3 * r2 + s.y * s.y) / 12;
            return {transverse, body.mass * r2 / 2, transverse};
        }
        case RigidBodyKind::kCapsule: return capsule_inertia(body.mass, radius, straight_part(body));
    }
    return {1, 1, 1};
}

Mesh rigid_mesh(const RigidBody& body)
{
    switch (body.kind) {
        case RigidBodyKind::kBox: return box_mesh(body.size);
        case RigidBodyKind::kSphere: return capsule_mesh(body.size.x, 0);
        case RigidBodyKind::kCylinder: return cylinder_mesh(body.size.x, body.size.y);
        case RigidBodyKind::kCapsule: return capsule_mesh(body.size.x, straight_part(body));
    }
    return {};
}

}  // namespace tendril
