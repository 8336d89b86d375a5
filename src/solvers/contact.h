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

/// A collider where its bone has taken it, in double: for measuring.
class PlacedCollider {
public:
    PlacedCollider(const Collider& collider, const Pose& bone);
    /// How deep a point is inside; below 0 outside.
    double depth(const Vec3d& point) const;
    /// Whether a point is in a ball around it: most are not even in that.
    bool near(const Vec3d& point) const
    {
        const Vec3d d = point - middle_;
        return dot(d, d) < reach_ * reach_;
    }

private:
    Vec3d a_, axis_, middle_;
    double radius_, growth_, per_length2_, slant_, reach_;
};

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
