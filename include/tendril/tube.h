/// Strings as tubes for pictures: threads, ropes and cables are thick enough to be seen as bodies, and stripes along
/// them show how their material is turned, which a plain surface would hide.
#pragma once

#include "tendril/groom.h"
#include "tendril/vec3.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// How a string is drawn: a tube with stripes that show how its material is turned.
struct TubeLook {
    Vec3f colour{0.62f, 0.42f, 0.22f}, stripe{0.9f, 0.88f, 0.82f};  ///< diffuse reflectance, [0, 1]
    int stripes = 1;            ///< around it, [0, 64]; the middle of the first is where its material points
    float stripe_share = 0.3f;  ///< of the circumference that is stripe, [0, 1]
    int sides = 16;             ///< of the cross-section, [3, 64]; a few more where edges of stripes need them
    float width_scale = 1;      ///< of all diameters, > 0
};

/// What a `StageMesh` shows, closed and with its triangles facing outwards. Seen from the origin of the curves.
struct TubeMesh {
    std::vector<Vec3f> vertices, velocities;  ///< velocities [m/s]: empty where the curves have none
    std::vector<std::array<uint32_t, 3>> triangles;
    std::vector<Vec3f> colours;  ///< per triangle
};

/// Smooth tubes through the points. `widths` and `across` have one entry per point, for the segment that begins there:
/// its diameter [m], 0 where there is none (at the last point of a strand, and where the string is torn), and the
/// direction in which its material points (a vector roughly across it). Between two segments the material turns by less
/// than half a turn. A torn end is frayed and reaches half a segment into the gap. Points that are not finite end a
/// tube; without `across` stripes run straight.
TubeMesh make_tubes(const CurvesView& curves, std::span<const float> widths, std::span<const Vec3f> across,
                    const TubeLook& look);

}  // namespace tendril
