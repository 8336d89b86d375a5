#include "world/rigid_bodies.h"

#include "math/bytes.h"
#include "math/elementary.h"
#include "math/vectors.h"
#include "solvers/air.h"

#include <algorithm>

namespace tendril {
namespace {

/// Rotates q by an angular velocity over h seconds.
Quat rotated(const Quat& q, const Vec3d& spin, double h)
{
    const double angle = length(spin) * h;
    return angle > 0 ? normalized(rotation_about(unit_or(spin, {0, 1, 0}), angle) * q) : q;
}

}  // namespace

bool RigidBodies::add(WorldBody& body, const RigidBody& description, const Pose& pose, double time)
{
    if (!scene_) scene_ = RigidScene::create();
    if (!scene_) return false;
    entries_.push_back({&body, description, pose, {pose, description.velocity, description.spin}});
    rebuild();
    body.body.push_poses(time, std::span(&pose, 1));
    return true;
}

void RigidBodies::remove(WorldBody& body)
{
    if (std::erase_if(entries_, [&](const Entry& entry) { return entry.body == &body; })) rebuild();
}

void RigidBodies::rebuild()
{
    for (Entry& entry : entries_) entry.motion = motion(entry);
    scene_ = RigidScene::create();
    active_.clear();
    obstacles_.clear();
    colliders_version_ = 0;
    for (Entry& entry : entries_) {
        entry.body->rigid.reset();
        if (!entry.body->enabled) continue;
        entry.body->rigid = scene_->add(entry.description, entry.motion.pose);
        scene_->set_motion(*entry.body->rigid, entry.motion);
        active_.push_back(entry.body);
    }
}

const RigidMotion& RigidBodies::motion(const Entry& entry) const
{
    return entry.body->rigid ? scene_->motion(*entry.body->rigid) : entry.motion;
}

void RigidBodies::set_motion(Entry& entry, const RigidMotion& motion)
{
    entry.motion = motion;
    if (entry.body->rigid) scene_->set_motion(*entry.body->rigid, motion);
}

void RigidBodies::reset(double time)
{
    for (Entry& entry : entries_) set_motion(entry, {entry.start, entry.description.velocity, entry.description.spin});
    push_poses(time);
}

Pose RigidBodies::pose_after(size_t i, double h, const Vec3d& gravity) const
{
    const RigidMotion& m = scene_->motion(i);
    return {m.pose.position + (m.velocity + gravity * h) * h, rotated(m.pose.rotation, m.spin, h)};
}

void RigidBodies::apply_wind(const AirSettings& air, const WindSettings& wind, double time, double h)
{
    const double rate = static_cast<double>(air.drag_normal);
    if (!(rate > 0)) return;
    // Each corner of the bounding box receives an eighth of the drag, so that eddies also turn the body.
    for (size_t i = 0; i < active_.size(); ++i) {
        const RigidBody& body = scene_->body(i);
        const Pose pose = scene_->motion(i).pose;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3d half{corner & 1 ? body.size.x / 2 : -body.size.x / 2,
                             corner & 2 ? body.size.y / 2 : -body.size.y / 2,
                             corner & 4 ? body.size.z / 2 : -body.size.z / 2};
            const Vec3d at = transform_point(pose, half);
            const Vec3d relative = wind_at(wind, at, time) - scene_->point_velocity(i, at);
            scene_->push(i, at, relative * (body.mass / 8 * (1 - exp_minus(rate * h))));
        }
    }
}

void RigidBodies::update_obstacles(const Colliders& colliders, const WorldSettings& settings)
{
    if (colliders_version_ == colliders.version()) return;
    if (!obstacles_.empty()) rebuild();
    colliders_version_ = colliders.version();
    for (const WorldCollider* collider : colliders.active()) {
        if (collider->skin || collider->body->rigid) continue;
        obstacles_.push_back(collider);
        scene_->add_obstacle(collider->description, {}, {static_cast<double>(settings.contact.friction), 0});
    }
}

void RigidBodies::step(const Colliders& colliders, int from, int to, double h, const WorldSettings& settings)
{
    update_obstacles(colliders, settings);
    for (size_t o = 0; o < obstacles_.size(); ++o) {
        const WorldCollider& c = *obstacles_[o];
        scene_->set_obstacle(o, c.body->bone(from, c.description.bone), c.body->bone(to, c.description.bone));
    }
    scene_->step(h, settings.gravity);
}

void RigidBodies::push_poses(double time)
{
    for (size_t i = 0; i < active_.size(); ++i)
        active_[i]->body.push_poses(time, std::span(&scene_->motion(i).pose, 1));
}

uint64_t RigidBodies::hash(uint64_t h) const
{
    for (const Entry& entry : entries_) h = mix_bits(h ^ hash_bytes(&motion(entry), sizeof(RigidMotion)));
    return h;
}

void RigidBodies::save(std::vector<std::byte>& out) const
{
    for (const Entry& entry : entries_) append_bytes(out, &motion(entry), 1);
}

bool RigidBodies::load(std::span<const std::byte>& in)
{
    for (Entry& entry : entries_) {
        RigidMotion saved;
        if (!take_bytes(in, &saved, 1)) return false;
        set_motion(entry, saved);
    }
    return true;
}

}  // namespace tendril
