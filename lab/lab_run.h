/// Tools to measure claims: running scenes, quantities over time, pictures, and the cost of a step.
#pragma once

#include "claim.h"
#include "report.h"
#include "tendril/scene.h"
#include "tendril/scene_view.h"
#include "tendril/world.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tendril::app {

/// A scene that has been built and can be stepped and drawn.
class LabRun {
public:
    LabRun(Scene scene, World world, std::shared_ptr<Executor> executor)
        : scene_(std::move(scene)), world_(std::move(world)), executor_(std::move(executor))
    {
    }

    const Scene& scene() const { return scene_; }
    World& world() { return world_; }

    /// Takes `steps` steps and records all quantities of the report. Calls `after` after every step.
    Series simulate(uint64_t steps, const std::function<void(World&)>& after = {});

    /// Replaces the camera of the scene in the pictures that follow.
    void look_at(const Vec3d& eye, const Vec3d& target);
    /// Draws the world as it is now. The camera is that of the scene at the time of the first picture.
    Result<Picture> picture(uint32_t width = 480, uint32_t height = 360);

private:
    Scene scene_;
    World world_;
    std::shared_ptr<Executor> executor_;
    std::unique_ptr<SceneView> view_;
};

class Lab {
public:
    /// `full`: use the sizes of the papers.
    Lab(int threads, bool full) : threads_(threads), full_(full) {}

    bool full() const { return full_; }
    int threads() const { return threads_; }
    /// `full` for a run with the sizes of the papers, `quick` for a quick one.
    template <class T>
    T size(T quick, T full) const
    {
        return full_ ? full : quick;
    }

    /// Reads a scene that comes with the program, such as "papers/mueller12_fig4", with values replaced.
    Result<Scene> scene(const std::string& name, const Overrides& overrides = {});
    /// Also builds and settles its world. `threads` 0: as many as the lab has.
    Result<LabRun> open(const std::string& name, const Overrides& overrides = {}, int threads = 0);
    /// Records the methods that a benchmark ran, which opens no scene, and in which form.
    void ran_bench(const std::vector<FormUse>& forms) { uses_.push_back({"tendril bench", 1, {forms}}); }
    /// Returns the scenes opened since the last call.
    std::vector<SceneUse> take_uses() { return std::exchange(uses_, {}); }

    /// Time of a step by stage [s]: medians over `steps` steps after `warm_up` ones.
    StageSeconds time_of_step(LabRun& run, int steps, int warm_up = 3) const;
    /// The same for the fastest of these steps, which other programs disturb least.
    StageSeconds fastest_step(LabRun& run, int steps, int warm_up = 3) const;
    /// Median processor time of a step of a run with one thread [s], which other programs hardly affect.
    double processor_seconds(LabRun& run, int steps, int warm_up = 3) const;

private:
    int threads_;
    bool full_;
    std::vector<SceneUse> uses_;
};

/// Arranges pictures of the same size in rows of `per_row`.
Picture side_by_side(const std::vector<Picture>& pictures, size_t per_row);

/// One quantity of a series as a line of a plot; `times_of` gives its x axis.
PlotLine line_of(const std::string& name, const Series& series, double (*value)(const Sample& sample));
std::vector<double> times_of(const Series& series);

}  // namespace tendril::app
