/// A method with its settings, as a scene that differs from another in a few keys. Runs it and measures its cost.
#pragma once

#include "compare/trajectory.h"
#include "progress.h"
#include "report.h"

#include "tendril/scene.h"

#include <string>

namespace tendril::app {

/// The scene and conditions that all variants share.
struct Subject {
    std::string file;
    Overrides overrides;  ///< from the command line
    uint64_t frames = 0;
    int threads = 1;
    Visible visible = Visible::kOnTerminal;
};

struct Variant {
    std::string method;
    Overrides settings = {};  ///< in addition to those of the subject

    Variant with(const char* key, double value) const;
};

/// Returns an error if the method does not support the settings of the scene.
Result<Scene> scene_of(const Subject& subject, const Variant& variant);
/// Builds and settles the world.
Result<World> world_of(const Scene& scene, const Subject& subject);

/// Simulates all frames. Compares them with `reference` and records them in `kept`, unless these are null.
Result<SimReport> run_variant(const Subject& subject, const Variant& variant, const Trajectory* reference,
                              Trajectory* kept = nullptr);

/// Time of a step per particle [ns]. For every frame, the fastest of several runs counts, so that other programs hardly
/// affect it.
Result<double> cost_of(const Subject& subject, const Variant& variant);

}  // namespace tendril::app
