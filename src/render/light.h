/// What the light of a stage is like in a direction or from a lamp: shared by drafts and by the path tracer.
#pragma once

#include "tendril/render.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tendril {

/// From far away, in a direction of length 1.
inline Vec3f sky_radiance(const Lighting& lighting, const Vec3f& direction)
{
    const float up = direction.y;
    return up < 0 ? lighting.horizon * (1 + up) - lighting.floor * up : lighting.horizon * (1 - up) + lighting.sky * up;
}

/// Behind all, at a height of the picture: 0 at the bottom, 1 at the top.
inline Vec3f backdrop_radiance(const Lighting& lighting, float height)
{
    return lighting.backdrop_bottom * (1 - height) + lighting.backdrop_top * height;
}

/// How much of the ground has gone over into the backdrop, for a subject of a size around the target.
inline float ground_fade(float distance_from_target, float size)
{
    const float x = std::clamp((distance_from_target / size - 1.5f) / 4.5f, 0.0f, 1.0f);
    return x * x * (3 - 2 * x);
}

/// Light from a point of a lamp, without what stands between.
struct LampSample {
    Vec3f direction;  ///< towards the lamp, of length 1
    float distance;
    Vec3f radiance;  ///< times the solid angle per sample: what a surface multiplies with its reflectance
};

/// A lamp seen from a point of the world.
struct LocalLamp {
    Vec3f centre, half_width, half_height, normal, radiance;
    float area;

    LocalLamp(const AreaLight& light, const Vec3d& origin)
        : centre(to_float(light.centre - origin)),
          half_width(to_float(light.half_width)),
          half_height(to_float(light.half_height)),
          radiance(light.radiance)
    {
        const Vec3f n = cross(half_width, half_height);
        const float l = length(n);
        area = 4 * l;
        normal = l > 0 ? n * (1 / l) : Vec3f{0, 1, 0};
    }

    /// From a place, through a point of the lamp that two numbers in [0, 1) choose.
    LampSample sample(const Vec3f& place, const std::array<float, 2>& u) const
    {
        const Vec3f to = centre + half_width * (2 * u[0] - 1) + half_height * (2 * u[1] - 1) - place;
        const float distance2 = std::max(dot(to, to), 1e-12f), distance = std::sqrt(distance2);
        LampSample s;
        s.direction = to * (1 / distance);
        s.distance = distance;
        const float facing = std::max(0.0f, -dot(normal, s.direction));
        s.radiance = radiance * (facing * area / distance2);
        return s;
    }
};

}  // namespace tendril
