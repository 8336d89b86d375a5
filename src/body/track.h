/// Values over time: known at the times at which they were pushed and interpolated smoothly in between.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tendril {

/// A piecewise cubic through the pushed values with a continuous slope. The slope at a value is that of the parabola
/// through it and the two values before it. Later values do not change it, since they are unknown when it is first
/// used.
class Track {
public:
    explicit Track(size_t channels) : channels_(channels) {}

    size_t channels() const { return channels_; }
    bool empty() const { return used_ == 0; }
    std::span<const double> last_values() const { return keys_[used_ - 1].values; }

    /// Times must increase; a second value for the same time replaces the first.
    void push(double time, std::span<const double> values);
    /// Before the first time and after the last time, returns the nearest value.
    void sample(double time, std::span<double> out) const;
    /// Discards values that are not needed for times from `time` on.
    void forget_before(double time);
    /// Discards all values but the newest, which then holds from `time` on.
    void keep_newest(double time);

    void save(std::vector<double>& out) const;
    bool load(std::span<const double>& in);

private:
    struct Key {
        double time = 0;
        std::vector<double> values, slopes;
    };
    void set_slopes(size_t key);

    size_t channels_;
    size_t used_ = 0;
    std::vector<Key> keys_;  // entries beyond used_ are kept to reuse their memory
};

}  // namespace tendril
