/// The numeric keys of a scene that make a method more expensive and better.
#pragma once

#include "tendril/scene.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tendril::app {

/// The amount of work that a method does in a step.
struct EffortKnob {
    const char* key;
    const char* one;   ///< singular of its name
    const char* many;  ///< plural
    int max;
    int (*value)(const Scene& scene);
    /// Whether the work is done within the substeps of the scene. Low efforts then have fewer substeps, with one unit
    /// of work in each.
    bool within_substeps = true;
};

/// The stiffness of a method that blows up if it is too stiff for its effort.
struct StiffnessKnob {
    const char* key;
    const char* unit;
    double min, max;
    double (*value)(const Scene& scene);
};

struct Knobs {
    EffortKnob effort;
    std::optional<StiffnessKnob> stiffness;
};

/// The knobs of a method, named as in solver.type.
Knobs knobs_of(const std::string& method);

/// The keys for an effort, counted from 1: more substeps up to the number in the scene, then more work in each.
std::vector<std::pair<const char*, int>> effort_keys(const EffortKnob& knob, int effort, int scene_substeps);
int max_effort(const EffortKnob& knob, int scene_substeps);

/// Describes the work in a step, such as "2 substeps of 20 iterations".
std::string settings_text(const std::string& method, const Scene& scene);

}  // namespace tendril::app
