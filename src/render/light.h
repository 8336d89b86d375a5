/// The light of a stage: environment radiance and lamps, shared by drafts and the path tracer.
#pragma once

#include "render/light_math.h"
#include "tendril/render.h"

#include <array>
#include <vector>

namespace tendril {

/// The environment radiance from a unit direction.
Vec3f sky_radiance(const Lighting& lighting, const Vec3f& direction);
/// The radiance from below: reflected by the ground if it is visible, otherwise from the environment.
Vec3f light_from_below(const Stage& stage);
/// The background radiance at a height in the picture: 0 at the bottom, 1 at the top.
Vec3f backdrop_radiance(const Lighting& lighting, float height);
/// The share of environment light that arrives where bodies leave `share` of it unoccluded. It is never 0, because the
/// bodies reflect some light themselves.
inline float ambient_past_bodies(float share)
{
    return 0.3f + 0.7f * share;
}
/// How far the ground has faded into the backdrop, [0, 1]. `extent` is the size of the scene that stands on it, and
/// `from_middle` is the offset from the centre of the scene.
float ground_fade(const Vec3f& from_centre, float extent);

/// The light from one point of a lamp, ignoring occlusion.
struct LampSample {
    Vec3f direction;  ///< towards the lamp, unit length
    float distance;
    Vec3f irradiance;  ///< on a surface facing the point, as if the whole lamp were at that point
};

struct Lamp {
    Vec3f centre, half_width, half_height;  ///< relative to the origin given to make_lamps
    Vec3f normal;                           ///< direction in which it emits
    Vec3f radiance;
    float area;

    /// A point on its surface; u and v in [-1, 1].
    Vec3f point(float u, float v) const { return centre + half_width * u + half_height * v; }
    /// Samples the lamp with two uniform numbers in [0, 1).
    LampSample sample(const Vec3f& position, const std::array<float, 2>& u) const;
};

/// Skips lamps that have no area or values that are not finite.
std::vector<Lamp> make_lamps(const Lighting& lighting, const Vec3d& origin);

}  // namespace tendril
