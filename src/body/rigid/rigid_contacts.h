/// Keeps rigid bodies apart: Bullet finds their contacts and solves for the impulses. It starts afresh in every step
/// and keeps nothing of the previous one, so that a step depends only on its arguments.
#pragma once

#include "tendril/collider.h"
#include "tendril/rigid_body.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// Pose and velocity of a rigid body or an obstacle.
struct RigidMotion {
    Pose pose;
    Vec3d velocity{0, 0, 0}, spin{0, 0, 0};  ///< of the centre of mass [m/s]; angular velocity in world axes [rad/s]
};

/// Surface properties of an obstacle; see RigidBody.
struct RigidSurface {
    double friction = 0.5, restitution = 0;
};

/// A contact point of a body in the last step.
struct RigidTouch {
    static constexpr size_t kNone = static_cast<size_t>(-1);
    size_t body = 0;
    size_t other = kNone, obstacle = kNone;    ///< the other body or the obstacle; exactly one is not kNone
    Vec3d position{0, 0, 0}, normal{0, 0, 0};  ///< in the world; the normal is a unit vector towards `body`
    double impulse = 0;                        ///< along the normal [N s], >= 0
};

/// The state of a body in one step.
struct RigidState {
    RigidMotion motion;                   ///< in: before the step. Out: with the velocities after it
    Vec3d shift{0, 0, 0}, turn{0, 0, 0};  ///< out: linear and angular velocity for this step only, to end penetration
};

class RigidContacts {
public:
    /// Returns null if the library was built without Bullet.
    static std::unique_ptr<RigidContacts> create();
    virtual ~RigidContacts() = default;

    virtual void add_body(const RigidBody& body) = 0;
    virtual void add_obstacle(const Collider& shape, const RigidSurface& surface) = 0;
    /// One step of h [s]. Bodies and obstacles are in the order in which they were added.
    virtual void solve(std::span<RigidState> bodies, std::span<const RigidMotion> obstacles, const Vec3d& gravity,
                       double h, std::vector<RigidTouch>& touches) = 0;
};

}  // namespace tendril
