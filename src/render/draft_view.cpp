#include "render/draft_view.h"

#include "math/vectors.h"

namespace tendril {

DraftView make_view(const Camera& camera, uint32_t width, uint32_t height)
{
    const Vec3d forward = unit_or(camera.target - camera.eye, {0, 0, -1});
    const Vec3d right = unit_or(cross(forward, camera.up), any_across(forward));
    const double field = std::clamp(camera.field, 1e-4, 3.1);
    DraftView view;
    view.eye = camera.eye;
    view.forward = to_float(forward);
    view.right = to_float(right);
    view.up = to_float(cross(right, forward));
    view.focal = static_cast<float>(0.5 * height / std::tan(0.5 * field));
    view.centre_x = 0.5f * static_cast<float>(width);
    view.centre_y = 0.5f * static_cast<float>(height);
    view.width = width;
    view.height = height;
    return view;
}

std::vector<DraftLamp> make_lamps(const Lighting& lighting, const Vec3d& eye)
{
    std::vector<DraftLamp> lamps;
    for (const AreaLight& light : lighting.lights) {
        const Vec3d across = cross(light.half_width, light.half_height);
        const double quarter = length(across);
        if (!(quarter > 0) || !is_finite(across) || !is_finite(light.centre) || !is_finite(light.radiance)) continue;
        DraftLamp lamp;
        lamp.centre = to_float(light.centre - eye);
        lamp.half_width = to_float(light.half_width);
        lamp.half_height = to_float(light.half_height);
        lamp.normal = to_float(across * (1 / quarter));
        lamp.radiance = light.radiance;
        lamp.area = static_cast<float>(4 * quarter);
        lamps.push_back(lamp);
    }
    return lamps;
}

}  // namespace tendril
