/// Rigid bodies fall, collide and tumble, and strings pull them. The coordinates of a rigid body have their origin at
/// its centre of mass and follow the axes of the solid.
#pragma once

#include "tendril/mesh.h"
#include "tendril/vec3.h"

#include <cstdint>

namespace tendril {

/// Cylinders and capsules lie along the y axis.
enum class RigidBodyKind : uint8_t { kBox, kSphere, kCylinder, kCapsule };

/// A solid of uniform density.
struct RigidBody {
    RigidBodyKind kind = RigidBodyKind::kBox;
    /// Box: its edges. Sphere: x is the diameter. Cylinder and capsule: x is the diameter, y the total length; a
    /// capsule is at least as long as thick. [m], > 0; contacts work best from 0.01 to 10.
    Vec3d size{0.2, 0.2, 0.2};
    double mass = 1;  ///< [kg], >= 0.001
    /// Coulomb's friction coefficient, >= 0. A contact uses the geometric mean of the two coefficients. 0.5 is about
    /// wood on wood.
    double friction = 0.5;
    double restitution = 0.1;  ///< share of the speed kept in a bounce, [0, 1]; a contact uses the larger of the two
    double linear_damping = 0, angular_damping = 0;  ///< decay rates of velocity and spin [1/s], >= 0
    Vec3d velocity{0, 0, 0}, spin{0, 0, 0};          ///< initial velocity [m/s] and angular velocity [rad/s]
};

/// Moments of inertia about the body's own axes [kg m^2].
Vec3d rigid_inertia(const RigidBody& body);

/// The closed surface of the body in its own frame, for pictures. Edges are bevelled inwards, so that they catch light.
Mesh rigid_mesh(const RigidBody& body);

}  // namespace tendril
