/// Measuring in rounds: every round measures everything once, so that other programs disturb all measurements alike.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace tendril::bench {

/// The same quantity measured once per round.
class Samples {
public:
    void add(double value) { values_.push_back(value); }
    bool empty() const { return values_.empty(); }
    double median() const { return quantile(0.5); }
    double min() const { return quantile(0.0); }
    double max() const { return quantile(1.0); }
    /// The interquartile range over the median.
    double spread() const;

    /// a / b round by round, so that a disturbance longer than a round cancels.
    friend Samples operator/(const Samples& a, const Samples& b);
    friend Samples operator*(double factor, const Samples& a);

private:
    double quantile(double share) const;
    std::vector<double> values_;
};

/// Work that can be timed repeatedly.
struct Measurement {
    std::function<double()> seconds;  ///< runs it and returns the time of one unit of work
    Samples* samples;
};

/// Runs one round to warm up, then `rounds` measured rounds; every other round runs backwards. `progress` receives the
/// number of finished rounds.
void measure_in_turns(std::span<const Measurement> measurements, int rounds, const std::function<void(int)>& progress);

/// Seconds that a call takes.
double time_of(const std::function<void()>& work);

}  // namespace tendril::bench
