/// Tapered capsules whose union follows a piece of skin: least squares on signed distances, and splits where one
/// capsule cannot do it.
#pragma once

#include "tendril/vec3.h"

#include <array>
#include <span>
#include <vector>

namespace tendril {

/// See Collider.
struct Capsule {
    Vec3d a{0, 0, 0}, b{0, 0, 0};
    double radius_a = 0, radius_b = 0;
};

/// The ball of a capsule whose surface is nearest to a point.
struct CapsuleBall {
    double distance;  ///< from the point to the surface, negative inside
    double share;     ///< 0: the ball around a, 1: that around b
    Vec3d away;       ///< unit vector from its centre to the point
};
CapsuleBall nearest_ball(const Capsule& capsule, const Vec3d& p);

/// A point of skin that stands for the area around it.
struct SkinSample {
    Vec3d place, normal;
    double area;
};

/// A point, on the skin or outside it, that capsules keep a distance from.
struct KeepOff {
    Vec3d place;
    double distance, area;
};

/// What the capsules of one bone are fitted to.
struct FitTarget {
    std::vector<SkinSample> own;  ///< the surface of the union should be here
    std::vector<KeepOff> others;
    /// Errors much smaller than this count little, those much larger count with their square [m].
    double tolerance = 0;
    double smallest = 0;  ///< radius [m]
};

/// Capsules and what is wrong with them; less is better.
struct CapsuleFit {
    std::vector<Capsule> capsules;
    double cost = 0;
};

/// One capsule along the longest direction of the skin.
CapsuleFit fit_one(const FitTarget& target);
/// The best fit found with one capsule more.
CapsuleFit fit_one_more(const FitTarget& target, const CapsuleFit& fit);
/// The same capsules, after as many rounds as it takes.
void polish(const FitTarget& target, CapsuleFit& fit);

}  // namespace tendril
