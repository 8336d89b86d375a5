/// What came out of a simulation: collected step by step, then written as JSON for programs and as a table for people.
#pragma once

#include "tendril/scene.h"
#include "tendril/world.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tendril::app {

class SimReport {
public:
    SimReport(const Scene& scene, World& world, int threads, double build_seconds);

    void add_step(const StepReport& step);
    void add_metrics(const Metrics& metrics, double seconds);
    /// After the last step: the state hash and the time over all.
    void finish(World& world, double total_seconds);

    /// Per step, not per substep; the time of roots, bodies, interaction and solve, without measuring.
    double nanoseconds_per_particle_step() const;
    /// Why the simulation is not to be trusted; empty where it is.
    std::string problem() const;
    std::string json() const;
    /// `files` that were written.
    std::string table(const std::vector<std::string>& files) const;

private:
    Scene scene_;
    int threads_;
    size_t strands_, particles_, colliders_, bytes_;
    uint64_t first_step_, last_step_ = 0, hash_ = 0;
    double build_seconds_, total_seconds_ = 0, measure_seconds_ = 0;
    StepReport sum_;  // steps and seconds are sums, holds are the worst of all steps
    size_t nonfinite_ = 0, measured_ = 0;
    size_t penetrating_max_ = 0, penetrating_sum_ = 0;
    double penetration_max_ = 0, depth_sum_ = 0;
    double stretch_max_ = 0, stretch_sum_ = 0;
    double energy_first_ = 0, energy_last_ = 0, energy_max_ = 0, kinetic_last_ = 0, fastest_last_ = 0;
    std::vector<Repair> repairs_;
};

}  // namespace tendril::app
