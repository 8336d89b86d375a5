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

/// Seconds that the stages of frames took.
struct StageSeconds {
    double roots = 0, body = 0, interaction = 0, solve = 0, measure = 0, render = 0;
};

/// One measured frame.
struct Sample {
    uint64_t frame = 0;
    double time = 0;  ///< in the scene [s]
    double stretch_max = 0, stretch_mean = 0;
    double kinetic = 0, potential = 0, elastic = 0;  ///< [J]
    double fastest = 0;                              ///< [m/s]
    double penetration = 0;  ///< the deepest [m]; not a number where there is nothing to be inside of
    double deviation = std::numeric_limits<double>::quiet_NaN();  ///< mean, from a reference, if there is one [m]
    int frames = 0;        ///< since the sample before; 0 for the first, where nothing has moved yet
    StageSeconds seconds;  ///< of all these frames
    double energy() const { return kinetic + potential + elastic; }
};

class Series {
public:
    void add_step(const StepReport& step);
    /// The drawing of a picture, which stands for so many of the last frames.
    void add_render(double seconds, uint64_t frames);
    /// Ends the sample of the present frame.
    void add_metrics(uint64_t frame, double time, const Metrics& metrics, double seconds);

    /// Of the last sample.
    void set_deviation(double mean);

    void restore(std::vector<Sample> samples) { samples_ = std::move(samples); }
    bool has_penetration() const;
    bool has_deviation() const;
    const std::vector<Sample>& samples() const { return samples_; }
    /// One JSON object with an array per quantity, a line each; what is not finite is null.
    std::string json(std::string_view indent) const;

private:
    std::vector<Sample> samples_;
    Sample next_;  // what has been gathered since the last sample
};

/// By name, in the order in which they happen: mean seconds per frame of a sample.
std::vector<std::pair<const char*, double>> stages_per_frame(const Sample& sample);

}  // namespace tendril::app
