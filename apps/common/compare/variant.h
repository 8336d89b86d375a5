/// A method with its settings: a scene that differs from another in a few keys. Runs it, and measures what it costs.
#pragma once

#include "compare/trajectory.h"
#include "progress.h"
#include "report.h"

#include "tendril/scene.h"

#include <string>

namespace tendril::app {

/// What all variants share.
struct Subject {
    std::string file;
    Overrides overrides;  ///< of the command line
    uint64_t frames = 0;
    int threads = 1;
    Visible visible = Visible::kOnTerminal;
};

struct Variant {
    std::string method;
    Overrides settings = {};  ///< on top of the subject's

    Variant with(const char* key, double value) const;
};

/// An error where the method does not know the scene's settings.
Result<Scene> scene_of(const Subject& subject, const Variant& variant);
/// Settled, at its first frame.
Result<World> world_of(const Scene& scene, const Subject& subject);

/// Simulates all frames, and compares them with a reference or keeps them, where there is one to do so.
Result<SimReport> run_variant(const Subject& subject, const Variant& variant, const Trajectory* reference,
                              Trajectory* kept = nullptr);

/// Time of a step, per particle [ns]: of every frame the fastest of several runs, so that what else the machine does
/// hardly counts.
Result<double> cost_of(const Subject& subject, const Variant& variant);

}  // namespace tendril::app
