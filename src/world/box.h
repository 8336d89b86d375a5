/// Axis-aligned boxes in the world.
#pragma once

#include "math/vectors.h"

#include <limits>

namespace tendril {

struct WorldBox {
    static constexpr double kFar = std::numeric_limits<double>::max();

    Vec3d low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};  ///< empty by default

    /// The box that contains everything.
    static WorldBox everything() { return {{-kFar, -kFar, -kFar}, {kFar, kFar, kFar}}; }

    void include(const Vec3d& p)
    {
        low = component_min(low, p);
        high = component_max(high, p);
    }
    void include_ball(const Vec3d& centre, double radius)
    {
        const Vec3d r{radius, radius, radius};
        include(centre - r);
        include(centre + r);
    }
    bool contains(const Vec3d& p) const
    {
        return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z;
    }
    bool meets(const WorldBox& b) const
    {
        return low.x <= b.high.x && low.y <= b.high.y && low.z <= b.high.z && b.low.x <= high.x && b.low.y <= high.y &&
               b.low.z <= high.z;
    }
};

}  // namespace tendril
