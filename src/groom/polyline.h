/// One curve as points that straight segments connect.
#pragma once

#include "tendril/vec3.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tendril {

double polyline_length(std::span<const Vec3f> points);

/// A place on a polyline: between two of its points.
struct Place {
    size_t segment;  ///< from this point to the next
    float share;

    /// What is known at the points, here. T is float or Vec3f.
    template <class T>
    T of(std::span<const T> at_points) const
    {
        return at_points[segment] + (at_points[segment + 1] - at_points[segment]) * share;
    }
};

/// Places at equal distances along a share of a polyline of two or more points, its ends among them.
std::vector<Place> even_places(std::span<const Vec3f> points, size_t count, double share = 1);

/// Scales all edges alike, from the first point on, until the length is as wanted.
void stretch_to(std::span<Vec3f> points, double wanted);

}  // namespace tendril
