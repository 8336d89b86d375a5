/// The way of a tube through space: strings cut where they are torn, made smooth, and followed by rings that turn with
/// the material.
#pragma once

#include "tendril/groom.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// A cross-section.
struct TubeRing {
    Vec3d centre{0, 0, 0}, velocity{0, 0, 0};  ///< [m], [m/s]
    Vec3d along{0, 1, 0}, across{1, 0, 0};     ///< unit, at a right angle; the material points along `across`
    double radius = 0;                         ///< [m], > 0
    double turn = 0;                           ///< of the material since the ring before [rad]
};

struct TubePath {
    std::vector<TubeRing> rings;  ///< at least two
    bool torn_begin = false, torn_end = false;
    uint32_t first = 0, last = 0;  ///< points of the curves that it leads from and to
};

/// How far the fibres of a torn end reach beyond its last ring, in radii.
inline constexpr double kFrayedReach = 0.75;

struct TubeString {
    const CurvesView& curves;
    std::span<const float> widths;  ///< [m] per point, for the segment after it; none: 0
    std::span<const Vec3f> across;  ///< likewise; none: anywhere
    double width_scale = 1;         ///< of the widths
};

/// All tubes of all strands, in their order.
std::vector<TubePath> make_tube_paths(const TubeString& string);

}  // namespace tendril
