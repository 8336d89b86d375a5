// Camera placement and studio lighting.
#include "tendril/render.h"

#include "math/vectors.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

Vec3d direction_of(double azimuth, double elevation)
{
    return {std::sin(azimuth) * std::cos(elevation), std::sin(elevation), std::cos(azimuth) * std::cos(elevation)};
}

void include(Box& box, std::span<const Vec3f> points, const Vec3d& origin)
{
    for (const Vec3f& p : points) {
        if (!is_finite(p)) continue;
        box.include(to_double(p) + origin);
    }
}

Vec3d centre_of(const Box& box)
{
    return (box.low + box.high) * 0.5;
}

/// A lamp in the given direction from the subject, facing it.
AreaLight lamp(const Vec3d& subject, const Vec3d& direction, double distance, double size, const Vec3f& radiance)
{
    const Vec3d to_subject = direction * -1.0;
    const Vec3d right = unit_or(cross(Vec3d{0, 1, 0}, to_subject), {1, 0, 0});
    AreaLight light;
    light.centre = subject + direction * distance;
    light.half_width = right * (0.5 * size);
    light.half_height = cross(to_subject, right) * (0.5 * size);
    light.radiance = radiance;
    return light;
}

}  // namespace

void Box::include(const Vec3d& p)
{
    low = component_min(low, p);
    high = component_max(high, p);
}

Box bounds(const Stage& stage)
{
    Box box;
    for (const StageStrands& strands : stage.strands) include(box, strands.curves.points, strands.curves.origin);
    for (const StageMesh& mesh : stage.meshes) include(box, mesh.vertices, mesh.origin);
    return box;
}

Camera orbit(const Vec3d& target, double distance, double azimuth, double elevation, double field)
{
    Camera camera;
    camera.target = target;
    camera.eye = target + direction_of(azimuth, elevation) * distance;
    camera.field = field;
    return camera;
}

Camera framed(std::span<const Vec3d> points, double azimuth, double elevation, double aspect, double field)
{
    if (points.empty()) return orbit({0, 0, 0}, 1, azimuth, elevation, field);
    constexpr double kMargin = 1.12;  // margin between the points and the edges of the picture
    constexpr int kIterations = 12;
    const Vec3d back = direction_of(azimuth, elevation);
    const Vec3d right = unit_or(cross(Vec3d{0, 1, 0}, back), {1, 0, 0}), up = cross(back, right);
    const double tan_y = std::tan(field / 2) / kMargin, tan_x = tan_y * aspect;
    Vec3d target{0, 0, 0};
    for (const Vec3d& p : points) target += p * (1 / static_cast<double>(points.size()));
    double distance = 0;
    // The target and the distance depend on each other, so iterate.
    for (int iteration = 0; iteration < kIterations; ++iteration) {
        distance = 1e-3;
        for (const Vec3d& p : points) {
            const Vec3d q = p - target;
            const double across = std::max(std::abs(dot(q, right)) / tan_x, std::abs(dot(q, up)) / tan_y);
            distance = std::max(distance, dot(q, back) + across);
        }
        double low_x = 0, high_x = 0, low_y = 0, high_y = 0;
        for (const Vec3d& p : points) {
            const Vec3d q = p - target;
            const double depth = std::max(1e-6, distance - dot(q, back));
            low_x = std::min(low_x, dot(q, right) / depth), high_x = std::max(high_x, dot(q, right) / depth);
            low_y = std::min(low_y, dot(q, up) / depth), high_y = std::max(high_y, dot(q, up) / depth);
        }
        target += (right * (low_x + high_x) + up * (low_y + high_y)) * (0.5 * distance);
    }
    return orbit(target, distance, azimuth, elevation, field);
}

Lighting studio_light(const Box& box, double azimuth)
{
    const Vec3d subject = box.empty() ? Vec3d{0, 0, 0} : centre_of(box);
    const double size = box.empty() ? 1.0 : std::max(0.05, 0.5 * length(box.high - box.low));
    Lighting lighting;
    // A large key light from the upper left, a weak wide fill from the right, and a rim light from behind that
    // separates the hair from the backdrop.
    lighting.lights = {
        lamp(subject, direction_of(azimuth - 0.75, 0.65), 3.5 * size, 1.7 * size, {13.0f, 12.4f, 11.5f}),
        lamp(subject, direction_of(azimuth + 1.0, 0.2), 4.0 * size, 3.0 * size, {0.8f, 0.87f, 1.0f}),
        lamp(subject, direction_of(azimuth + 2.5, 0.55), 3.5 * size, 1.6 * size, {6.5f, 6.8f, 7.2f}),
    };
    lighting.sky = {0.24f, 0.26f, 0.29f};
    lighting.horizon = {0.17f, 0.17f, 0.18f};
    lighting.backdrop_top = {0.11f, 0.117f, 0.13f};
    lighting.backdrop_bottom = {0.33f, 0.33f, 0.335f};
    return lighting;
}

}  // namespace tendril
