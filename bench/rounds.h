/// Times taken in turns: every round measures everything once, so that what the machine does besides falls on all
/// alike.
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
    double least() const { return quantile(0.0); }
    double most() const { return quantile(1.0); }
    /// Half of the samples are within a range of this share of the median.
    double spread() const;

    /// a / b round by round: a disturbance that lasts longer than a round cancels.
    friend Samples operator/(const Samples& a, const Samples& b);
    friend Samples operator*(double factor, const Samples& a);

private:
    double quantile(double share) const;
    std::vector<double> values_;
};

/// Something that can be timed again and again.
struct Measurement {
    std::function<double()> seconds;  ///< runs it and says how long one unit of work took
    Samples* samples;
};

/// One round without notes to warm up, then `rounds` rounds; every other one runs backwards. `progress` is told how
/// many rounds are done.
void measure_in_turns(std::span<const Measurement> measurements, int rounds, const std::function<void(int)>& progress);

/// Seconds that a call takes.
double time_of(const std::function<void()>& work);

}  // namespace tendril::bench
