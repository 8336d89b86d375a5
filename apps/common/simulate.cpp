#include "simulate.h"

#include "interrupt.h"
#include "stopwatch.h"

#include <fmt/format.h>

#include <cmath>

namespace tendril::app {

std::optional<Error> settle(World& world, const Scene& scene, Visible visible)
{
    const auto steps = static_cast<uint64_t>(scene.settle / world.settings().dt);
    Progress progress("step", 0, steps, visible);
    const bool settled = world.settle(scene.settle, scene.settle_wind, [&](double share) {
        progress.update(static_cast<uint64_t>(std::llround(share * static_cast<double>(steps))), "settling");
        return !interrupted();
    });
    return settled ? std::nullopt : std::optional(Error{"interrupted while the strands settled"});
}

std::optional<Error> simulate(World& world, const SimulatePlan& plan, SimReport& report, const AfterFrame& after_frame)
{
    const Stopwatch watch;
    const uint64_t every = plan.metrics_every;
    Progress progress("frame", world.steps(), plan.frames, plan.visible);
    report.measure(world);
    while (world.steps() < plan.frames && !interrupted()) {
        report.add_step(world.step());
        const uint64_t frame = world.steps();
        if (frame == plan.frames || interrupted() || (every > 0 && frame % every == 0)) report.measure(world);
        if (auto wrong = after_frame(world)) return wrong;
        progress.update(frame, fmt::format("{}{}{:.2f} ns/particle", plan.label, plan.label.empty() ? "" : ", ",
                                           report.nanoseconds_per_particle_step()));
    }
    report.finish(world, watch.seconds());
    return {};
}

}  // namespace tendril::app
