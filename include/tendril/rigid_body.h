/// Bodies that move by themselves: they fall, collide, tumble, and are pulled by strings. The frame of one has its
/// origin at the centre of mass and the axes of its shape.
#pragma once

#include "tendril/mesh.h"
#include "tendril/vec3.h"

#include <cstdint>

namespace tendril {

enum class RigidShape : uint8_t { kBox, kSphere, kCylinder, kCapsule };  ///< cylinder and capsule along their y axis

/// Solid, of the same density everywhere.
struct RigidBody {
    RigidShape shape = RigidShape::kBox;
    /// Box: its edges. Sphere: x is the diameter. Cylinder, capsule: x is the diameter, y the whole length; a capsule
    /// at least as long as thick. [m], > 0; contacts are made for 0.01 to 10.
    Vec3d size{0.2, 0.2, 0.2};
    double mass = 1;  ///< [kg], > 0
    /// Coulomb's coefficient, >= 0. Where two touch it is the root of the product: two alike have that of each. 0.5 is
    /// about wood on wood.
    double friction = 0.5;
    double restitution = 0.1;  ///< share of the speed that comes back, [0, 1]. Where two touch, the larger one counts
    double linear_damping = 0, angular_damping = 0;  ///< rates at which speed and spin fade [1/s], >= 0
    Vec3d velocity{0, 0, 0}, spin{0, 0, 0};          ///< at the start [m/s], [rad/s]
};

/// Moments of inertia about the body's own axes [kg m^2].
Vec3d rigid_inertia(const RigidBody& body);

/// Its closed surface in its own frame, for pictures. Edges are bevelled within the shape, so that they catch light.
Mesh rigid_mesh(const RigidBody& body);

}  // namespace tendril
