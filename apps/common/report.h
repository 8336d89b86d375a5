/// The results of a simulation: collected step by step, then written as JSON for programs and as a table for people.
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

/// Indents all lines but the first and removes the final newline, to embed a text in another.
std::string indented(std::string_view text, std::string_view indent);

/// The repairs after which a mesh moves or looks in another way than its file says, as sentences.
std::vector<std::string> warnings_of(std::span<const Repair> repairs);

/// Distance of particles from their positions in a reference [m].
struct Deviation {
    double mean = 0, max = 0;
};

/// A summary over all measured frames.
struct Figures {
    size_t nonfinite = 0;
    double stretch_max = 0, stretch_mean = 0;
    double penetration_max = 0;  ///< [m]
    bool has_colliders = false;
    double kinetic_mean = 0;  ///< [J]
    double fastest = 0;       ///< of all frames [m/s]
    Deviation deviation;      ///< mean over particles and frames, and maximum
};

class SimReport {
public:
    SimReport(const Scene& scene, World& world, int threads, double build_seconds);

    void add_step(const StepReport& step);
    /// Measures the current state of the world, and the time that takes.
    void measure(World& world);
    /// Adds the deviation of the frame that was measured last.
    void add_deviation(const Deviation& deviation);
    /// Adds the time of a picture, spread over the last `frames` frames.
    void add_render(double seconds, uint64_t frames);
    /// Call after the last step: stores the state hash and the total time.
    void finish(World& world, double total_seconds);

    /// Saves everything so far, so that a later run of the same program on the same scene can continue.
    std::vector<std::byte> save() const;
    bool restore(std::span<const std::byte> bytes);

    /// Time per step, not per substep: roots, bodies, interaction and solve, without measuring.
    double nanoseconds_per_particle_step() const;
    /// Why the simulation cannot be trusted; empty if it can.
    std::string problem() const;
    /// What is wrong with its input, or was simulated less precisely than asked, with the remedy. Complete after
    /// `finish`.
    const std::vector<std::string>& warnings() const { return warnings_; }
    Figures figures() const;
    const std::string& scene_name() const { return scene_.name; }
    const Series& series() const { return series_; }
    std::string json() const;
    /// `files`: the files that were written.
    std::string table(const std::vector<std::string>& files) const;

private:
    void add_metrics(const Metrics& metrics, double seconds);
    void count_deep_frames(const World& world);
    /// The methods of all grooms, each once, and the range of their margins [mm].
    std::string solvers_text() const;
    std::string margins_text() const;

    struct GroomFacts {
        std::string solver;
        bool printed;  // in the form of its paper
        float margin;  // [m]
    };

    Scene scene_;
    std::vector<GroomFacts> grooms_;  // as in the scene
    int threads_;
    size_t strands_, particles_, colliders_, bytes_;
    bool has_strings_ = false;
    uint64_t first_step_, last_step_ = 0, hash_ = 0;
    int restored_steps_ = 0;
    double build_seconds_, total_seconds_ = 0;

    /// Plain numbers that accumulate over the steps.
    struct Totals {
        StepReport sum;  // steps and seconds are sums; holds are the maximum over all steps
        size_t nonfinite = 0, measured = 0;
        double measure_seconds = 0, render_seconds = 0;
        double stretch_max = 0, kept_stretch_max = 0, stretch_sum = 0;
        size_t penetrating_max = 0, penetrating_sum = 0;
        double penetration_max = 0, depth_sum = 0;
        int64_t longest_deep = 0;    // upper bound [frames]
        int64_t last_measured = 0;   // frame
        int64_t measured_apart = 0;  // largest distance of measurements [frames]
        size_t pinched_max = 0, unknown_side_max = 0;
        double energy_first = 0, energy_last = 0, energy_max = 0, kinetic_last = 0, fastest_last = 0;
        double kinetic_sum = 0, fastest_max = 0;
        size_t compared = 0;
        double deviation_sum = 0, deviation_max = 0;
    };
    Totals totals_;
    std::vector<int64_t> last_clear_;  // per particle: the last frame in which it was measured and not deep inside
    std::vector<Repair> repairs_;
    std::vector<std::string> warnings_;
    Series series_;
};

}  // namespace tendril::app
