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

std::vector<Place> even_places(std::span<const Vec3f> points, size_t count, double share)
{
    std::vector<double> reached(points.size(), 0.0);
    for (size_t i = 1; i < points.size(); ++i)
        reached[i] = reached[i - 1] + length(to_double(points[i]) - to_double(points[i - 1]));
    std::vector<Place> places;
    places.reserve(count);
    size_t segment = 0;
    for (size_t k = 0; k < count; ++k) {
        const double at = share * reached.back() * static_cast<double>(k) / static_cast<double>(count - 1);
        while (segment + 2 < points.size() && reached[segment + 1] < at) ++segment;
        const double span = reached[segment + 1] - reached[segment];
        const double within = span > 0 ? (at - reached[segment]) / span : 0;
        places.push_back({segment, static_cast<float>(std::clamp(within, 0.0, 1.0))});
    }
    return places;
}

void stretch_to(std::span<Vec3f> points, double wanted)
{
    const double now = polyline_length(points);
    if (!(now > 0) || !std::isfinite(wanted)) return;
    Vec3d at = to_double(points[0]), before = at;
    for (size_t i = 1; i < points.size(); ++i) {
        const Vec3d old = to_double(points[i]);
        at += (old - before) * (wanted / now);
        before = old;
        points[i] = to_float(at);
    }
}

}  // namespace tendril
