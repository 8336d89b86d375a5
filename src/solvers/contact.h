/// Colliders as the solvers see them: prepared once per substep in double, met per particle in a kernel
/// (contact-inl.h).
#pragma once

#include "tendril/collider.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tendril {

inline constexpr size_t kMostColliders = 256;

/// A tapered capsule over one substep. Places are seen from the origin of the strands at the end of the substep.
struct ColliderSubstep {
    Vec3f a, axis;         ///< one end, and from there to the other [m]
    float radius;          ///< at `a` [m]
    float growth;          ///< of the radius along the axis [m]
    float per_length2;     ///< one over the squared length of the axis; 0 for a sphere
    float along, slant;    ///< which ball is nearest to a point, see nearest_ball
    float per_width;       ///< one over twice the mean radius
    float widest, spread;  ///< how much thicker it is across the axis than its radii, and its bound, see within_reach
    Vec3f middle;          ///< of a ball around it
    float reach;           ///< radius of that ball [m]
    Vec3f turned[3];       ///< the surface's displacement at a point x over the substep is
    Vec3f moved;           ///< `turned` x + `moved` (rows of a matrix, and metres)
};

/// Of a collider whose bone goes from one pose to another.
ColliderSubstep collider_step(const Collider& collider, const Pose& before, const Pose& after, const Vec3d& origin);

/// How deep a point is inside, in double; below 0 outside.
double depth_inside(const Collider& collider, const Pose& bone, const Vec3d& point);

/// What all hair of one groom may touch over a step.
struct ContactInput {
    std::span<const ColliderSubstep> colliders;  ///< [substep][collider]
    size_t count = 0;                            ///< of colliders
    float friction = 0, margin = 0;              ///< see ContactSettings
    const float* layers = nullptr;               ///< of each strand [m]: [block][16]

    std::span<const ColliderSubstep> in(int substep) const
    {
        return colliders.subspan(static_cast<size_t>(substep) * count, count);
    }
};

}  // namespace tendril
