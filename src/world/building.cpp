// Checks and adds bodies, colliders and grooms, removes them, and switches them on and off.
#include "tendril/world.h"

#include "math/vectors.h"
#include "world/state.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tendril {
namespace {

constexpr float kMaxColliderSize = 1e4f;  // [m]
/// Smallest mass of a rigid body [kg]; a lighter one would be flung about by whatever pulls at it.
constexpr double kMinRigidMass = 1e-3;

Collider collider_of(const RigidBody& body, BodyId id)
{
    Collider c{.body = id};
    const double r = body.size.x / 2;
    switch (body.kind) {
        case RigidBodyKind::kBox:
            c.kind = ColliderKind::kBox;
            c.half = body.size * 0.5;
            c.radius_a = static_cast<float>(0.1 * std::min({c.half.x, c.half.y, c.half.z}));
            return c;
        case RigidBodyKind::kSphere: break;
        case RigidBodyKind::kCylinder:
            c.kind = ColliderKind::kBox;  // a rounded box comes closest; there are no cylindrical colliders
            c.half = {r, body.size.y / 2, r};
            c.radius_a = static_cast<float>(std::min(r, body.size.y / 2));
            return c;
        case RigidBodyKind::kCapsule:
            c.a = {0, r - body.size.y / 2, 0};
            c.b = {0, body.size.y / 2 - r, 0};
            break;
    }
    c.radius_a = c.radius_b = static_cast<float>(r);
    return c;
}

bool is_valid(const RigidBody& b)
{
    const auto positive = [](double x) { return x > 0 && x <= 1e6; };
    const auto bounded = [](const Vec3d& v) { return is_finite(v) && length(v) < 1e6; };
    return positive(b.size.x) && positive(b.size.y) && positive(b.size.z) && b.mass >= kMinRigidMass && b.mass <= 1e6 &&
           b.friction >= 0 && b.friction < 1e6 && b.restitution >= 0 && b.restitution <= 1 && b.linear_damping >= 0 &&
           b.linear_damping < 1e6 && b.angular_damping >= 0 && b.angular_damping < 1e6 && bounded(b.velocity) &&
           bounded(b.spin);
}

/// Checks the cell size of a distance field against the mesh. Larger cells lose detail; smaller ones exceed the memory
/// of a field.
std::optional<Error> check_cell(float cell, std::span<const Vec3f> mesh)
{
    constexpr double kMinCellsAcross = 10, kMaxCellsAcross = 1000;
    Vec3d low = to_double(mesh[0]), high = low;
    for (const Vec3f& v : mesh) low = component_min(low, to_double(v)), high = component_max(high, to_double(v));
    const double size = length(high - low), given = static_cast<double>(cell);
    if (given == 0 || (given <= size / kMinCellsAcross && given >= size / kMaxCellsAcross)) return {};
    return Error{
        fmt::format("collider: cells of {:.3g} m do not fit a mesh of {:.3g} m; they must be in [{:.2g}, {:.2g}] m, or "
                    "0 for a 200th of its size",
                    given, size, size / kMaxCellsAcross, size / kMinCellsAcross)};
}

}  // namespace

BodyId World::add_body(BodyDescription body)
{
    return state_->bodies.add(std::move(body)).id;
}

Result<BodyId> World::add_rigid_body(const RigidBody& body, const Pose& pose, const std::string& name)
{
    State& w = *state_;
    if (!is_valid(body))
        return Error{
            "rigid body: sizes must be above 0, the mass at least 0.001 kg, and all numbers finite and at most 1e6"};
    if (body.kind == RigidBodyKind::kCapsule && body.size.y < body.size.x)
        return Error{"rigid body: a capsule must be at least as long (size.y) as it is thick (size.x)"};
    const Quat& q = pose.rotation;
    const double turn2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!is_finite(pose.position) || !(std::abs(turn2 - 1) < 1e-3))
        return Error{"rigid body: the position is not finite, or the rotation is not a unit quaternion"};
    auto character = std::make_shared<Character>();
    character->mesh = rigid_mesh(body);
    const BodyId id = add_body({.name = name, .character = std::move(character)});
    WorldBody& added = *w.bodies.find(id);
    if (!w.rigid.add(added, body, pose, w.time)) {
        w.bodies.remove(added);
        return Error{"rigid bodies need Bullet, which this program was built without (TENDRIL_RIGID)"};
    }
    if (auto collider = add_collider(collider_of(body, id)); !collider) {
        remove_body(id);
        return Error{collider.error()};
    }
    return id;
}

