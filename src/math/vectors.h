/// Small vector helpers that more than one folder needs.
#pragma once

#include "tendril/vec3.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace tendril {

/// Returns `v` scaled to unit length, or `fallback` if `v` is too short to have a direction.
inline Vec3d unit_or(const Vec3d& v, const Vec3d& fallback)
{
    const double l = length(v);
    return l > 1e-12 ? v * (1 / l) : fallback;
}

/// Returns some unit vector perpendicular to `unit`.
inline Vec3d any_perpendicular(const Vec3d& unit)
{
    return unit_or(cross(unit, std::abs(unit.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}), {0, 0, 1});
}

/// Component-wise minimum and maximum, as for the corners of a bounding box.
template <class T>
Vec3<T> component_min(const Vec3<T>& a, const Vec3<T>& b)
{
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
template <class T>
Vec3<T> component_max(const Vec3<T>& a, const Vec3<T>& b)
{
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

/// The diagonal of the box around all finite points; 0 if there are none.
inline double box_diagonal(std::span<const Vec3f> points)
{
    bool any = false;
    Vec3f low{0, 0, 0}, high = low;
    for (const Vec3f& p : points) {
        if (!is_finite(p)) continue;
        low = any ? component_min(low, p) : p;
        high = any ? component_max(high, p) : p;
        any = true;
    }
    return length(to_double(high) - to_double(low));
}

}  // namespace tendril
