/// Measurements that several claims use.
#pragma once

#include "tendril/world.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tendril::app {

/// The positions of the particles of a strand.
inline std::vector<Vec3d> points_of(const World& world, size_t strand = 0, GroomId groom = {0})
{
    std::vector<Vec3d> points(world.groom(groom).points(strand).size());
    for (size_t i = 0; i < points.size(); ++i) points[i] = world.position({groom, strand, i});
    return points;
}

/// The position of the tip of a strand.
inline Vec3d tip_of(const World& world, size_t strand = 0, GroomId groom = {0})
{
    return world.position({groom, strand, world.groom(groom).points(strand).size() - 1});
}

/// The angle between the segments that meet at point i, which has neighbours on both sides [rad].
inline double turn_at(const std::vector<Vec3d>& points, size_t i)
{
    const Vec3d a = points[i] - points[i - 1], b = points[i + 1] - points[i];
    return std::atan2(length(cross(a, b)), dot(a, b));
}

/// The median; the upper one of two in the middle, and 0 if there are no values.
inline double median(std::vector<double> values)
{
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

inline double degrees(double radians)
{
    return radians * 180 / 3.14159265358979323846;
}

}  // namespace tendril::app
