/// What came out of a simulation: collected step by step, then written as JSON for programs and as a table for people.
#pragma once

#include "series.h"
#include "tendril/scene.h"
#include "tendril/world.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendril::app {

/// A text of several lines as part of another: all lines but the first, and without the end of the last.
std::string indented(std::string_view text, std::string_view indent);

/// How far particles are from where a reference has them [m].
struct Deviation {
    double mean = 0, max = 0;
};

/// What came out in short, over all measured frames.
struct Figures {
    size_t nonfinite = 0;
    double stretch_max = 0, stretch_mean = 0;
    double penetration_max = 0;  ///< [m]
    bool has_colliders = false;
    double kinetic_mean = 0;  ///< [J]
    double fastest = 0;       ///< of all frames [m/s]
    Deviation deviation;      ///< mean over particles and frames; the worst
};

class SimReport {
public:
    SimReport(const Scene& scene, World& world, int threads, double build_seconds);

    void add_step(const StepReport& step);
    /// The world as it is now, and how long that took.
    void measure(World& world);
    /// Of the frame that was measured last.
    void add_deviation(const Deviation& deviation);
    /// A picture that stands for so many of the last frames.
    void add_render(double seconds, uint64_t frames);
    /// After the last step: the state hash and the time over all.
    void finish(World& world, double total_seconds);

    /// Everything so far, for a later run of the same program on the same scene to go on with.
    std::vector<std::byte> save() const;
    bool restore(std::span<const std::byte> bytes);

    /// Per step, not per substep; the time of roots, bodies, interaction and solve, without measuring.
    double nanoseconds_per_particle_step() const;
    /// Why the simulation is not to be trusted; empty where it is.
    std::string problem() const;
    Figures figures() const;
    const std::string& scene_name() const { return scene_.name; }
    const Series& series() const { return series_; }
    std::string json() const;
    /// `files` that were written.
    std::string table(const std::vector<std::string>& files) const;

private:
    void add_metrics(const Metrics& metrics, double seconds);
    void count_deep_frames(const World& world);

    Scene scene_;
    int threads_;
    size_t strands_, particles_, colliders_, bytes_;
    uint64_t first_step_, last_step_ = 0, hash_ = 0;
    int restored_steps_ = 0;
    double build_seconds_, total_seconds_ = 0;

    /// What adds up from step to step, as plain numbers.
    struct Totals {
        StepReport sum;  // steps and seconds are sums, holds are the worst of all steps
        size_t nonfinite = 0, measured = 0;
        double measure_seconds = 0, render_seconds = 0;
        double stretch_max = 0, stretch_sum = 0;
        size_t penetrating_max = 0, penetrating_sum = 0;
        double penetration_max = 0, depth_sum = 0;
        uint32_t longest_deep = 0;
        size_t pinched_max = 0;
        double energy_first = 0, energy_last = 0, energy_max = 0, kinetic_last = 0, fastest_last = 0;
        double kinetic_sum = 0, fastest_max = 0;
        size_t compared = 0;
        double deviation_sum = 0, deviation_max = 0;
    };
    Totals totals_;
    std::vector<uint32_t> deep_frames_;  // of each particle: for how many frames it has been deep inside
    std::vector<Repair> repairs_;
    Series series_;
};

}  // namespace tendril::app
