/// The measured simulation loop that `tendril sim` and `tendril compare` share.
#pragma once

#include "progress.h"
#include "report.h"
#include "tendril/scene.h"
#include "tendril/world.h"

#include <functional>
#include <optional>
#include <string>

namespace tendril::app {

struct SimulatePlan {
    uint64_t frames = 0;         ///< to reach, counted from the start of the scene
    uint64_t metrics_every = 1;  ///< interval of measurements [frames]; 0: only the first and last
    Visible visible = Visible::kOnTerminal;
    std::string label;  ///< for the progress bar; may be empty
};

/// Settles the strands of a new world as its scene specifies. Returns an error if interrupted.
std::optional<Error> settle(World& world, const Scene& scene, Visible visible);

/// Called after every frame, once it is measured. An error ends the simulation.
using AfterFrame = std::function<std::optional<Error>(World& world)>;

/// Steps until `plan.frames` is reached, or until interrupted.
std::optional<Error> simulate(World& world, const SimulatePlan& plan, SimReport& report, const AfterFrame& after_frame);

}  // namespace tendril::app
