/// What the light of a stage is like in a direction or from a lamp: shared by drafts and by the path tracer.
#pragma once

#include "render/light_math.h"
#include "tendril/render.h"

#include <array>
#include <vector>

namespace tendril {

/// From far away, in a direction of length 1.
Vec3f sky_radiance(const Lighting& lighting, const Vec3f& direction);
/// What a floor sends back, or without one what shines from below.
Vec3f light_from_below(const Stage& stage);
/// Behind all, at a height of the picture: 0 at the bottom, 1 at the top.
Vec3f backdrop_radiance(const Lighting& lighting, float height);
/// Of the light from far away, where bodies leave a share of the sky open: they throw back some of it themselves.
inline float past_body(float share)
{
    return 0.3f + 0.7f * share;
}
/// How much of the ground has gone over into the backdrop, so far from the middle of what stands on it.
float ground_fade(const Vec3f& from_middle, float extent);

/// Light from a point of a lamp, without what stands between.
struct LampSample {
    Vec3f direction;  ///< towards the lamp, of length 1
    float distance;
    Vec3f irradiance;  ///< on a surface that faces it, as if all of the lamp were where the point is
};

struct Lamp {
    Vec3f centre, half_width, half_height;  ///< from the origin that it was made for
    Vec3f normal;                           ///< where it shines to
    Vec3f radiance;
    float area;

    /// Where a point of its surface is, u and v in [-1, 1].
    Vec3f point(float u, float v) const { return centre + half_width * u + half_height * v; }
    /// Through a point that two numbers in [0, 1) choose.
    LampSample sample(const Vec3f& place, const std::array<float, 2>& u) const;
};

/// Lamps without area or with broken numbers are left out.
std::vector<Lamp> make_lamps(const Lighting& lighting, const Vec3d& origin);

}  // namespace tendril
