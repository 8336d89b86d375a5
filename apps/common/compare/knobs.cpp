#include "compare/knobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace tendril::app {
namespace {

constexpr EffortKnob kSubsteps{
    "sim.substeps", "substep", "substeps", 1000, [](const Scene& scene) { return scene.world.substeps; }, false};
constexpr EffortKnob kIterations{"solver.iterations", "iteration", "iterations", 1000,
                                 [](const Scene& scene) { return scene.world.solver.pbd.iterations; }};
constexpr EffortKnob kSpringSubsteps{"solver.spring_substeps", "spring substep", "spring substeps", 100,
                                     [](const Scene& scene) { return scene.world.solver.spring.substeps; }};
constexpr StiffnessKnob kSprings{"solver.spring_stiffness", "N/m", 1e-3, 1e6, [](const Scene& scene) {
                                     return static_cast<double>(scene.world.solver.spring.stiffness);
                                 }};

struct Entry {
    std::string_view method;
    Knobs knobs;
};

/// All other methods have only substeps.
const Entry kEntries[] = {
    {"pbd", {kIterations, {}}},
    {"xpbd", {kIterations, {}}},
    {"tressfx", {kIterations, {}}},
    {"mass_spring", {kSpringSubsteps, kSprings}},
};

std::string count_text(const EffortKnob& knob, int count)
{
    return fmt::format("{} {}", count, count == 1 ? knob.one : knob.many);
}

}  // namespace

Knobs knobs_of(const std::string& method)
{
    for (const Entry& entry : kEntries)
        if (entry.method == method) return entry.knobs;
    return {kSubsteps, {}};
}

std::vector<std::pair<const char*, int>> effort_keys(const EffortKnob& knob, int effort, int scene_substeps)
{
    if (!knob.within_substeps || scene_substeps == 1) return {{knob.key, effort}};
    const int substeps = std::min(effort, scene_substeps);
    return {{kSubsteps.key, substeps}, {knob.key, effort - substeps + 1}};
}

int max_effort(const EffortKnob& knob, int scene_substeps)
{
    return knob.within_substeps ? knob.max + scene_substeps - 1 : knob.max;
}

std::string settings_text(const std::string& method, const Scene& scene)
{
    const Knobs knobs = knobs_of(method);
    std::string text = count_text(knobs.effort, knobs.effort.value(scene));
    if (knobs.effort.within_substeps && scene.world.substeps > 1)
        text = count_text(kSubsteps, scene.world.substeps) + " of " + text;
    if (knobs.stiffness) text += fmt::format(", {:.4g} {}", knobs.stiffness->value(scene), knobs.stiffness->unit);
    return text;
}

}  // namespace tendril::app
