/// Debug colours for strands: identity, speed, stretch, tension and contacts.
#pragma once

#include "tendril/groom.h"
#include "tendril/picture_kind.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// The data that overlays are computed from. Everything except `curves.points` may be empty.
struct OverlayInput {
    CurvesView curves;
    std::span<const float> rest_lengths;   ///< rest length of the segment that ends at each point [m], as in Groom
    std::span<const Vec3f> accelerations;  ///< per point [m/s^2]
    std::span<const uint8_t> touching;     ///< per point: 1 if it touches a collider
    Vec3d gravity{0, -9.81, 0};            ///< [m/s^2]
};

/// Returns one colour per point; nothing for `Overlay::kNone`.
std::vector<Vec3f> overlay_colours(Overlay overlay, const OverlayInput& input);

/// The tension at each point, in units of the weight of the whole strand: the force that supports and accelerates the
/// part of the strand from that point to the tip. Assumes particles of equal mass and no contacts.
std::vector<float> carried_weight(const OverlayInput& input);

}  // namespace tendril
