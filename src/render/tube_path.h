/// Tube paths: cuts strings where they are torn, smooths them, and places rings along them that turn with the material.
#pragma once

#include "tendril/groom.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// A cross-section of a tube.
struct TubeRing {
    Vec3d centre{0, 0, 0}, velocity{0, 0, 0};  ///< [m], [m/s]
    Vec3d along{0, 1, 0}, across{1, 0, 0};     ///< unit tangent, and unit material direction perpendicular to it
    double radius = 0;                         ///< [m], > 0
    double turn = 0;                           ///< of the material since the previous ring [rad]
};

struct TubePath {
    std::vector<TubeRing> rings;  ///< at least two
    bool torn_begin = false, torn_end = false;
    uint32_t first = 0, last = 0;  ///< its first and last point in the curves
};

/// How far the fibres of a torn end reach beyond its last ring [radii].
inline constexpr double kFrayedReach = 0.75;

struct TubeString {
    const CurvesView& curves;
    std::span<const float> widths;  ///< per point, of the segment after it [m]; 0 if there is no segment
    std::span<const Vec3f> across;  ///< likewise, the material direction; zero or missing if unknown
    double width_scale = 1;         ///< multiplies the widths
};

/// The tubes of all strands, in order.
std::vector<TubePath> make_tube_paths(const TubeString& string);

}  // namespace tendril