Result<ColliderId> World::add_collider(const Collider& c)
{
    State& w = *state_;
    WorldBody* body = w.bodies.find(c.body);
    if (!body || c.bone >= body->body.bones())
        return Error{fmt::format("collider: there is no body {} with a bone {}; the world has {} bodies", c.body.index,
                                 c.bone, w.bodies.size())};
    const auto in_range = [](float r) { return r >= 0 && r <= kMaxColliderSize; };
    const auto near = [](const Vec3d& p) { return is_finite(p) && length(p) <= static_cast<double>(kMaxColliderSize); };
    const double turn2 = c.turn.x * c.turn.x + c.turn.y * c.turn.y + c.turn.z * c.turn.z + c.turn.w * c.turn.w;
    if (c.kind > ColliderKind::kTorus || !(std::abs(turn2 - 1) < 1e-3))
        return Error{"collider: unknown kind, or its turn is not a unit quaternion"};
    const bool half_valid = near(c.half) && c.half.x >= 0 && c.half.y >= 0 && c.half.z >= 0;
    if (!in_range(c.radius_a) || !in_range(c.radius_b) || !near(c.a) || !near(c.b) || !half_valid)
        return Error{fmt::format("collider: sizes must be in [0, {}] m, and positions within {} m of the bone",
                                 kMaxColliderSize, kMaxColliderSize)};
    if (w.colliders.size() >= kMaxColliders)
        return Error{fmt::format("collider: a world can have at most {}", kMaxColliders)};
    WorldCollider& added = w.colliders.add();
    added.description = c;
    added.body = body;
    w.colliders.update_active();
    return added.id;
}

Result<ColliderId> World::add_skin_collider(const SkinCollider& c)
{
    State& w = *state_;
    WorldBody* body = w.bodies.find(c.body);
    if (!body)
        return Error{fmt::format("collider: there is no body {}; the world has {}", c.body.index, w.bodies.size())};
    if (!(c.cell >= 0 && c.cell <= kMaxColliderSize))
        return Error{fmt::format("collider: the cell size is {} m; it must be in [0, {}] m", c.cell, kMaxColliderSize)};
    BodySample now;
    body->body.look(w.time, now);
    const MeshView rest = body->body.mesh_in(now, *w.executor);
    if (rest.triangles.empty())
        return Error{fmt::format("collider: body {} has no mesh, so it has no skin", c.body.index)};
    const auto near = [](const Vec3f& v) { return is_finite(v) && length(v) <= kMaxColliderSize; };
    if (!std::all_of(rest.vertices.begin(), rest.vertices.end(), near))
        return Error{fmt::format("collider: the mesh of body {} is larger than {} m", c.body.index, kMaxColliderSize)};
    if (auto wrong = check_cell(c.cell, rest.vertices)) return *wrong;
    if (w.colliders.has_skin(*body))
        return Error{fmt::format("collider: the skin of body {} is already a collider", c.body.index)};
    if (w.colliders.size() >= kMaxColliders)
        return Error{fmt::format("collider: a world can have at most {}", kMaxColliders)};
    auto skin = std::make_unique<Skin>(c, rest, body->body.unbent_vertices());
    if (!skin->encloses())
        return Error{fmt::format("collider: the mesh of body {} encloses no volume; add a plane or a box instead",
                                 c.body.index)};
    WorldCollider& added = w.colliders.add();
    added.skin = std::move(skin);
    added.body = body;
    w.colliders.update_active();
    return added.id;
}

