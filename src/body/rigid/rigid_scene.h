/// A set of rigid bodies that fall, collide and can be pushed, among obstacles that the caller moves. The same calls
/// give the same bits; motion() and the poses of obstacles are the entire state.
#pragma once

#include "body/rigid/rigid_contacts.h"
#include "tendril/collider.h"
#include "tendril/rigid_body.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

class RigidScene {
public:
    /// Returns null if the library was built without Bullet.
    static std::unique_ptr<RigidScene> create();

    /// Returns the index of the body. Bodies and obstacles are numbered separately, in the order of the calls, and are
    /// never removed.
    size_t add(const RigidBody& body, const Pose& pose);
    /// Adds an obstacle, which bodies collide with but do not move. Only the shape of the collider is used; `pose`
    /// places it. A torus becomes a ring of 24 capsules; boxes have rounded edges only towards shapes other than boxes.
    size_t add_obstacle(const Collider& shape, const Pose& pose, const RigidSurface& surface = {});
    /// Makes the obstacle stand still at a pose.
    void set_obstacle(size_t obstacle, const Pose& pose) { set_obstacle(obstacle, pose, pose); }
    /// Moves the obstacle from one pose to the other during the next step, so that it pushes bodies with the resulting
    /// velocity. Then it stands still.
    void set_obstacle(size_t obstacle, const Pose& from, const Pose& to);

    size_t bodies() const { return bodies_.size(); }
    size_t obstacles() const { return obstacles_.size(); }
    const RigidBody& body(size_t body) const { return bodies_[body].settings; }
    const RigidMotion& motion(size_t body) const { return bodies_[body].motion; }
    /// Sets the motion of a body; ignored if a number is not finite.
    void set_motion(size_t body, const RigidMotion& motion);

    /// The largest speed per impulse at a point of the world, over all directions of the impulse [1/kg]: the largest
    /// eigenvalue of the inverse mass there. Points below are in the world, too.
    double inverse_mass(size_t body, const Vec3d& point) const;
    /// The inverse mass at a point for impulses along a unit vector [1/kg].
    double inverse_mass(size_t body, const Vec3d& point, const Vec3d& along) const;
    Vec3d point_velocity(size_t body, const Vec3d& point) const;
    /// Applies an impulse [N s] at a point; velocity and spin change immediately.
    void push(size_t body, const Vec3d& point, const Vec3d& impulse);
    /// Applies an angular impulse [N m s]; the spin changes immediately.
    void turn(size_t body, const Vec3d& impulse);

    /// One step of h [s], > 0.
    void step(double h, const Vec3d& gravity);
    /// Contact points of the last step.
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
