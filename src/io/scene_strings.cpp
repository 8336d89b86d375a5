#include "io/scene_strings.h"

#include "math/vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// The distance of a point, in the frame of a rigid body, from its surface; negative inside.
double distance_to(const RigidBody& body, const Vec3d& p)
{
    const double r = body.size.x / 2, half = body.size.y / 2;
    switch (body.kind) {
        case RigidBodyKind::kSphere: return length(p) - r;
        case RigidBodyKind::kCapsule: {
            const double straight = std::max(half - r, 0.0), along = std::clamp(p.y, -straight, straight);
            return length(p - Vec3d{0, along, 0}) - r;
        }
        case RigidBodyKind::kCylinder: {
            const double out = std::hypot(p.x, p.z) - r, above = std::abs(p.y) - half;
            return std::hypot(std::max(out, 0.0), std::max(above, 0.0)) + std::min(std::max(out, above), 0.0);
        }
        case RigidBodyKind::kBox: break;
    }
    const Vec3d q{std::abs(p.x) - r, std::abs(p.y) - half, std::abs(p.z) - body.size.z / 2};
    const Vec3d out{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
    return length(out) + std::min(std::max({q.x, q.y, q.z}), 0.0);
}

/// Finds the rigid body nearest to a position, within `reach`.
std::optional<size_t> nearest_body(const Scene& scene, const Vec3d& position, double reach)
{
    std::optional<size_t> nearest;
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
        if (scene.bodies[b].rigid == SceneRigid::kNone) continue;
        const Pose pose = start_of(scene.bodies[b]);
        const Vec3d local = rotate(conjugate(pose.rotation), position - pose.position);
        const double distance = distance_to(rigid_of(scene.bodies[b]), local);
        if (distance > reach) continue;
        reach = distance;
        nearest = b;
    }
    return nearest;
}

/// Ties an end to the nearest particle of an earlier groom within `reach`.
void tie_end(World& world, GroomId groom, size_t strand, size_t particle, double reach)
{
    const Vec3d position = world.position({groom, strand, particle});
    GroomId other;
    size_t other_strand = 0, other_particle = 0;
    bool found = false;
    for (uint32_t g = 0; g < groom.index; ++g)
        for (size_t s = 0; s < world.groom({g}).strand_count(); ++s)
            for (size_t i = 0; i < world.groom({g}).points(s).size(); ++i) {
                const double distance = length(world.position({{g}, s, i}) - position);
                if (distance > reach) continue;
                reach = distance;
                other = {g}, other_strand = s, other_particle = i;
                found = true;
            }
    if (found) world.tie({groom, strand, particle}, {other, other_strand, other_particle});
}

}  // namespace

Scene with_copies(const Scene& scene)
{
    Scene out = scene;
    out.bodies.clear();
    for (const SceneBody& body : scene.bodies)
        for (int64_t i = 0; i < body.copies; ++i) {
            out.bodies.push_back(body);
            SceneBody& copy = out.bodies.back();
            copy.copies = 1;
            copy.position += body.copy_step * static_cast<double>(i);
            if (i > 0) copy.name += fmt::format("_{}", i);
        }
    return out;
}

Result<StringMaterial> material_of(const SceneGroom& groom)
{
    auto material = string_material(groom.material);
    if (!material) return Error{fmt::format("there is no material '{}'", groom.material)};
    const StringMaterial& own = groom.own;
    if (own.density > 0) material->density = own.density;
    if (own.young > 0) {
        material->plastic *= own.young / material->young;  // scales the whole curve
        material->young = own.young;
    }
    if (own.yield > 0) material->yield = own.yield;
    if (own.plastic > 0) material->plastic = own.plastic;
    if (own.rupture > 0) material->rupture = own.rupture;
    if (own.bend_modulus >= 0) material->bend_modulus = own.bend_modulus;
    if (own.shear_modulus >= 0) material->shear_modulus = own.shear_modulus;
    if (!(material->plastic < material->young))
        return Error{fmt::format("plastic = {} must be below young = {}: a string that yields is softer than before",
                                 material->plastic, material->young)};
    return *material;
}

Pose start_of(const SceneBody& body)
{
    const double angle = length(body.rotation);
    if (!(angle > 0)) return {body.position, {}};
    return {body.position, rotation_about(body.rotation * (1 / angle), angle)};
}

RigidBody rigid_of(const SceneBody& body)
{
    RigidBody solid = body.solid;
    solid.kind = static_cast<RigidBodyKind>(static_cast<int>(body.rigid) - 1);
    return solid;
}

std::optional<Error> tie_strings(World& world, const Scene& scene)
{
    for (uint32_t g = 0; g < scene.grooms.size(); ++g) {
        const double reach = scene.grooms[g].tie;
        if (!(reach > 0) || !has_strings(scene, g)) continue;
        for (size_t s = 0; s < world.groom({g}).strand_count(); ++s) {
            const size_t count = world.groom({g}).points(s).size();
            const Ends ends = world.groom({g}).ends(s);
            for (size_t i = 0; i < count; ++i) {
                const bool held = (i == 0 && ends != Ends::kFree) || (i + 1 == count && ends == Ends::kBothHeld);
                if (held) continue;
                const Vec3d position = world.position({{g}, s, i});
                if (const auto body = nearest_body(scene, position, reach)) {
                    const Pose pose = start_of(scene.bodies[*body]);
                    const Vec3d offset = rotate(conjugate(pose.rotation), position - pose.position);
                    const HoldSettings ends_of{scene.grooms[g].clamped && (i == 0 || i + 1 == count)};
                    const auto tied = world.hold({{g}, s, i}, {static_cast<uint32_t>(*body)}, 0, offset, ends_of);
                    if (!tied) return Error{fmt::format("groom {}: tie: {}", g, tied.error())};
                } else if (i == 0 || i + 1 == count) {
                    tie_end(world, {g}, s, i, reach);
                }
            }
        }
    }
    return {};
}

}  // namespace tendril
