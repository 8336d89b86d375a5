/// What of strands is within the cone around a ray.
#pragma once

#include "tendril/session.h"

#include <functional>

namespace tendril::session {

/// Curves as they are drawn.
struct DrawnCurves {
    std::span<const Vec3f> points;
    std::span<const uint32_t> first_point;
    std::span<const float> widths;  ///< per point
    Vec3d origin{0, 0, 0};
    bool string = false;  ///< a width is that of the segment that begins at the point, 0: there is none
};

struct SegmentHit {
    uint32_t strand = 0;
    uint32_t segment = 0;  ///< of the strand
    double share = 0;      ///< of the way along it, [0, 1]
    double depth = 0;      ///< along the ray [m]
    double off_axis = 0;   ///< tangent of the angle from the ray to its axis
    double angle = 0;      ///< and to its surface; 0: the ray goes through it
};

/// Calls `found` for every segment within the cone that is drawn.
void for_hits(const DrawnCurves& curves, const Ray& ray, const std::function<void(const SegmentHit&)>& found);

}  // namespace tendril::session
