/// A curve as a sequence of points connected by straight segments.
#pragma once

#include "tendril/vec3.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tendril {

double polyline_length(std::span<const Vec3f> points);

/// A point on a segment of a polyline.
struct PolylinePoint {
    size_t segment;  ///< from this point to the next
    float share;     ///< [0, 1] along the segment

    /// Interpolates a quantity given per point. T is float or Vec3f.
    template <class T>
    T interpolate(std::span<const T> at_points) const
    {
        return at_points[segment] + (at_points[segment + 1] - at_points[segment]) * share;
    }
};

/// Equally spaced points along the first `share` of a polyline of two or more points, including both ends.
std::vector<PolylinePoint> even_points(std::span<const Vec3f> points, size_t count, double share = 1);

/// Scales all segments by the same factor, from the first point on, to give the polyline a length.
void stretch_to(std::span<Vec3f> points, double target);

}  // namespace tendril
