/// The bodies of a world that move by themselves, and what they bounce off.
#pragma once

#include "body/rigid_scene.h"
#include "tendril/settings.h"
#include "world/bodies.h"
#include "world/colliders.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

class RigidBodies {
public:
    /// False where the library was built without Bullet.
    bool add(WorldBody& body, const RigidBody& description, const Pose& pose, double time);
    void remove(WorldBody& body);
    /// A body has been switched on or off.
    void renew();
    /// Back to where they started.
    void reset(double time);

    // --- Those that are switched on
    bool empty() const { return active_.empty(); }
    size_t size() const { return active_.size(); }
    WorldBody& body(size_t i) const { return *active_[i]; }
    RigidScene& scene() { return *scene_; }
    const RigidScene& scene() const { return *scene_; }
    /// Where a body will be in h seconds if nothing but gravity acts on it.
    Pose pose_after(size_t i, double h, const Vec3d& gravity) const;
    /// What the air does to them over h seconds.
    void blow(const AirSettings& air, const WindSettings& wind, double time, double h);
    /// One step of h seconds, while bodies go from one of their samples to another.
    void step(const Colliders& colliders, int from, int to, double h, const WorldSettings& settings);
    /// Tells the bodies where they are at a time.
    void tell_poses(double time);

    uint64_t hash(uint64_t h) const;
    void save(std::vector<std::byte>& out) const;
    bool load(std::span<const std::byte>& in);

private:
    struct Entry {
        WorldBody* body;
        RigidBody description;
        Pose start;
        RigidMotion motion;  // while it is switched off
    };
    const RigidMotion& motion(const Entry& entry) const;
    void set_motion(Entry& entry, const RigidMotion& motion);
    void know_obstacles(const Colliders& colliders, const WorldSettings& settings);

    std::vector<Entry> entries_;
    std::vector<WorldBody*> active_;  // in the order of the scene
    std::unique_ptr<RigidScene> scene_;
    std::vector<const WorldCollider*> obstacles_;  // in the order of the scene
    uint64_t colliders_version_ = 0;               // for which they were listed
};

}  // namespace tendril
