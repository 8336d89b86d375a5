// Bodies that move by themselves, and what strings and the wind do to them.
#include "math/elementary.h"
#include "math/vectors.h"
#include "world/state.h"

#include <algorithm>

namespace tendril {
namespace {

/// Turned on by a spin over h seconds.
Quat spun(const Quat& q, const Vec3d& spin, double h)
{
    const double angle = length(spin) * h;
    return angle > 0 ? normalized(rotation_about(unit_or(spin, {0, 1, 0}), angle) * q) : q;
}

}  // namespace

std::optional<size_t> World::State::rigid_index(size_t body) const
{
    const auto found = std::find(rigid_bodies.begin(), rigid_bodies.end(), body);
    if (found == rigid_bodies.end()) return {};
    return static_cast<size_t>(found - rigid_bodies.begin());
}

Pose World::State::pose_after(size_t i, double h) const
{
    const RigidMotion& m = rigid->motion(i);
    const Vec3d gravity = settings.gravity;
    return {m.pose.position + (m.velocity + gravity * h) * h, spun(m.pose.rotation, m.spin, h)};
}

void World::State::give_way(double h)
{
    StringGrooms& g = *strings;
    // A string has pulled a hold by its lightness times the impulse times h.
    for (size_t i = 0; i < g.holds.size(); ++i) {
        const StringHold& hold = g.holds[i];
        if (g.hold_bodies[i] < 0) continue;
        const Vec3d pulled = g.strings.place[hold.particle] - hold.target;
        rigid->push(static_cast<size_t>(g.hold_bodies[i]), hold.target, pulled * (1 / (hold.lightness * h)));
    }
    for (size_t i = 0; i < g.holds.size(); ++i) {
        StringHold& hold = g.holds[i];
        if (g.hold_bodies[i] < 0) continue;
        hold.target = transform_point(pose_after(static_cast<size_t>(g.hold_bodies[i]), h), g.hold_offsets[i]);
        g.strings.place[hold.particle] = hold.target;
    }
}

void World::State::pull_rigid_bodies(double h)
{
    StringGrooms& g = *strings;
    for (size_t i = 0; i < g.clamps.size(); ++i) {
        if (g.clamp_bodies[i] < 0) continue;
        const size_t segment = g.clamps[i].segment;
        const Vec3d along = unit_or(g.strings.edge(segment), {0, 1, 0});
        rigid->turn(static_cast<size_t>(g.clamp_bodies[i]), along * (g.strings.torque_on(segment) * h));
    }
    g.stepper.collisions.for_pushed([&](const ObstacleContact& c) {
        const int body = g.obstacle_bodies[c.obstacle];
        if (body >= 0) rigid->push(static_cast<size_t>(body), c.place, (c.pushed + c.rub) * (-1 / h));
    });
}

void World::State::blow_rigid_bodies(double at, double h)
{
    const double rate = static_cast<double>(settings.air.drag_normal);
    if (!(rate > 0) || settling) return;
    // Each corner of its box catches an eighth of the wind: eddies turn it.
    for (size_t i = 0; i < rigid_bodies.size(); ++i) {
        const RigidBody& body = rigid->body(i);
        const Pose pose = rigid->motion(i).pose;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3d half{corner & 1 ? body.size.x / 2 : -body.size.x / 2,
                             corner & 2 ? body.size.y / 2 : -body.size.y / 2,
                             corner & 4 ? body.size.z / 2 : -body.size.z / 2};
            const Vec3d place = transform_point(pose, half);
            const Vec3d through = wind_at(settings.wind, place, at) - rigid->point_velocity(i, place);
            rigid->push(i, place, through * (body.mass / 8 * (1 - exp_minus(rate * h))));
        }
    }
}

void World::State::step_rigid_bodies(double at, double passing, double h)
{
    for (size_t i = 0; i < colliders.shape_count(); ++i)
        if (!rigid_index(colliders.shape(i).body.index) &&
            std::find(obstacles.begin(), obstacles.end(), i) == obstacles.end()) {
            obstacles.push_back(i);
            rigid->add_obstacle(colliders.shape(i), {}, {static_cast<double>(settings.contact.friction), 0});
        }
    for (size_t o = 0; o < obstacles.size(); ++o) {
        const Collider& c = colliders.shape(obstacles[o]);
        const auto bone_at = [&](double t) {
            poses.resize(bodies[c.body.index].bones());
            bodies[c.body.index].poses_at(t, poses);
            return poses[c.bone];
        };
        const Pose from = bone_at(at);
        rigid->set_obstacle(o, from, bone_at(at + passing));
    }
    rigid->step(h, settings.gravity);
}

void World::State::tell_rigid_poses(double at)
{
    for (size_t i = 0; i < rigid_bodies.size(); ++i)
        bodies[rigid_bodies[i]].push_poses(at, std::span(&rigid->motion(i).pose, 1));
}

}  // namespace tendril
