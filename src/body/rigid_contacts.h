/// What keeps rigid bodies apart: Bullet finds where they touch and solves for the impulses there. It is asked anew in
/// every step and remembers nothing of the one before, so that a step depends only on what is passed in.
#pragma once

#include "tendril/collider.h"
#include "tendril/rigid_body.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// Where a rigid body moves, or is moved to.
struct RigidMotion {
    Pose pose;
    Vec3d velocity{0, 0, 0}, spin{0, 0, 0};  ///< of the centre of mass [m/s]; [rad/s], in the axes of the world
};

/// How the surface of an obstacle feels; see RigidBody.
struct RigidSurface {
    double friction = 0.5, restitution = 0;
};

/// A point where a body touched something in the last step.
struct RigidTouch {
    static constexpr size_t kNone = static_cast<size_t>(-1);
    size_t body = 0;
    size_t other = kNone, obstacle = kNone;  ///< what it touched: one of them is not kNone
    Vec3d place{0, 0, 0}, normal{0, 0, 0};   ///< in the world; the normal is a unit vector towards `body`
    double impulse = 0;                      ///< along the normal [N s], >= 0
};

/// A body in one step.
struct RigidState {
    RigidMotion motion;                   ///< in: before the step. Out: velocity and spin after it
    Vec3d shift{0, 0, 0}, turn{0, 0, 0};  ///< out: a velocity and a spin for this step only that end penetrations
};

class RigidContacts {
public:
    /// Null where the library was built without Bullet.
    static std::unique_ptr<RigidContacts> create();
    virtual ~RigidContacts() = default;

    virtual void add_body(const RigidBody& body) = 0;
    virtual void add_obstacle(const Collider& shape, const RigidSurface& surface) = 0;
    /// One step of h [s] for all bodies and obstacles, in the order in which they were added.
    virtual void solve(std::span<RigidState> bodies, std::span<const RigidMotion> obstacles, const Vec3d& gravity,
                       double h, std::vector<RigidTouch>& touches) = 0;
};

}  // namespace tendril