Result<GroomId> World::add_groom(Groom groom, GroomSettings settings)
{
    State& w = *state_;
    if (w.bodies.empty()) settings.body = add_body({.name = "world"});
    WorldBody* body = w.bodies.find(settings.body);
    if (!body)
        return Error{
            fmt::format("groom: body {} does not exist; the world has {}", settings.body.index, w.bodies.size())};
    auto checked = check_groom_settings(groom, body->body, std::move(settings));
    if (!checked) return Error{checked.error()};
    GroomInstance& added = w.grooms.add(std::move(groom), std::move(*checked), *body);
    if (auto wrong = w.check_springs(added)) {
        w.grooms.remove(added);
        return *wrong;
    }
    added.serial = w.next_serial++;
    w.sample_roots(added.anchors, *body, w.time, added.roots);
    w.apply_settings();
    return added.id;
}

Result<ChildrenId> World::add_children(GroomId guides, Groom children, GuideMode mode, RootBinding binding)
{
    State& w = *state_;
    GroomInstance* groom = w.grooms.find(guides);
    if (!groom)
        return Error{fmt::format("children: groom {} does not exist; the world has {}", guides.index, w.grooms.size())};
    GroomSettings settings;
    settings.binding = std::move(binding);
    auto checked = check_groom_settings(children, groom->body->body, std::move(settings));
    if (!checked) return Error{checked.error()};
    return w.children.add(*groom, std::move(children), mode, std::move(checked->binding)).id;
}

bool World::remove_groom(GroomId id)
{
    State& w = *state_;
    GroomInstance* groom = w.grooms.find(id);
    if (!groom) return false;
    w.remove_if(w.children, [&](const ChildrenInstance& c) { return c.guides == groom; });
    w.remove_if(w.holds, [&](const HoldState& h) { return h.groom == groom; });
    groom->movement->remove(*groom);
    w.grooms.remove(*groom);
    return true;
}

bool World::remove_children(ChildrenId id)
{
    ChildrenInstance* children = state_->children.find(id);
    if (children) state_->children.remove(*children);
    return children != nullptr;
}

bool World::remove_collider(ColliderId id)
{
    State& w = *state_;
    WorldCollider* collider = w.colliders.find(id);
    if (!collider) return false;
    w.colliders.remove(*collider);
    w.colliders.update_active();
    return true;
}

bool World::remove_body(BodyId id)
{
    State& w = *state_;
    WorldBody* body = w.bodies.find(id);
    if (!body) return false;
    if (std::any_of(w.grooms.begin(), w.grooms.end(), [&](const GroomInstance& g) { return g.body == body; }))
        return false;
    for (bool found = true; found;) {
        found = false;
        for (HoldState& hold : w.holds)
            if (hold.body == body) {
                w.release(hold);
                found = true;
                break;
            }
    }
    w.remove_if(w.colliders, [&](const WorldCollider& c) { return c.body == body; });
    w.colliders.update_active();
    w.rigid.remove(*body);
    w.bodies.remove(*body);
    return true;
}

bool World::set_enabled(GroomId id, bool enabled)
{
    State& w = *state_;
    GroomInstance* groom = w.grooms.find(id);
    if (!groom) return false;
    if (enabled && !groom->enabled) w.carry_to_body(*groom);
    groom->enabled = enabled;
    return true;
}

bool World::set_enabled(ColliderId id, bool enabled)
{
    WorldCollider* collider = state_->colliders.find(id);
    if (!collider) return false;
    collider->enabled = enabled;
    state_->colliders.update_active();
    return true;
}

bool World::set_enabled(BodyId id, bool enabled)
{
    WorldBody* body = state_->bodies.find(id);
    if (!body) return false;
    body->enabled = enabled;
    state_->colliders.update_active();
    state_->rigid.rebuild();
    return true;
}

}  // namespace tendril
