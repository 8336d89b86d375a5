/// The rigid bodies of a world, and the obstacles that they collide with.
#pragma once

#include "body/rigid/rigid_scene.h"
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
    /// Returns false if the library was built without Bullet.
    bool add(WorldBody& body, const RigidBody& description, const Pose& pose, double time);
    void remove(WorldBody& body);
    /// Rebuilds the rigid scene after a body was added, removed, or switched on or off.
    void rebuild();
    /// Returns all rigid bodies to their initial pose and velocity.
    void reset(double time);

    // --- The rigid bodies that are switched on
    bool empty() const { return active_.empty(); }
    size_t size() const { return active_.size(); }
    WorldBody& body(size_t i) const { return *active_[i]; }
    RigidScene& scene() { return *scene_; }
    const RigidScene& scene() const { return *scene_; }
    /// The pose of a body after h seconds if only gravity acts on it.
    Pose pose_after(size_t i, double h, const Vec3d& gravity) const;
    /// Applies the drag of the wind over h seconds.
    void apply_wind(const AirSettings& air, const WindSettings& wind, double time, double h);
    /// Takes one step of h seconds. The colliders of other bodies move from sample `from` to sample `to`.
    void step(const Colliders& colliders, int from, int to, double h, const WorldSettings& settings);
    /// Writes the poses of the rigid scene to the bodies, as their poses at a time.
    void push_poses(double time);

    uint64_t hash(uint64_t h) const;
    void save(std::vector<std::byte>& out) const;
    bool load(std::span<const std::byte>& in);

private:
    struct Entry {
        WorldBody* body;
        RigidBody description;
        Pose start;
        RigidMotion motion;  // kept while the body is switched off
    };
    const RigidMotion& motion(const Entry& entry) const;
    void set_motion(Entry& entry, const RigidMotion& motion);
    void update_obstacles(const Colliders& colliders, const WorldSettings& settings);

    std::vector<Entry> entries_;
    std::vector<WorldBody*> active_;  // in the order of the rigid scene
    std::unique_ptr<RigidScene> scene_;
    std::vector<const WorldCollider*> obstacles_;  // in the order of the rigid scene
    uint64_t colliders_version_ = 0;               // of the colliders that `obstacles_` lists
};

}  // namespace tendril
