// Bodies, colliders and grooms come into the world, each checked first, and leave it.
#include "tendril/world.h"

#include "math/vectors.h"
#include "world/state.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tendril {
namespace {

constexpr float kLargestCollider = 1e4f;  // [m]
/// Of a rigid body: strings that pull at less would throw it about [kg].
constexpr double kLightestRigid = 1e-3;

Collider collider_of(const RigidBody& body, BodyId id)
{
    Collider c{.body = id};
    const double r = body.size.x / 2;
    switch (body.shape) {
        case RigidShape::kBox:
            c.shape = ColliderShape::kBox;
            c.half = body.size * 0.5;
            c.radius_a = static_cast<float>(0.1 * std::min({c.half.x, c.half.y, c.half.z}));
            return c;
        case RigidShape::kSphere: break;
        case RigidShape::kCylinder:
            c.shape = ColliderShape::kBox;  // the nearest shape there is
            c.half = {r, body.size.y / 2, r};
            c.radius_a = static_cast<float>(std::min(r, body.size.y / 2));
            return c;
        case RigidShape::kCapsule:
            c.a = {0, r - body.size.y / 2, 0};
            c.b = {0, body.size.y / 2 - r, 0};
            break;
    }
    c.radius_a = c.radius_b = static_cast<float>(r);
    return c;
}

bool is_sound(const RigidBody& b)
{
    const auto positive = [](double x) { return x > 0 && x <= 1e6; };
    const auto bounded = [](const Vec3d& v) { return is_finite(v) && length(v) < 1e6; };
    return positive(b.size.x) && positive(b.size.y) && positive(b.size.z) && b.mass >= kLightestRigid &&
           b.mass <= 1e6 && b.friction >= 0 && b.friction < 1e6 && b.restitution >= 0 && b.restitution <= 1 &&
           b.linear_damping >= 0 && b.linear_damping < 1e6 && b.angular_damping >= 0 && b.angular_damping < 1e6 &&
           bounded(b.velocity) && bounded(b.spin);
}

/// Cells of a field fit the mesh: larger ones lose its shape, smaller ones are more than a field can hold.
std::optional<Error> check_cell(float cell, std::span<const Vec3f> mesh)
{
    constexpr double kFewestAcross = 10, kMostAcross = 1000;
    Vec3d low = to_double(mesh[0]), high = low;
    for (const Vec3f& v : mesh) low = least(low, to_double(v)), high = most(high, to_double(v));
    const double size = length(high - low), given = static_cast<double>(cell);
    if (given == 0 || (given <= size / kFewestAcross && given >= size / kMostAcross)) return {};
    return Error{
        fmt::format("collider: cells of {:.3g} m do not fit a mesh of {:.3g} m; they must be in [{:.2g}, {:.2g}] m, or "
                    "0 for a 200th of its size",
                    given, size, size / kMostAcross, size / kFewestAcross)};
}

}  // namespace

BodyId World::add_body(BodyDescription body)
{
    return state_->bodies.add(std::move(body)).id;
}

Result<BodyId> World::add_rigid_body(const RigidBody& body, const Pose& pose, const std::string& name)
{
    State& w = *state_;
    if (!is_sound(body))
        return Error{
            "rigid body: sizes must be above 0, its mass at least 0.001 kg, and all numbers finite and at most 1e6"};
    if (body.shape == RigidShape::kCapsule && body.size.y < body.size.x)
        return Error{"rigid body: a capsule is at least as long (size.y) as it is thick (size.x)"};
    const Quat& q = pose.rotation;
    const double turn2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!is_finite(pose.position) || !(std::abs(turn2 - 1) < 1e-3))
        return Error{"rigid body: its position is not finite, or its rotation is not a unit quaternion"};
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
        return Error{fmt::format("collider: there is no bone {} of body {}; the world has {} bodies", c.bone,
                                 c.body.index, w.bodies.size())};
    const auto usable = [](float r) { return r >= 0 && r <= kLargestCollider; };
    const auto near = [](const Vec3d& p) { return is_finite(p) && length(p) <= static_cast<double>(kLargestCollider); };
    const double turn2 = c.turn.x * c.turn.x + c.turn.y * c.turn.y + c.turn.z * c.turn.z + c.turn.w * c.turn.w;
    if (c.shape > ColliderShape::kTorus || !(std::abs(turn2 - 1) < 1e-3))
        return Error{"collider: no such shape, or its turn is not a unit quaternion"};
    const bool sound = near(c.half) && c.half.x >= 0 && c.half.y >= 0 && c.half.z >= 0;
    if (!usable(c.radius_a) || !usable(c.radius_b) || !near(c.a) || !near(c.b) || !sound)
        return Error{fmt::format("collider: sizes must be in [0, {}] m and its positions within {} m of their bone",
                                 kLargestCollider, kLargestCollider)};
    if (w.colliders.size() >= kMostColliders)
        return Error{fmt::format("collider: {} are the most that a world can have", kMostColliders)};
    WorldCollider& added = w.colliders.add();
    added.description = c;
    added.body = body;
    w.colliders.renew();
    return added.id;
}

Result<ColliderId> World::add_skin_collider(const SkinCollider& c)
{
    State& w = *state_;
    WorldBody* body = w.bodies.find(c.body);
    if (!body)
        return Error{fmt::format("collider: there is no body {}; the world has {}", c.body.index, w.bodies.size())};
    if (!(c.cell >= 0 && c.cell <= kLargestCollider))
        return Error{fmt::format("collider: cells of {} m; they must be in [0, {}]", c.cell, kLargestCollider)};
    BodySample now;
    body->body.look(w.time, now);
    const MeshView rest = body->body.mesh_in(now, *w.executor);
    if (rest.triangles.empty())
        return Error{fmt::format("collider: body {} has no mesh whose skin could be touched", c.body.index)};
    const auto near = [](const Vec3f& v) { return is_finite(v) && length(v) <= kLargestCollider; };
    if (!std::all_of(rest.vertices.begin(), rest.vertices.end(), near))
        return Error{fmt::format("collider: the mesh of body {} is larger than {} m", c.body.index, kLargestCollider)};
    if (auto wrong = check_cell(c.cell, rest.vertices)) return *wrong;
    if (w.colliders.has_skin(*body))
        return Error{fmt::format("collider: the skin of body {} is a collider already", c.body.index)};
    if (w.colliders.size() >= kMostColliders)
        return Error{fmt::format("collider: {} are the most that a world can have", kMostColliders)};
    auto skin = std::make_unique<Skin>(c, rest, body->body.unbent_vertices());
    if (!skin->encloses())
        return Error{
            fmt::format("collider: the mesh of body {} encloses no volume that strands could stay out of; "
                        "add a plane or a box instead",
                        c.body.index)};
    WorldCollider& added = w.colliders.add();
    added.skin = std::move(skin);
    added.body = body;
    w.colliders.renew();
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
    w.look_at_roots(added.anchors, *body, w.time, added.roots);
    w.take_over_settings();
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
    w.remove_where(w.children, [&](const ChildrenInstance& c) { return c.guides == groom; });
    w.remove_where(w.holds, [&](const HoldState& h) { return h.groom == groom; });
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
    w.colliders.renew();
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
    w.remove_where(w.colliders, [&](const WorldCollider& c) { return c.body == body; });
    w.colliders.renew();
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
    state_->colliders.renew();
    return true;
}

bool World::set_enabled(BodyId id, bool enabled)
{
    WorldBody* body = state_->bodies.find(id);
    if (!body) return false;
    body->enabled = enabled;
    state_->colliders.renew();
    state_->rigid.renew();
    return true;
}

}  // namespace tendril
