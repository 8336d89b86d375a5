/// Helpers for float vectors and colours that the renderers share.
#pragma once

#include "tendril/vec3.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril {

inline constexpr float kPi = std::numbers::pi_v<float>;

/// The component-wise product: a colour seen under a light.
inline Vec3f tinted(const Vec3f& a, const Vec3f& b)
{
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}

inline Vec3f mixed(const Vec3f& a, const Vec3f& b, float share)
{
    return a * (1.0f - share) + b * share;
}

inline Vec3f unit_or(const Vec3f& v, const Vec3f& fallback)
{
    const float l = length(v);
    return l > 1e-20f ? v * (1.0f / l) : fallback;
}

/// Whether Embree, and other code that works with squares of floats, can compute with these coordinates.
inline bool is_usable(const Vec3f& p)
{
    constexpr float kFarthest = 1e9f;  // squares of larger numbers lose their meaning [m]
    return std::abs(p.x) < kFarthest && std::abs(p.y) < kFarthest && std::abs(p.z) < kFarthest;  // false for NaN
}

inline float mixed(float a, float b, float share)
{
    return a * (1.0f - share) + b * share;
}

/// 0 below `low`, 1 above `high`, with a smooth transition in between.
inline float smooth_step(float low, float high, float x)
{
    const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

}  // namespace tendril
