#include "session/ray_hits.h"

#include <algorithm>
#include <cmath>

namespace tendril::session {
namespace {

/// A point in perspective projection from the start of the ray: its coordinates to the side and upwards, divided by its
/// distance along the ray. Lines stay straight, so the point of a segment nearest to the ray is found in two
/// dimensions.
struct Seen {
    float u = 0, v = 0, depth = 0;
};

constexpr float kNearest = 1e-4f;  // points that are nearer than this, or behind the eye, are ignored [m]

class Eye {
public:
    Eye(const Ray& ray, const Vec3d& origin) : from_(to_float(ray.from - origin))
    {
        const Vec3d along = ray.along * (1 / length(ray.along));
        const Vec3d helper = std::abs(along.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
        const Vec3d side = cross(along, helper) * (1 / length(cross(along, helper)));
        along_ = to_float(along), side_ = to_float(side), up_ = to_float(cross(side, along));
    }

    Seen see(const Vec3f& point) const
    {
        const Vec3f p = point - from_;
        const float depth = dot(p, along_), inverse = 1 / depth;
        return {dot(p, side_) * inverse, dot(p, up_) * inverse, depth};
    }

private:
    Vec3f from_, along_, side_, up_;
};

/// The parameter in [0, 1] of the point between a and b, in the projection, that is nearest to the ray.
float nearest_share(const Seen& a, const Seen& b)
{
    const float du = b.u - a.u, dv = b.v - a.v, square = du * du + dv * dv;
    return square > 0 ? std::clamp(-(a.u * du + a.v * dv) / square, 0.0f, 1.0f) : 0.0f;
}

}  // namespace

void for_hits(const DrawnCurves& curves, const Ray& ray, const std::function<void(const SegmentHit&)>& found)
{
    if (!is_finite(ray.from) || !(length(ray.along) > 0)) return;
    const Eye eye(ray, curves.origin);
    const auto cone = static_cast<float>(std::tan(std::clamp(ray.cone, 0.0, 1.5)));
    for (uint32_t s = 0; s + 1 < curves.first_point.size(); ++s) {
        const uint32_t first = curves.first_point[s], end = curves.first_point[s + 1];
        Seen a = first < end ? eye.see(curves.points[first]) : Seen{};
        for (uint32_t i = first; i + 1 < end; ++i) {
            const Seen b = eye.see(curves.points[i + 1]);
            const Seen begin = a;
            a = b;
            if (!(begin.depth > kNearest && b.depth > kNearest)) continue;
            const float width = curves.string ? curves.widths[i] : std::max(curves.widths[i], curves.widths[i + 1]);
            if (!(width > 0)) continue;
            const float share = nearest_share(begin, b);
            const float u = begin.u + (b.u - begin.u) * share, v = begin.v + (b.v - begin.v) * share;
            // Perspective correction: equal steps in the projection are not equal steps along the segment.
            const float along = share * begin.depth / (b.depth + share * (begin.depth - b.depth));
            const float depth = begin.depth + (b.depth - begin.depth) * along;
            const float off_axis = std::sqrt(u * u + v * v);
            const float angle = std::max(0.0f, off_axis - width / (2 * depth));
            if (!(angle <= cone)) continue;
            found({s, i - first, static_cast<double>(along), static_cast<double>(depth), static_cast<double>(off_axis),
                   static_cast<double>(angle)});
        }
    }
}

}  // namespace tendril::session
