/// What makes a method dearer and better: a key of the scene that is a number.
#pragma once

#include "tendril/scene.h"

#include <optional>
#include <string>

namespace tendril::app {

/// How much work a method does in a step.
struct EffortKnob {
    const char* key;
    const char* one;   ///< what one of them is called
    const char* many;  ///< and several
    int most;
    int (*value)(const Scene& scene);
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

/// What the scene does in a step, such as "20 iterations, 2 substeps".
std::string settings_text(const std::string& method, const Scene& scene);

}  // namespace tendril::app
