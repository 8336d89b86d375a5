#include "render/light.h"

namespace tendril {

Vec3f sky_radiance(const Lighting& lighting, const Vec3f& direction)
{
    const float up = direction.y;
    return up < 0 ? mixed(lighting.horizon, lighting.floor, -up) : mixed(lighting.horizon, lighting.sky, up);
}

Vec3f light_from_below(const Stage& stage)
{
    const Lighting& l = stage.lighting;
    return stage.ground.visible ? tinted(l.sky + l.horizon, stage.ground.colour) * 0.5f : l.floor;
}

Vec3f backdrop_radiance(const Lighting& lighting, float height)
{
    return mixed(lighting.backdrop_bottom, lighting.backdrop_top, std::clamp(height, 0.0f, 1.0f));
}

float ground_fade(const Vec3f& from_centre, float extent)
{
    return smooth_step(0.4f, 3.0f, std::sqrt(from_centre.x * from_centre.x + from_centre.z * from_centre.z) / extent);
}

std::vector<Lamp> make_lamps(const Lighting& lighting, const Vec3d& origin)
{
    std::vector<Lamp> lamps;
    for (const AreaLight& light : lighting.lights) {
        const Vec3d normal = cross(light.half_width, light.half_height);
        const double quarter_area = length(normal);
        if (!(quarter_area > 0) || !is_finite(normal) || !is_finite(light.centre) || !is_finite(light.radiance))
            continue;
        Lamp lamp;
        lamp.centre = to_float(light.centre - origin);
        lamp.half_width = to_float(light.half_width);
        lamp.half_height = to_float(light.half_height);
        lamp.normal = to_float(normal * (1 / quarter_area));
        lamp.radiance = light.radiance;
        lamp.area = static_cast<float>(4 * quarter_area);
        lamps.push_back(lamp);
    }
    return lamps;
}

LampSample Lamp::sample(const Vec3f& position, const std::array<float, 2>& u) const
{
    const Vec3f offset = point(2 * u[0] - 1, 2 * u[1] - 1) - position;
    const float distance2 = std::max(dot(offset, offset), 1e-12f);
    LampSample s;
    s.distance = std::sqrt(distance2);
    s.direction = offset * (1 / s.distance);
    s.irradiance = radiance * (std::max(0.0f, -dot(normal, s.direction)) * area / distance2);
    return s;
}

}  // namespace tendril
