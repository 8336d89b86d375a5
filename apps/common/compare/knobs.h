/// What makes a method dearer and better: a key of the scene that is a number.
#pragma once

#include "tendril/scene.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tendril::app {

/// How much work a method does in a step.
struct EffortKnob {
    const char* key;
    const char* one;   ///< what one of them is called
    const char* many;  ///< and several
    int most;
    int (*value)(const Scene& scene);
    /// Whether substeps of the scene are another knob: below theirs, a step has fewer of them and one of these in each.
    bool within_substeps = true;
};

/// How stiff a method is that breaks where it is too stiff for its effort.
struct StiffnessKnob {
    const char* key;
    const char* unit;
    double least, most;
    double (*value)(const Scene& scene);
};

struct Knobs {
    EffortKnob effort;
    std::optional<StiffnessKnob> stiffness;
};

/// Of the method that solver.type calls so.
Knobs knobs_of(const std::string& method);

/// The keys that make a step as much work as that, from 1 on: substeps up to the scene's, then more in each of them.
std::vector<std::pair<const char*, int>> effort_keys(const EffortKnob& knob, int effort, int scene_substeps);
/// The most work that there is to be asked for.
int most_effort(const EffortKnob& knob, int scene_substeps);

/// What the scene does in a step, such as "2 substeps of 20 iterations".
std::string settings_text(const std::string& method, const Scene& scene);

}  // namespace tendril::app
