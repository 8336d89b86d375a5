// Line coverage.
//
// A line is drawn along its major axis, x or y. In each column of pixels it is a box of its width, filtered by the
// quadratic B-spline. Wherever the line runs, these splines sum to one over the pixels, and their second moments sum
// to a constant. The line therefore keeps its brightness and apparent width between pixels. Otherwise a moving line
// would crawl and an almost axis-aligned one would look like a twisted rope.
#include "render/line_raster.h"

#include <cmath>

namespace tendril {
namespace {

constexpr float kFilterReach = 1.5f;
constexpr float kThin = 0.5f;  // [pixels]: below this, the filter is nearly constant over the width

/// The quadratic B-spline.
float filter(float x)
{
    const float d = std::abs(x);
    if (d < 0.5f) return 0.75f - d * d;
    const float rest = std::max(kFilterReach - d, 0.0f);
    return 0.5f * rest * rest;
}

/// The integral of the filter up to x.
float filter_integral(float x)
{
    const float d = std::min(std::abs(x), kFilterReach);
    const float rest = kFilterReach - d;
    const float tail = d < 0.5f ? 0.5f - 0.75f * d + d * d * d / 3.0f : rest * rest * rest / 6.0f;
    return x < 0 ? tail : 1.0f - tail;
}

float coverage(float distance, float width)
{
    if (width < kThin) return width * filter(distance);
    return filter_integral(distance + 0.5f * width) - filter_integral(distance - 0.5f * width);
}

struct Vec2 {
    float x, y;
};

Vec2 direction(const LinePoint& a, const LinePoint& b)
{
    const float dx = b.x - a.x, dy = b.y - a.y, l = std::sqrt(dx * dx + dy * dy);
    return l > 1e-6f ? Vec2{dx / l, dy / l} : Vec2{0, 0};
}

/// The normal of the cut between two lines of a strand. Both end at the bisector, so every pixel belongs to one line.
Vec2 bisector(const Vec2& before, const Vec2& after, const Vec2& own)
{
    const Vec2 sum{before.x + after.x, before.y + after.y};
    return sum.x * sum.x + sum.y * sum.y > 1e-3f ? sum : own;
}

/// A line in terms of its major axis u and minor axis v.
struct MajorAxisLine {
    float u0, v0, u1;                      // end points; u0 may be greater than u1
    float slope;                           // dv / du
    float width;                           // along v, per width across the line
    float cut0_u, cut0_v, cut1_u, cut1_v;  // normals of the cuts at both ends, pointing towards the second end
    bool y_is_major;
};

MajorAxisLine along_major_axis(std::span<const LinePoint> points, size_t k)
{
    const LinePoint &a = points[k], &b = points[k + 1];
    const Vec2 own = direction(a, b);
    const Vec2 cut0 = a.is_first ? own : bisector(direction(points[k - 1], a), own, own);
    const Vec2 cut1 = b.is_last ? own : bisector(own, direction(b, points[k + 2]), own);
    MajorAxisLine s;
    s.y_is_major = std::abs(b.y - a.y) > std::abs(b.x - a.x);
    if (s.y_is_major) {
        s.u0 = a.y, s.v0 = a.x, s.u1 = b.y, s.slope = (b.x - a.x) / (b.y - a.y);
        s.cut0_u = cut0.y, s.cut0_v = cut0.x, s.cut1_u = cut1.y, s.cut1_v = cut1.x;
    } else {
        s.u0 = a.x, s.v0 = a.y, s.u1 = b.x, s.slope = (b.y - a.y) / (b.x - a.x);
        s.cut0_u = cut0.x, s.cut0_v = cut0.y, s.cut1_u = cut1.x, s.cut1_v = cut1.y;
    }
    s.width = std::sqrt(1 + s.slope * s.slope);
    return s;
}

/// Blends a line behind the lines drawn so far. Sub-samples with a nearer surface are skipped.
void blend(LinePixel& pixel, float opacity, float depth, const Vec3f& light)
{
    float weight = 0;
    for (size_t s = 0; s < kSubSamples; ++s) {
        const float share = depth < pixel.depth[s] ? opacity * pixel.transmittance[s] : 0.0f;
        weight += share;
        pixel.transmittance[s] -= share;
    }
    pixel.light += light * (weight * (1.0f / kSubSamples));
}

/// The share of a pixel column that the line covers lengthwise; less than 1 only at the free ends of a polyline.
float end_share(const LinePoint& a, const LinePoint& b, const MajorAxisLine& s, float u)
{
    const float sign = s.u1 > s.u0 ? 1.0f : -1.0f;
    float share = 1;
    if (a.is_first) share = std::clamp((u - s.u0) * sign + 0.5f, 0.0f, 1.0f);
    if (b.is_last) share += std::clamp((s.u1 - u) * sign + 0.5f, 0.0f, 1.0f) - 1.0f;
    return std::max(share, 0.0f);
}

}  // namespace

float line_reach(float width)
{
    constexpr float kMaxRatio = 1.4143f;  // the largest ratio of the extent along v to the width: sqrt(2)
    return kFilterReach + 0.5f * kMaxRatio * width;
}

void draw_line(LineTile& tile, std::span<const LinePoint> points, size_t k)
{
    const LinePoint &a = points[k], &b = points[k + 1];
    if (std::max(std::abs(b.x - a.x), std::abs(b.y - a.y)) < 1e-4f) return;
    const MajorAxisLine s = along_major_axis(points, k);
    const float reach = line_reach(std::max(a.width, b.width));
    const int low_u = s.y_is_major ? tile.y : tile.x, size_u = s.y_is_major ? tile.height : tile.width;
    const int low_v = s.y_is_major ? tile.x : tile.y, size_v = s.y_is_major ? tile.width : tile.height;
    // Columns of pixels, extended at both ends for slanted cuts.
    const float first = std::max(std::floor(std::min(s.u0, s.u1) - reach), static_cast<float>(low_u));
    const float last = std::min(std::ceil(std::max(s.u0, s.u1) + reach), static_cast<float>(low_u + size_u - 1));
    const bool has_ends = a.is_first || b.is_last;
    for (int iu = static_cast<int>(first); iu <= static_cast<int>(last); ++iu) {
        const float u = static_cast<float>(iu) + 0.5f;
        const float share = has_ends ? end_share(a, b, s, u) : 1.0f;
        if (share <= 0) continue;
        const float t = std::clamp((u - s.u0) / (s.u1 - s.u0), 0.0f, 1.0f);
        const float v = s.v0 + s.slope * (u - s.u0);
        const float width = (a.width + (b.width - a.width) * t) * s.width;
        const float opacity = (a.opacity + (b.opacity - a.opacity) * t) * share;
        const float depth = a.depth + (b.depth - a.depth) * t;
        const Vec3f light = a.light + (b.light - a.light) * t;
        const float extent = kFilterReach + 0.5f * width;
        const float first_v = std::max(std::ceil(v - extent - 0.5f), static_cast<float>(low_v));
        const float last_v = std::min(std::floor(v + extent - 0.5f), static_cast<float>(low_v + size_v - 1));
        const float end_v = s.v0 + s.slope * (s.u1 - s.u0);
        for (int iv = static_cast<int>(first_v); iv <= static_cast<int>(last_v); ++iv) {
            const float pv = static_cast<float>(iv) + 0.5f;
            if (!a.is_first && s.cut0_u * (u - s.u0) + s.cut0_v * (pv - s.v0) < 0) continue;
            if (!b.is_last && s.cut1_u * (u - s.u1) + s.cut1_v * (pv - end_v) >= 0) continue;
            LinePixel& pixel = s.y_is_major ? tile.at(iv, iu) : tile.at(iu, iv);
            blend(pixel, opacity * std::min(coverage(pv - v, width), 1.0f), depth, light);
        }
    }
}

}  // namespace tendril
