/// The numbers of a simulation over time, for plots and for the report.
#pragma once

#include "tendril/world.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tendril::app {

/// Time by stage [s].
struct StageSeconds {
    double roots = 0, body = 0, interaction = 0, solve = 0, measure = 0, render = 0;
};

/// One measured frame.
struct Sample {
    uint64_t frame = 0;
    double time = 0;  ///< in the scene [s]
    double stretch_max = 0, stretch_mean = 0;
    double kinetic = 0, potential = 0, elastic = 0;               ///< [J]
    double fastest = 0;                                           ///< [m/s]
    double penetration = 0;                                       ///< the deepest [m]; NaN without colliders
    double deviation = std::numeric_limits<double>::quiet_NaN();  ///< mean deviation from a reference, if any [m]
    int frames = 0;        ///< since the previous sample; 0 for the first, before anything has moved
    StageSeconds seconds;  ///< of these frames
    double energy() const { return kinetic + potential + elastic; }
};

class Series {
public:
    void add_step(const StepReport& step);
    /// Adds the time of a picture, spread over the last `frames` frames.
    void add_render(double seconds, uint64_t frames);
    /// Completes the sample of the current frame.
    void add_metrics(uint64_t frame, double time, const Metrics& metrics, double seconds);

    /// Sets the deviation of the last sample.
    void set_deviation(double mean);

    void restore(std::vector<Sample> samples) { samples_ = std::move(samples); }
    bool has_penetration() const;
    bool has_deviation() const;
    const std::vector<Sample>& samples() const { return samples_; }
    /// One JSON object with an array per quantity, one line each; values that are not finite are null.
    std::string json(std::string_view indent) const;

private:
    std::vector<Sample> samples_;
    Sample next_;  // accumulates since the last sample
};

/// Mean time per frame of a sample by stage [s], in the order of the stages.
std::vector<std::pair<const char*, double>> stages_per_frame(const Sample& sample);

}  // namespace tendril::app
