#include "compare/variant.h"

#include "compare/knobs.h"
#include "interrupt.h"
#include "scene_options.h"
#include "simulate.h"
#include "stopwatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace tendril::app {
namespace {

// Runs are repeated for this long [s], at least one.
constexpr double kTimed = 0.3;

}  // namespace

Variant Variant::with(const char* key, double value) const
{
    Variant out = *this;
    out.settings.emplace_back(key, fmt::format("{}", value));
    return out;
}

Result<Scene> scene_of(const Subject& subject, const Variant& variant)
{
    Overrides overrides = subject.overrides;
    overrides.emplace_back("solver.type", variant.method);
    overrides.insert(overrides.end(), variant.settings.begin(), variant.settings.end());
    return read_scene(subject.file, overrides);
}

Result<World> world_of(const Scene& scene, const Subject& subject)
{
    Result<World> world = build_unsettled(scene, make_thread_executor(subject.threads));
    if (!world) return world;
    if (auto wrong = settle(*world, scene, subject.visible)) return *wrong;
    return world;
}

Result<SimReport> run_variant(const Subject& subject, const Variant& variant, const Trajectory* reference,
                              Trajectory* kept)
{
    const Stopwatch watch;
    const Result<Scene> scene = scene_of(subject, variant);
    if (!scene) return Error{scene.error()};
    Result<World> world = world_of(*scene, subject);
    if (!world) return Error{world.error()};
    SimReport report(*scene, *world, subject.threads, watch.seconds());
    const std::string label = fmt::format("{}, {}", variant.method, settings_text(variant.method, *scene));
    const auto wrong =
        simulate(*world, {subject.frames, 1, subject.visible, label}, report, [&](World& now) -> std::optional<Error> {
            if (kept) kept->add(now);
            if (reference) report.add_deviation(reference->deviation_of(now));
            return {};
        });
    if (wrong) return *wrong;
    return report;
}

Result<double> cost_of(const Subject& subject, const Variant& variant)
{
    const Result<Scene> scene = scene_of(subject, variant);
    if (!scene) return Error{scene.error()};
    Result<World> world = world_of(*scene, subject);
    if (!world) return Error{world.error()};
    const std::vector<std::byte> start = world->save();
    std::vector<double> fastest(subject.frames, std::numeric_limits<double>::infinity());
    const Stopwatch watch;
    do {
        if (const auto loaded = world->load(start); !loaded) return Error{loaded.error()};
        for (double& frame : fastest) {
            const StepReport step = world->step();
            const auto& s = step.seconds;
            frame = std::min(frame, s.roots + s.body + s.interaction + s.solve);
            if (interrupted()) return 0.0;
        }
    } while (watch.seconds() < kTimed && !fastest.empty());
    const double seconds = std::accumulate(fastest.begin(), fastest.end(), 0.0);
    return 1e9 * seconds / static_cast<double>(std::max<size_t>(1, fastest.size() * world->particle_count()));
}

}  // namespace tendril::app
