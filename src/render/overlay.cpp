#include "tendril/overlay.h"

#include "math/random.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

constexpr float kRedSpeed = 3.0f;     // [m/s]
constexpr float kRedStretch = 1e-4f;  // the bound that the solvers guarantee
constexpr float kRedTension = 2.0f;   // in units of the weight of the strand

/// Maps [0, 1] to blue, green, yellow and red, all bright enough to be readable on grey.
Vec3f heat_colour(float x)
{
    static constexpr Vec3f kStops[] = {{0.05f, 0.12f, 0.55f},
                                       {0.05f, 0.45f, 0.65f},
                                       {0.15f, 0.6f, 0.25f},
                                       {0.85f, 0.65f, 0.08f},
                                       {0.8f, 0.06f, 0.04f}};
    constexpr int kLast = 4;
    if (!(x > 0)) return kStops[0];
    const float scaled = std::min(x, 1.0f) * kLast;
    const int i = std::min(static_cast<int>(scaled), kLast - 1);
    const float w = scaled - static_cast<float>(i);
    return kStops[i] * (1 - w) + kStops[i + 1] * w;
}

Vec3f colour_of_id(size_t strand)
{
    // Saturated hues; those of neighbouring strands differ by the golden ratio.
    const double hue = std::fmod(static_cast<double>(strand) * 0.6180339887498949, 1.0) * 6;
    const double shade = 0.55 + 0.45 * uniform(7, strand);
    const auto channel = [&](double centre) {
        const double away = std::abs(std::fmod(hue - centre + 9, 6) - 3);
        return static_cast<float>(shade * (0.06 + 0.84 * std::clamp(2 - away, 0.0, 1.0)));
    };
    return {channel(0), channel(2), channel(4)};
}

template <class F>
std::vector<Vec3f> per_point(const CurvesView& curves, const F& colour)
{
    std::vector<Vec3f> out(curves.points.size());
    for (size_t s = 0; s + 1 < curves.first_point.size(); ++s)
        for (size_t i = curves.first_point[s]; i < curves.first_point[s + 1]; ++i) out[i] = colour(s, i);
    return out;
}

float stretch_at(const OverlayInput& in, size_t strand, size_t i)
{
    if (in.rest_lengths.empty() || i == in.curves.first_point[strand] || !(in.rest_lengths[i] > 0)) return 0;
    const double l = length(to_double(in.curves.points[i]) - to_double(in.curves.points[i - 1]));
    return static_cast<float>(std::abs(l / static_cast<double>(in.rest_lengths[i]) - 1));
}

}  // namespace

std::vector<float> carried_weight(const OverlayInput& in)
{
    std::vector<float> out(in.curves.points.size(), 0.0f);
    const double g = length(in.gravity);
    if (!(g > 0)) return out;
    for (size_t s = 0; s + 1 < in.curves.first_point.size(); ++s) {
        const size_t begin = in.curves.first_point[s], end = in.curves.first_point[s + 1];
        Vec3d force{0, 0, 0};  // per particle mass
        for (size_t i = end; i-- > begin;) {
            const Vec3d a = in.accelerations.empty() ? Vec3d{0, 0, 0} : to_double(in.accelerations[i]);
            force += a - in.gravity;
            out[i] = static_cast<float>(length(force) / (g * static_cast<double>(end - begin)));
        }
    }
    return out;
}

std::vector<Vec3f> overlay_colours(Overlay overlay, const OverlayInput& in)
{
    switch (overlay) {
        case Overlay::kId: return per_point(in.curves, [](size_t s, size_t) { return colour_of_id(s); });
        case Overlay::kSpeed:
            return per_point(in.curves, [&](size_t, size_t i) {
                return heat_colour(in.curves.velocities.empty() ? 0.0f : length(in.curves.velocities[i]) / kRedSpeed);
            });
        case Overlay::kStretch:
            return per_point(in.curves,
                             [&](size_t s, size_t i) { return heat_colour(stretch_at(in, s, i) / kRedStretch); });
        case Overlay::kTension: {
            const std::vector<float> weights = carried_weight(in);
            return per_point(in.curves, [&](size_t, size_t i) { return heat_colour(weights[i] / kRedTension); });
        }
        case Overlay::kContact:
            return per_point(in.curves, [&](size_t, size_t i) {
                const bool touches = !in.touching.empty() && in.touching[i] != 0;
                return touches ? heat_colour(1) : Vec3f{0.3f, 0.3f, 0.32f};
            });
        case Overlay::kNone: break;
    }
    return {};
}

}  // namespace tendril
