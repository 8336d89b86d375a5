/// A room of rigid bodies that fall, collide and can be pushed, among obstacles that the caller moves. The same calls
/// give the same bits, and what motion() and the poses of obstacles say is all the state there is.
#pragma once

#include "body/rigid_contacts.h"
#include "tendril/collider.h"
#include "tendril/rigid_body.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

class RigidScene {
public:
    /// Null where the library was built without Bullet.
    static std::unique_ptr<RigidScene> create();

    /// Its index: bodies count from 0 in the order of the calls, obstacles too. They stay for good.
    size_t add(const RigidBody& body, const Pose& pose);
    /// What bodies bounce off and it does not notice. Of the collider, the shape counts, which `pose` places. Tori are
    /// rings of 24 capsules; boxes are rounded only towards shapes that are not boxes.
    size_t add_obstacle(const Collider& shape, const Pose& pose, const RigidSurface& surface = {});
    /// It stands there.
    void set_obstacle(size_t obstacle, const Pose& pose) { set_obstacle(obstacle, pose, pose); }
    /// It moves from one pose to the other during the next step and pushes bodies with the velocity that follows; then
    /// it stands.
    void set_obstacle(size_t obstacle, const Pose& from, const Pose& to);

    size_t bodies() const { return bodies_.size(); }
    size_t obstacles() const { return obstacles_.size(); }
    const RigidBody& body(size_t body) const { return bodies_[body].settings; }
    const RigidMotion& motion(size_t body) const { return bodies_[body].motion; }
    /// Puts it there, as it is when it is finite and else not at all.
    void set_motion(size_t body, const RigidMotion& motion);

    /// Places below are in the world. How much speed an impulse at a place gives to that place at most, whatever its
    /// direction [1/kg]: the largest eigenvalue of the inverse mass there.
    double lightness(size_t body, const Vec3d& place) const;
    /// The same for impulses along a unit vector.
    double lightness(size_t body, const Vec3d& place, const Vec3d& along) const;
    Vec3d point_velocity(size_t body, const Vec3d& place) const;
    /// The impulse [N s] changes velocity and spin at once.
    void push(size_t body, const Vec3d& place, const Vec3d& impulse);
    /// The angular impulse [N m s] changes its spin at once.
    void turn(size_t body, const Vec3d& impulse);

    /// One step of h [s], > 0.
    void step(double h, const Vec3d& gravity);
    /// Those of the last step.
    std::span<const RigidTouch> touches() const { return touches_; }

private:
    struct Body {
        RigidBody settings;
        Vec3d inertia;
        RigidMotion motion;
    };
    struct Obstacle {
        Pose from, to;
    };

    explicit RigidScene(std::unique_ptr<RigidContacts> contacts) : contacts_(std::move(contacts)) {}
    void advance(Body& body, const RigidState& state, double h) const;

    std::unique_ptr<RigidContacts> contacts_;
    std::vector<Body> bodies_;
    std::vector<Obstacle> obstacles_;
    std::vector<RigidState> states_;
    std::vector<RigidMotion> obstacle_motions_;
    std::vector<RigidTouch> touches_;
};

}  // namespace tendril
