/// What a claim has at hand: scenes that run, figures over time, pictures, and times of a step.
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

    /// So many steps, with all figures of DESIGN's report over time. `after` sees the world after every step.
    Series simulate(uint64_t steps, const std::function<void(World&)>& after = {});

    /// Pictures from now on are seen from here, in place of where the scene has its camera.
    void look_at(const Vec3d& eye, const Vec3d& target);
    /// As the world is now, by the camera that the scene would have at the time of the first picture.
    Result<Picture> picture(uint32_t width = 480, uint32_t height = 360);

private:
    Scene scene_;
    World world_;
    std::shared_ptr<Executor> executor_;
    std::unique_ptr<SceneView> view_;
};

class Lab {
public:
    /// `full`: with the sizes of the papers.
    Lab(int threads, bool full) : threads_(threads), full_(full) {}

    bool full() const { return full_; }
    int threads() const { return threads_; }
    /// One of two numbers: for quick runs, and for those with the papers' sizes.
    template <class T>
    T size(T quick, T full) const
    {
        return full_ ? full : quick;
    }

    /// A scene that comes with the program, such as "papers/mueller12_fig4", with other values.
    Result<Scene> scene(const std::string& name, const Overrides& overrides = {});
    /// The same as a world. `threads` 0: as many as the lab has.
    Result<LabRun> open(const std::string& name, const Overrides& overrides = {}, int threads = 0);
    /// Scenes that have been opened since this was asked last.
    std::vector<SceneUse> take_uses() { return std::exchange(uses_, {}); }

    /// Seconds that a step takes by stage: medians over `steps` steps after `warm_up` ones.
    StageSeconds time_of_step(LabRun& run, int steps, int warm_up = 3) const;
    /// The same of the fastest of these steps: what else the machine does counts less.
    StageSeconds quietest_step(LabRun& run, int steps, int warm_up = 3) const;
    /// Processor time of a step of a run with one thread [s], the median: what it takes where nothing else runs.
    double processor_seconds(LabRun& run, int steps, int warm_up = 3) const;

private:
    int threads_;
    bool full_;
    std::vector<SceneUse> uses_;
};

/// Beside each other, in rows of so many. All have the size of the first.
Picture side_by_side(const std::vector<Picture>& pictures, size_t per_row);

/// One quantity of a series as a line of a plot; the times of the samples go to its x axis.
PlotLine line_of(const std::string& name, const Series& series, double (*value)(const Sample& sample));
std::vector<double> times_of(const Series& series);

}  // namespace tendril::app
