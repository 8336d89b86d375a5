#include "rounds.h"

#include <algorithm>
#include <cassert>
#include <chrono>

namespace tendril::bench {

double Samples::quantile(double share) const
{
    assert(!values_.empty());
    std::vector<double> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    const double rank = share * static_cast<double>(sorted.size() - 1);
    const size_t below = static_cast<size_t>(rank), above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (rank - static_cast<double>(below));
}

double Samples::spread() const
{
    return (quantile(0.75) - quantile(0.25)) / median();
}

Samples operator/(const Samples& a, const Samples& b)
{
    assert(a.values_.size() == b.values_.size());
    Samples ratio;
    for (size_t i = 0; i < a.values_.size(); ++i) ratio.add(a.values_[i] / b.values_[i]);
    return ratio;
}

Samples operator*(double factor, const Samples& a)
{
    Samples scaled;
    for (double value : a.values_) scaled.add(factor * value);
    return scaled;
}

void measure_in_turns(std::span<const Measurement> measurements, int rounds, const std::function<void(int)>& progress)
{
    for (const Measurement& m : measurements) m.seconds();
    for (int round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < measurements.size(); ++i) {
            const Measurement& m = measurements[round % 2 == 0 ? i : measurements.size() - 1 - i];
            m.samples->add(m.seconds());
        }
        progress(round + 1);
    }
}

double time_of(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tendril::bench
