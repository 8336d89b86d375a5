#include "math/elementary.h"
#include "math/random.h"
#include "tendril/groom.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numbers>

namespace tendril {
namespace {

Result<GroomData> empty_groom(uint64_t strands, uint64_t particles)
{
    if (strands < 1) return Error{"groom.strands must be at least 1"};
    if (particles < 2) return Error{"groom.particles must be at least 2"};
    // Offsets are 32 bits wide, and a particle takes at least 24 bytes.
    if (strands * particles > std::numeric_limits<uint32_t>::max())
        return Error{
            fmt::format("groom: {} strands x {} particles exceed the 4294967295 particles that one groom can hold",
                        strands, particles)};
    GroomData data;
    data.points.reserve(strands * particles);
    data.first_point.reserve(strands + 1);
    for (uint64_t s = 0; s <= strands; ++s) data.first_point.push_back(static_cast<uint32_t>(s * particles));
    return data;
}

// Half the opening angle of an arc of `segments` equal chords whose ends are `span` times the sum of the chords apart:
// sin(a) / (n sin(a/n)) = span.
double arc_half_angle(double span, double segments)
{
    double low = 0, high = std::numbers::pi;
    for (int i = 0; i < 60; ++i) {
        const double a = (low + high) / 2;
        (sin_cos(a).sin / (segments * sin_cos(a / segments).sin) > span ? low : high) = a;
    }
    return (low + high) / 2;
}

}  // namespace

Result<GroomData> make_ropes(const RopeStyle& style)
{
    const double direction_length = length(to_double(style.direction));
    if (!(style.length > 0)) return Error{"groom.length must be above 0"};
    if (!(direction_length > 0)) return Error{"groom.direction must not be zero"};
    if (!(style.span > 0 && style.span <= 1)) return Error{"groom.span must be in (0, 1]"};
    if (style.span < 1 && style.particles < 3) return Error{"groom.span below 1 needs at least 3 particles"};
    auto data = empty_groom(style.strands, style.particles);
    if (!data) return data;

    const Vec3d along = to_double(style.direction) * (1 / direction_length);
    // The arc sags along the part of -y that is perpendicular to the rope; a rope along y bulges along x.
    const Vec3d sag_hint = std::abs(along.y) < 0.99 ? Vec3d{0, -1, 0} : Vec3d{1, 0, 0};
    const Vec3d perpendicular = sag_hint - along * dot(sag_hint, along);
    const Vec3d down = perpendicular * (1 / length(perpendicular));
    const double segments = style.particles - 1;
    const double half = style.span < 1 ? arc_half_angle(style.span, segments) : 0;
    for (uint32_t s = 0; s < style.strands; ++s) {
        const Vec3d root{0, 0, style.spacing * (s - (style.strands - 1) / 2.0)};
        for (uint32_t i = 0; i < style.particles; ++i) {
            const double t = static_cast<double>(i) / (style.particles - 1);
            Vec3d p = root + along * (t * style.length);
            if (half > 0) {
                const double r = style.length / (2 * segments * sin_cos(half / segments).sin);
                const SinCos at = sin_cos((2 * t - 1) * half), end = sin_cos(half);
                p = root + along * (r * (at.sin + end.sin)) + down * (r * (at.cos - end.cos));
            }
            data->points.push_back(to_float(p));
        }
    }
    data->ends.assign(style.strands, style.ends);
    data->widths.resize(data->points.size());
    const float tip = style.tip_width > 0 ? style.tip_width : style.width;
    for (size_t i = 0; i < data->widths.size(); ++i) {
        const auto share = static_cast<float>(i % style.particles) / static_cast<float>(style.particles - 1);
        data->widths[i] = style.width + (tip - style.width) * share;
    }
    return data;
}

Result<GroomData> make_sphere_hair(const SphereStyle& style)
{
    if (!(style.length > 0)) return Error{"groom.length must be above 0"};
    if (!(style.radius > 0)) return Error{"body.radius must be above 0"};
    if (!(style.coverage > 0 && style.coverage <= 1)) return Error{"groom.coverage must be in (0, 1]"};
    if (!(style.length_spread >= 0 && style.length_spread < 1)) return Error{"groom.length_spread must be in [0, 1)"};
    auto data = empty_groom(style.strands, style.particles);
    if (!data) return data;

    // Fibonacci lattice: equal areas along y, the golden angle around it.
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    for (uint32_t s = 0; s < style.strands; ++s) {
        const double y = 1 - 2 * style.coverage * (s + 0.5) / style.strands;
        const double ring = std::sqrt(std::max(0.0, 1 - y * y));
        const SinCos turn = sin_cos(golden * s);
        const Vec3d normal{ring * turn.cos, y, ring * turn.sin};
        const double strand_length = style.length * (1 + style.length_spread * (2 * uniform(style.seed, s) - 1));
        for (uint32_t i = 0; i < style.particles; ++i) {
            const double t = static_cast<double>(i) / (style.particles - 1);
            data->points.push_back(to_float(normal * (style.radius + t * strand_length)));
        }
    }
    return data;
}

}  // namespace tendril
