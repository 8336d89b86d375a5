/// Numbers over time, known at the moments at which somebody pushed them and smooth in between.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tendril {

/// A cubic through the pushed values whose slope never jumps. The slope at the newest value is that of the parabola
/// through the last three; nothing is known of the future, so it stays as it is when the next value comes.
class Track {
public:
    explicit Track(size_t channels) : channels_(channels) {}

    size_t channels() const { return channels_; }
    bool empty() const { return used_ == 0; }
    std::span<const double> last_values() const { return keys_[used_ - 1].values; }

    /// Times rise; a second value for the same time replaces the first.
    void push(double time, std::span<const double> values);
    /// Before the first and after the last time the nearest value holds.
    void sample(double time, std::span<double> out) const;
    /// Lets go of what is not needed for times from here on.
    void forget_before(double time);
    /// Forgets all but the newest value, which now holds from `time` on.
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
    std::vector<Key> keys_;  // entries beyond used_ are kept for their memory
};

}  // namespace tendril
