/// Finds the segments of strands within the cone around a ray.
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
    /// If true, a width belongs to the segment that begins at the point, and 0 means that there is no such segment.
    bool string = false;
};

struct SegmentHit {
    uint32_t strand = 0;
    uint32_t segment = 0;  ///< index in the strand
    double share = 0;      ///< position along the segment, [0, 1]
    double depth = 0;      ///< distance along the ray [m]
    double off_axis = 0;   ///< tangent of the angle between the ray and the axis of the segment
    double angle = 0;      ///< the same for the surface of the segment; 0 if the ray passes through it
};

/// Calls `found` for every drawn segment within the cone.
void for_hits(const DrawnCurves& curves, const Ray& ray, const std::function<void(const SegmentHit&)>& found);

}  // namespace tendril::session
