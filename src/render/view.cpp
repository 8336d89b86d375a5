#include "render/view.h"

#include "math/vectors.h"

namespace tendril {

View make_view(const Camera& camera, uint32_t width, uint32_t height)
{
    const Vec3d forward = unit_or(camera.target - camera.eye, {0, 0, -1});
    const Vec3d right = unit_or(cross(forward, camera.up), any_perpendicular(forward));
    const double field = std::clamp(camera.field, 1e-4, 3.1);
    View view;
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

}  // namespace tendril
