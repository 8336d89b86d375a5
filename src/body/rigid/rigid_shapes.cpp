#include "body/rigid/rigid_shapes.h"

#include "math/elementary.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>

#include <algorithm>
#include <numbers>

namespace tendril {

namespace {

constexpr double kSmallest = 1e-4;  // minimum thickness, so that every shape has an interior [m]
constexpr int kRingParts = 24;
// Bullet finds contacts of two boxes only where they overlap. With a skin it finds them slightly earlier, and a resting
// box does not lose a contact when it moves a little.
constexpr double kBoxSkin = 5e-4;

/// Bullet shrinks a shape by its margin and adds it again as a round layer: the size stays the same, and the edges are
/// rounded. Contacts no deeper than the margin are found quickly and accurately, so it should not be too thin: a
/// twentieth of the inner radius, at most 5 mm (for a box of 0.2 m or more).
double margin_of(double inner_radius)
{
    return std::min(0.05 * inner_radius, 0.005);
}

RigidPart box_part(const Vec3d& half, const Pose& pose)
{
    const double inner_radius = std::min({half.x, half.y, half.z});
    auto shape = std::make_unique<btBoxShape>(to_bullet(half + Vec3d{kBoxSkin, kBoxSkin, kBoxSkin}));
    shape->setMargin(margin_of(inner_radius));
    return {std::move(shape), pose, inner_radius, kBoxSkin};
}

RigidPart cylinder_part(double radius, double half)
{
    const double inner_radius = std::min(radius, half);
    auto shape = std::make_unique<btCylinderShape>(btVector3(radius, half, radius));
    shape->setMargin(margin_of(inner_radius));
    return {std::move(shape), {}, inner_radius};
}

/// The convex hull of two spheres.
RigidPart tapered_part(const Vec3d& a, const Vec3d& b, double radius_a, double radius_b)
{
    radius_a = std::max(radius_a, kSmallest);
    radius_b = std::max(radius_b, kSmallest);
    if (a == b) {
        const double radius = std::max(radius_a, radius_b);
        return {std::make_unique<btSphereShape>(radius), {a, {}}, radius};
    }
    const btVector3 half = to_bullet((b - a) * 0.5);
    const std::array<btVector3, 2> centres{-half, half};
    const std::array<btScalar, 2> radii{radius_a, radius_b};
    auto shape = std::make_unique<btMultiSphereShape>(centres.data(), radii.data(), 2);
    shape->setMargin(std::min(radius_a, radius_b));
    return {std::move(shape), {(a + b) * 0.5, {}}, std::max(radius_a, radius_b)};
}

RigidPart box_part(const Collider& c)
{
    const Vec3d half{std::max(c.half.x, kSmallest), std::max(c.half.y, kSmallest), std::max(c.half.z, kSmallest)};
    RigidPart part = box_part(half, {c.a, c.turn});
    const double rounding = std::min(static_cast<double>(c.radius_a), part.inner_radius);
    if (rounding > part.shape->getMargin()) part.shape->setMargin(rounding);
    return part;
}

std::vector<RigidPart> ring_parts(const Collider& c)
{
    const auto corner = [&](int k) {
        const SinCos turn = sin_cos(2 * std::numbers::pi * (k % kRingParts) / kRingParts);
        return c.a + rotate(c.turn, Vec3d{turn.cos, 0, turn.sin} * static_cast<double>(c.radius_a));
    };
    const auto radius = static_cast<double>(c.radius_b);
    std::vector<RigidPart> parts;
    for (int k = 0; k < kRingParts; ++k) parts.push_back(tapered_part(corner(k), corner(k + 1), radius, radius));
    return parts;
}

double straight_half(const RigidBody& body)
{
    return std::max(body.size.y - body.size.x, 0.0) / 2;
}

/// Four points on each rim, starting with the lowest one.
void add_rims(LowPoints& points, const RigidBody& body, const Vec3d& down)
{
    const double flat = std::sqrt(down.x * down.x + down.z * down.z);
    const Vec3d low = flat > 1e-9 ? Vec3d{down.x / flat, 0, down.z / flat} : Vec3d{1, 0, 0};
    const Vec3d side{-low.z, 0, low.x};
    const double radius = body.size.x / 2, half = body.size.y / 2;
    for (const Vec3d& out : {low, side, low * -1.0, side * -1.0})
        for (const double height : {-half, half}) points.at[points.count++] = out * radius + Vec3d{0, height, 0};
}

}  // namespace

RigidPart body_part(const RigidBody& body)
{
    const Vec3d half = body.size * 0.5;
    switch (body.kind) {
        case RigidBodyKind::kBox: return box_part(half, {});
        case RigidBodyKind::kSphere: return {std::make_unique<btSphereShape>(half.x), {}, half.x};
        case RigidBodyKind::kCylinder: return cylinder_part(half.x, half.y);
        case RigidBodyKind::kCapsule:
            return {std::make_unique<btCapsuleShape>(half.x, 2 * straight_half(body)), {}, half.x};
    }
    return {};
}

std::vector<RigidPart> obstacle_parts(const Collider& c)
{
    std::vector<RigidPart> parts;
    switch (c.kind) {
        case ColliderKind::kCapsule: {
            const auto radius_a = static_cast<double>(c.radius_a), radius_b = static_cast<double>(c.radius_b);
            parts.push_back(tapered_part(c.a, c.b, radius_a, radius_b));
            break;
        }
        case ColliderKind::kBox: parts.push_back(box_part(c)); break;
        case ColliderKind::kPlane: parts.push_back({nullptr, {c.a, c.turn}, BT_LARGE_FLOAT}); break;
        case ColliderKind::kTorus: parts = ring_parts(c); break;
    }
    return parts;
}

LowPoints low_points(const RigidBody& body, const Vec3d& down)
{
    LowPoints points;
    const Vec3d half = body.size * 0.5;
    switch (body.kind) {
        case RigidBodyKind::kBox:
            for (int k = 0; k < 8; ++k)
                points.at[points.count++] = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                                             k & 4 ? half.z : -half.z};
            break;
        case RigidBodyKind::kSphere: points.at[points.count++] = down * half.x; break;
        case RigidBodyKind::kCylinder: add_rims(points, body, down); break;
        case RigidBodyKind::kCapsule:
            for (const double height : {-straight_half(body), straight_half(body)})
                points.at[points.count++] = down * half.x + Vec3d{0, height, 0};
            break;
    }
    return points;
}

}  // namespace tendril
