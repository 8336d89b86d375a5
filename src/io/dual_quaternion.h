/// Blends affine maps as dual quaternion skinning does [Kavan07]: rotations and translations as dual quaternions, so
/// that a twisted part keeps its radius, and the remaining stretch linearly.
#pragma once

#include "tendril/mesh.h"

namespace tendril {

/// An affine map that applies a stretch first, then the rigid motion of a unit dual quaternion.
struct DualMotion {
    Quat real{0, 0, 0, 0}, dual{0, 0, 0, 0};  ///< all zeros if the map is singular
    Affine stretch;
};
DualMotion dual_motion(const Affine& map);

/// The weighted sum of dual motions, applied to one point.
class DualBlend {
public:
    /// `pivot` is the motion with the largest weight; the others are blended along the shorter arc from it.
    DualBlend(const DualMotion& pivot, const Vec3d& point) : pivot_(pivot.real), point_(point) {}

    void add(const DualMotion& motion, double weight);
    /// The moved point; the point itself if all motions are singular.
    Vec3d point() const;

private:
    Quat pivot_, real_{0, 0, 0, 0}, dual_{0, 0, 0, 0};
    Vec3d point_, stretched_{0, 0, 0};
};

}  // namespace tendril
