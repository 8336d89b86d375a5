// Validates the stage, then renders it with the draft renderer or the path tracer.
#include "render/draft.h"
#include "render/path_tracer.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <optional>

namespace tendril {
namespace {

std::optional<Error> check(const CurvesView& curves, const StageStrands& strands, size_t index)
{
    const auto error = [&](const char* what) { return Error{fmt::format("strands {}: {}", index, what)}; };
    const size_t points = curves.points.size();
    if (curves.first_point.empty()) return points == 0 ? std::nullopt : std::optional(error("first_point is empty"));
    if (curves.first_point.front() != 0 || curves.first_point.back() != points ||
        !std::is_sorted(curves.first_point.begin(), curves.first_point.end()))
        return error("first_point must run from 0 to the number of points without decreasing");
    const auto fits = [&](size_t size) { return size == 0 || size == points; };
    if (!fits(strands.widths.size()) || !fits(strands.colours.size()) || !fits(curves.velocities.size()))
        return error("widths, colours and velocities need one entry per point or none");
    if (!(strands.width > 0) || !(strands.width_scale > 0)) return error("width and width_scale must be above 0");
    return {};
}

std::optional<Error> check(const StageMesh& mesh, size_t index)
{
    for (const auto& t : mesh.triangles)
        for (uint32_t v : t)
            if (v >= mesh.vertices.size())
                return Error{fmt::format("mesh {}: a triangle refers to vertex {}, but there are only {} vertices",
                                         index, v, mesh.vertices.size())};
    if (!mesh.velocities.empty() && mesh.velocities.size() != mesh.vertices.size())
        return Error{fmt::format("mesh {}: velocities need one entry per vertex or none", index)};
    if (!mesh.colours.empty() && mesh.colours.size() != mesh.triangles.size())
        return Error{fmt::format("mesh {}: colours need one entry per triangle or none", index)};
    return {};
}

std::optional<Error> check(const Camera& c)
{
    if (!is_finite(c.eye) || !is_finite(c.target) || !is_finite(c.up))
        return Error{"camera: eye, target and up must be finite"};
    if (length(c.eye - c.target) < 1e-9) return Error{"camera: the eye is at the target"};
    if (!(c.field > 0 && c.field < 3.14)) return Error{"camera: the field of view must be in (0, pi)"};
    if (!(c.aperture >= 0) || !(c.shutter >= 0) || !(c.focus >= 0))
        return Error{"camera: aperture, focus and shutter must not be negative"};
    return {};
}

std::optional<Error> check(const RenderSettings& s)
{
    constexpr uint32_t kLargest = 16384;
    if (s.width < 1 || s.height < 1 || s.width > kLargest || s.height > kLargest)
        return Error{fmt::format("a picture of {} x {} pixels cannot be rendered; both must be in [1, {}]", s.width,
                                 s.height, kLargest)};
    return {};
}

RenderSettings filled_in(RenderSettings s)
{
    const bool final = s.quality == Quality::kFinal;
    if (s.samples == 0) s.samples = final ? 256 : 32;
    if (s.bounces == 0) s.bounces = final ? 100 : 30;
    return s;
}

}  // namespace

Result<Image> render(const Stage& stage, const Camera& camera, const RenderSettings& settings, Executor& executor,
                     const RenderProgress& progress)
{
    if (const auto error = check(settings)) return *error;
    if (const auto error = check(camera)) return *error;
    for (size_t i = 0; i < stage.strands.size(); ++i)
        if (const auto error = check(stage.strands[i].curves, stage.strands[i], i)) return *error;
    for (size_t i = 0; i < stage.meshes.size(); ++i)
        if (const auto error = check(stage.meshes[i], i)) return *error;
    const auto draw = settings.quality == Quality::kDraft ? draw_draft : trace_paths;
    try {
        return draw(stage, camera, filled_in(settings), executor, progress);
    } catch (const std::exception& problem) {  // usually out of memory
        return Error{fmt::format("the picture cannot be rendered: {}", problem.what())};
    }
}

}  // namespace tendril
