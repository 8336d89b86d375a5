/// Fits tapered capsules whose union follows a piece of skin: least squares on signed distances, with splits where one
/// capsule does not suffice.
#pragma once

#include "tendril/vec3.h"

#include <array>
#include <span>
#include <vector>

namespace tendril {

/// A tapered capsule; see Collider.
struct Capsule {
    Vec3d a{0, 0, 0}, b{0, 0, 0};
    double radius_a = 0, radius_b = 0;
};

/// The sphere of a capsule whose surface is nearest to a point.
struct CapsuleSphere {
    double distance;  ///< from the point to the surface, negative inside
    double share;     ///< 0: the sphere around a, 1: the sphere around b
    Vec3d away;       ///< unit vector from the sphere's centre to the point
};
CapsuleSphere nearest_sphere(const Capsule& capsule, const Vec3d& p);

/// A point of the skin that represents the area around it.
struct SkinSample {
    Vec3d position, normal;
    double area;
};

/// A point, on the skin or outside it, from which capsules keep a distance.
struct ClearancePoint {
    Vec3d position;
    double distance, area;
};

/// The target to which the capsules of one bone are fitted.
struct FitTarget {
    std::vector<SkinSample> own;  ///< the surface of the union should pass through these
    std::vector<ClearancePoint> others;
    /// Errors well below this have little cost; the cost of errors well above it grows with their square [m].
    double tolerance = 0;
    double min_radius = 0;  ///< [m]
};

/// Capsules and their cost; lower is better.
struct CapsuleFit {
    std::vector<Capsule> capsules;
    double cost = 0;
};

/// Fits one capsule along the longest direction of the skin.
CapsuleFit fit_one(const FitTarget& target);
/// Returns the best fit found with one more capsule, or `fit` if none is better.
CapsuleFit add_capsule(const FitTarget& target, const CapsuleFit& fit);
/// Refines the same capsules until they converge, within a limit on the number of rounds.
void polish(const FitTarget& target, CapsuleFit& fit);

}  // namespace tendril
