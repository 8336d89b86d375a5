// Camera, ground and strand width for a scene.
#include "tendril/staging.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

bool stands_on_ground(const SceneBody& body)
{
    return body.rigid == SceneRigid::kNone && body.mesh != "none" && body.mesh != "bust" && body.mesh != "sphere";
}

}  // namespace

void add_expected_positions(const CurvesView& curves, std::vector<Vec3d>& positions)
{
    const auto& starts = curves.first_point;
    for (size_t s = 0; s + 1 < starts.size(); ++s) {
        if (starts[s] == starts[s + 1]) continue;
        double strand_length = 0;
        for (size_t i = starts[s] + 1; i < starts[s + 1]; ++i)
            strand_length += length(to_double(curves.points[i]) - to_double(curves.points[i - 1]));
        const auto position = [&](size_t i) { return to_double(curves.points[i]) + curves.origin; };
        for (const Vec3d& p : {position(starts[s]), position((starts[s] + starts[s + 1]) / 2),
                               position(starts[s + 1] - 1), position(starts[s]) - Vec3d{0, strand_length, 0}})
            if (is_finite(p)) positions.push_back(p);
    }
}

void add_expected_positions(World& world, double duration, std::vector<Vec3d>& positions)
{
    constexpr int kSamples = 16;
    for (int t = 0; t <= kSamples; ++t)
        for (uint32_t b = 0; b < world.body_count(); ++b) {
            const MeshView mesh = world.mesh({b}, duration * t / kSamples);
            for (const Vec3f& v : mesh.vertices) positions.push_back(to_double(v) + mesh.origin);
        }
}

Camera scene_camera(const SceneRender& r, std::span<const Vec3d> positions)
{
    const double aspect = static_cast<double>(r.width) / static_cast<double>(r.height);
    if (r.camera == CameraType::kOrbit) return orbit(r.target, r.distance, r.azimuth, r.elevation, r.field);
    Camera camera;
    if (r.camera == CameraType::kFramed) {
        camera = framed(positions, r.azimuth, r.elevation, aspect, r.field);
        camera.eye = camera.target + (camera.eye - camera.target) * (1 / r.zoom);
        return camera;
    }
    camera.eye = r.eye;
    camera.target = r.target;
    camera.field = r.field;
    return camera;
}

Ground scene_ground(const Scene& scene, std::span<const Vec3d> positions)
{
    Ground ground;
    ground.visible = scene.render.ground == GroundType::kOn;
    ground.height = scene.render.ground_height;
    if (scene.render.ground != GroundType::kAuto ||
        std::none_of(scene.bodies.begin(), scene.bodies.end(), stands_on_ground))
        return ground;
    Box box;
    for (const Vec3d& p : positions) box.include(p);
    ground.visible = true;
    ground.height = box.low.y;
    return ground;
}

Result<HairLook> hair_look_of(const SceneLook& look)
{
    if (look.hair == "groom") return HairLook{};
    auto named = hair_look(look.hair);
    if (!named) return Error{fmt::format("look of the hair: {}, or groom", named.error())};
    return named;
}

float drawn_width_scale(const SceneRender& render, const SceneLook& look, const Camera& camera, size_t all_strands,
                        std::span<const float> widths)
{
    if (look.width_scale > 0) return static_cast<float>(look.width_scale);
    constexpr double kHeadStrands = 100'000, kMaxScale = 4, kMinRopeWidth = 5e-4 /* [m] */, kMinPixels = 0.35;
    const double distance = length(camera.eye - camera.target);
    const double pixel = 2 * distance * std::tan(camera.field / 2) / static_cast<double>(render.height);
    double width = static_cast<double>(StageStrands{}.width);
    if (!widths.empty()) {
        double sum = 0;
        for (float w : widths) sum += std::isfinite(w) ? static_cast<double>(std::max(w, 0.0f)) : 0.0;
        width = sum / static_cast<double>(widths.size());
    }
    const double count = std::max(1.0, static_cast<double>(all_strands));
    double scale = width > kMinRopeWidth ? 1.0 : std::clamp(std::sqrt(kHeadStrands / count), 1.0, kMaxScale);
    if (width > 0) scale = std::max(scale, kMinPixels * pixel / width);
    return static_cast<float>(scale);
}

}  // namespace tendril
