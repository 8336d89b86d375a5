/// Tube meshes for strings. Threads, ropes and cables are thick enough to be seen as solid, and stripes along them show
/// the twist of the material, which a plain surface would hide.
#pragma once

#include "tendril/groom.h"
#include "tendril/vec3.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// The appearance of a string: a tube with stripes that follow its material.
struct TubeLook {
    Vec3f colour{0.62f, 0.42f, 0.22f}, stripe{0.9f, 0.88f, 0.82f};  ///< diffuse reflectance, [0, 1]
    int stripes = 1;            ///< around the tube, [0, 64]; the first is centred on the material direction
    float stripe_share = 0.3f;  ///< share of the circumference that stripes cover, [0, 1]
    int sides = 16;             ///< of the cross-section, [3, 64]; stripe edges may add a few
    float width_scale = 1;      ///< multiplies all widths, > 0
};

/// The data of a `StageMesh`: closed, with triangles facing outwards. Relative to the origin of the curves.
struct TubeMesh {
    std::vector<Vec3f> vertices, velocities;  ///< velocities [m/s] are empty if the curves have none
    std::vector<std::array<uint32_t, 3>> triangles;
    std::vector<Vec3f> colours;  ///< per triangle
};

/// Builds smooth tubes through the points. `widths` and `across` have one entry per point, for the segment that starts
/// there: its width [m], which is 0 where there is no segment (at the last point of a strand and where the string is
/// torn), and its material direction, a vector roughly perpendicular to it. The material must turn by less than half a
/// turn between neighbouring segments. A torn end is frayed and reaches half a segment into the gap. A point that is
/// not finite ends its tube. Without `across`, stripes have no twist.
TubeMesh make_tubes(const CurvesView& curves, std::span<const float> widths, std::span<const Vec3f> across,
                    const TubeLook& look);

}  // namespace tendril
