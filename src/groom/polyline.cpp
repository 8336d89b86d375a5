#include "groom/polyline.h"

#include <algorithm>
#include <cmath>

namespace tendril {

double polyline_length(std::span<const Vec3f> points)
{
    double total = 0;
    for (size_t i = 1; i < points.size(); ++i) total += length(to_double(points[i]) - to_double(points[i - 1]));
    return total;
}

std::vector<PolylinePoint> even_points(std::span<const Vec3f> points, size_t count, double share)
{
    std::vector<double> lengths(points.size(), 0.0);
    for (size_t i = 1; i < points.size(); ++i)
        lengths[i] = lengths[i - 1] + length(to_double(points[i]) - to_double(points[i - 1]));
    std::vector<PolylinePoint> result;
    result.reserve(count);
    size_t segment = 0;
    for (size_t k = 0; k < count; ++k) {
        const double at = share * lengths.back() * static_cast<double>(k) / static_cast<double>(count - 1);
        while (segment + 2 < points.size() && lengths[segment + 1] < at) ++segment;
        const double span = lengths[segment + 1] - lengths[segment];
        const double fraction = span > 0 ? (at - lengths[segment]) / span : 0;
        result.push_back({segment, static_cast<float>(std::clamp(fraction, 0.0, 1.0))});
    }
    return result;
}

void stretch_to(std::span<Vec3f> points, double target)
{
    const double now = polyline_length(points);
    if (!(now > 0) || !std::isfinite(target)) return;
    Vec3d at = to_double(points[0]), before = at;
    for (size_t i = 1; i < points.size(); ++i) {
        const Vec3d old = to_double(points[i]);
        at += (old - before) * (target / now);
        before = old;
        points[i] = to_float(at);
    }
}

}  // namespace tendril
