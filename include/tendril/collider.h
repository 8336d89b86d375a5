/// What hair cannot go through: tapered capsules that bones carry. Spheres and capsules are special cases.
#pragma once

#include "tendril/body.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <vector>

namespace tendril {

/// All points within the spheres whose centre goes from `a` to `b` while their radius goes from `radius_a` to
/// `radius_b`. With a == b it is the larger of two spheres, with equal radii a capsule.
struct Collider {
    BodyId body = {};
    size_t bone = 0;               ///< of the body; those of its character come after its frames, see BodyDescription
    Vec3d a{0, 0, 0}, b{0, 0, 0};  ///< in the frame of the bone [m]
    float radius_a = 0, radius_b = 0;  ///< [m], >= 0
};

/// Colliders that fit the built-in head and shoulders, for a body whose only frame carries `make_bust`.
std::vector<Collider> bust_colliders(BodyId body = {});

}  // namespace tendril
