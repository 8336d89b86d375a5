#include "solvers/air.h"

#include "math/elementary.h"
#include "math/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
// Wind and gravity are clamped, so that no input can make a step overflow.
constexpr double kFastestWind = 1000;      // [m/s]
constexpr double kStrongestGravity = 1e6;  // [m/s^2]

double clamped(double x, double limit)
{
    return std::clamp(x, -limit, limit);
}

Vec3d clamped(const Vec3d& v, double limit)
{
    return {clamped(v.x, limit), clamped(v.y, limit), clamped(v.z, limit)};
}

// Three incommensurate periods: smooth, bounded by 1, never quite repeating.
double gust_at(const WindSettings& wind, double time)
{
    const double f = time / std::max(wind.gust_period, 1e-3f);
    return (sin_cos(kTwoPi * f).sin + sin_cos(kTwoPi * (0.618034 * f + 0.17)).sin +
            sin_cos(kTwoPi * (1.732051 * f + 0.43)).sin) /
           3;
}

/// Rises from 0 to 1 and falls back to 0 if the wind blows for a limited time; otherwise 1.
double presence(const WindSettings& wind, double time)
{
    if (!(wind.duration > 0)) return 1;
    constexpr double kFade = 0.3;  // [s]
    const double fade = std::min(kFade, wind.duration / 2);
    const double edge = std::min(time - wind.start, wind.start + wind.duration - time) / fade;
    const double s = std::clamp(edge, 0.0, 1.0);
    return s * s * (3 - 2 * s);
}

/// The shares of a motion that a drag c removes over h seconds, and of the displacement by a constant force that it
/// leaves: 1 - exp(-c h), and that over c h.
struct Drag {
    float removed, left;
};

Drag drag_over(float c, double h)
{
    const double ch = std::max(0.0f, c) * h, removed = 1 - exp_minus(ch);
    return {static_cast<float>(removed), static_cast<float>(removed > 0 ? removed / ch : 1)};
}

struct Eddy {
    Vec3d wave, amplitude;  // turns per metre; m/s for a root mean square of 1 over all eddies
    double frequency, phase;
};

// Wave numbers start at one over the largest size and double every two eddies, while amplitudes fall. The golden angle
// spreads directions evenly; the seed turns them.
Eddy eddy(const WindSettings& wind, size_t k)
{
    const double y = 1 - 2 * (static_cast<double>(k) + uniform(wind.seed, 3 * k)) / kWindWaves;
    const double ring = std::sqrt(std::max(0.0, 1 - y * y));
    const SinCos turn = sin_cos(kTwoPi * (0.38196601 * static_cast<double>(k) + uniform(wind.seed, 3 * k + 1)));
    const Vec3d direction{ring * turn.cos, y, ring * turn.sin};

    const double octave = static_cast<double>(k) / 2;
    double size = std::max(wind.turbulence_size, 1e-3f), strength = 1, total = 0;
    for (size_t j = 0; j < kWindWaves; ++j) {
        const double s = exp_minus(0.231 * static_cast<double>(j));  // 2^(-1/3) per eddy
        total += s * s;
        if (j == k) strength = s;
    }
    size *= exp_minus(0.6931471805599453 * octave);

    // Any direction perpendicular to the wave is as good; the helper must not be nearly parallel to the wave.
    const Vec3d helper = std::abs(direction.y) < 0.7 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
    const Vec3d across = cross(direction, helper);
    const double rms = 1 / std::sqrt(total);
    const double scale = strength * rms * std::sqrt(2.0) / length(across);  // sqrt(2): cos^2 has a mean of 1/2
    Eddy e;
    e.wave = direction * (1 / size);
    e.amplitude = across * scale;
    e.frequency = 0.5 * std::max<double>(wind.turbulence, length(to_double(wind.velocity))) / size;
    e.phase = uniform(wind.seed, 3 * k + 2);
    return e;
}

double turns(double x)
{
    return x - std::floor(x);
}

}  // namespace

AirSubstep prepare_air(const AirSettings& air, const WindSettings& wind, const Vec3d& gravity, const Vec3d& origin,
                       double time, double h)
{
    AirSubstep step;
    step.fall = to_float(clamped(gravity, kStrongestGravity) * (h * h));
    const Drag normal = drag_over(air.drag_normal, h), tangential = drag_over(air.drag_tangential, h);
    step.normal = normal.removed;
    step.tangential = tangential.removed;
    if (!step.resists()) return step;
    step.normal_left = normal.left;
    step.tangential_left = tangential.left;
    const double present = presence(wind, time);
    const double gust = (1 + wind.gust * gust_at(wind, time)) * present;
    step.wind = to_float(clamped(to_double(wind.velocity) * gust, kFastestWind) * h);
    step.turbulent = wind.turbulence > 0 && present > 0;
    if (!step.turbulent) return step;
    const double speed = std::min<double>(wind.turbulence, kFastestWind) * present;
    for (size_t k = 0; k < kWindWaves; ++k) {
        const Eddy e = eddy(wind, k);
        step.eddies[k].wave = to_float(e.wave);
        step.eddies[k].phase = static_cast<float>(turns(dot(e.wave, origin) - e.frequency * time + e.phase));
        step.eddies[k].amplitude = to_float(e.amplitude * (speed * h));
    }
    return step;
}

Vec3d wind_at(const WindSettings& wind, const Vec3d& position, double time)
{
    const double present = presence(wind, time);
    Vec3d v = clamped(to_double(wind.velocity) * ((1 + wind.gust * gust_at(wind, time)) * present), kFastestWind);
    if (wind.turbulence <= 0) return v;
    for (size_t k = 0; k < kWindWaves; ++k) {
        const Eddy e = eddy(wind, k);
        const double phase = turns(dot(e.wave, position) - e.frequency * time + e.phase);
        v += e.amplitude * (std::min<double>(wind.turbulence, kFastestWind) * present * sin_cos(kTwoPi * phase).cos);
    }
    return v;
}

}  // namespace tendril
