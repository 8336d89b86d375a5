#include "knobs.h"

#include <fmt/format.h>

#include <string_view>

namespace tendril::app {
namespace {

constexpr EffortKnob kSubsteps{"sim.substeps", "substep", "substeps", 1000,
                               [](const Scene& scene) { return scene.world.substeps; }};
constexpr EffortKnob kIterations{"solver.iterations", "iteration", "iterations", 1000,
                                 [](const Scene& scene) { return scene.world.solver.pbd.iterations; }};
constexpr EffortKnob kSpringSubsteps{"solver.spring_substeps", "substep", "substeps", 100,
                                     [](const Scene& scene) { return scene.world.solver.spring.substeps; }};
constexpr StiffnessKnob kSprings{"solver.spring_stiffness", "N/m", 1e-3, 1e6, [](const Scene& scene) {
                                     return static_cast<double>(scene.world.solver.spring.stiffness);
                                 }};

struct Entry {
    std::string_view method;
    Knobs knobs;
};

/// Methods that are not here have substeps alone.
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

std::string settings_text(const std::string& method, const Scene& scene)
{
    const Knobs knobs = knobs_of(method);
    std::string text = count_text(knobs.effort, knobs.effort.value(scene));
    if (std::string_view(knobs.effort.key) != kSubsteps.key && scene.world.substeps > 1)
        text += ", " + count_text(kSubsteps, scene.world.substeps);
    if (knobs.stiffness) text += fmt::format(", {:.4g} {}", knobs.stiffness->value(scene), knobs.stiffness->unit);
    return text;
}

}  // namespace tendril::app
