/// The loop of a simulation that is measured as it goes: what `tendril sim` and `tendril compare` do alike.
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
    uint64_t frames = 0;         ///< at the end, counted from the start of the scene
    uint64_t metrics_every = 1;  ///< frames; 0: at the first and last only
    Visible visible = Visible::kOnTerminal;
    std::string label;  ///< what is simulated, for the progress bar; may be empty
};

/// Lets the strands of a new world find their place, as its scene wants; an error where it was interrupted.
std::optional<Error> settle(World& world, const Scene& scene, Visible visible);

/// After every frame, once it is measured; what it says is wrong ends the simulation.
using AfterFrame = std::function<std::optional<Error>(World& world)>;

/// Steps until there are so many frames, or until interrupted.
std::optional<Error> simulate(World& world, const SimulatePlan& plan, SimReport& report, const AfterFrame& after_frame);

}  // namespace tendril::app
