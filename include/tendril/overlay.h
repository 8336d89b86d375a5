/// Colours that show what strands do, for debugging: who is who, how fast, how stretched, how tense, what touches.
#pragma once

#include "tendril/groom.h"
#include "tendril/picture_kind.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// What an overlay may need to know. All but `points` may be empty.
struct OverlayInput {
    CurvesView curves;
    std::span<const float> rest_lengths;   ///< of the segment that ends at each point, as Groom keeps them
    std::span<const Vec3f> accelerations;  ///< [m/s^2]
    std::span<const uint8_t> touching;     ///< per point: 1 where it touches something
    Vec3d gravity{0, -9.81, 0};            ///< [m/s^2]
};

/// One colour per point.
std::vector<Vec3f> overlay_colours(Overlay overlay, const OverlayInput& input);

/// The force that a strand's tip end must be pulled with at each point to move as it does, in units of the weight of
/// the whole strand: what hangs below is carried and accelerated. For particles of equal mass and without contacts.
std::vector<float> carried_weight(const OverlayInput& input);

}  // namespace tendril
