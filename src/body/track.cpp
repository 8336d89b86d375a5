#include "body/track.h"

#include <algorithm>
#include <cassert>

namespace tendril {

void Track::push(double time, std::span<const double> values)
{
    assert(values.size() == channels_);
    if (used_ > 0 && time <= keys_[used_ - 1].time) {
        time = keys_[used_ - 1].time;
        --used_;
    }
    if (used_ == keys_.size()) keys_.emplace_back();
    Key& key = keys_[used_++];
    key.time = time;
    key.values.assign(values.begin(), values.end());
    key.slopes.assign(channels_, 0.0);
    set_slopes(used_ - 1);
}

void Track::set_slopes(size_t k)
{
    if (k == 0) return;
    Key& b = keys_[k];
    const Key& a = keys_[k - 1];
    const double h1 = b.time - a.time;
    for (size_t c = 0; c < channels_; ++c) {
        const double d1 = (b.values[c] - a.values[c]) / h1;
        b.slopes[c] = d1;
        if (k == 1) continue;
        const Key& z = keys_[k - 2];
        const double h0 = a.time - z.time, d0 = (a.values[c] - z.values[c]) / h0;
        b.slopes[c] = d1 + (d1 - d0) * h1 / (h0 + h1);
    }
    // The first interval has no earlier slope to start from, so it is a straight line.
    if (k == 1) keys_[0].slopes = b.slopes;
}

void Track::sample(double time, std::span<double> out) const
{
    assert(used_ > 0 && out.size() == channels_);
    size_t k = 0;
    while (k < used_ && keys_[k].time < time) ++k;
    if (k == 0 || k == used_) {
        const auto& values = keys_[k == 0 ? 0 : used_ - 1].values;
        std::copy(values.begin(), values.end(), out.begin());
        return;
    }
    const Key &a = keys_[k - 1], &b = keys_[k];
    const double h = b.time - a.time, t = (time - a.time) / h;
    const double value_weight = t * t * (3 - 2 * t), start_weight = t * (1 - t) * (1 - t) * h,
                 end_weight = -t * t * (1 - t) * h;
    for (size_t c = 0; c < channels_; ++c)
        out[c] = a.values[c] + (b.values[c] - a.values[c]) * value_weight + a.slopes[c] * start_weight +
                 b.slopes[c] * end_weight;
}

void Track::forget_before(double time)
{
    // Keep two keys more than the interval in use: they determine the slope of the next one.
    size_t drop = 0;
    while (drop + 3 < used_ && keys_[drop + 3].time <= time) ++drop;
    if (drop == 0) return;
    const auto begin = keys_.begin();
    std::rotate(begin, begin + static_cast<std::ptrdiff_t>(drop), begin + static_cast<std::ptrdiff_t>(used_));
    used_ -= drop;
}

void Track::keep_newest(double time)
{
    if (used_ == 0) return;
    std::swap(keys_[0], keys_[used_ - 1]);
    keys_[0].time = time;
    std::fill(keys_[0].slopes.begin(), keys_[0].slopes.end(), 0.0);
    used_ = 1;
}

void Track::save(std::vector<double>& out) const
{
    out.push_back(static_cast<double>(used_));
    for (size_t k = 0; k < used_; ++k) {
        out.push_back(keys_[k].time);
        out.insert(out.end(), keys_[k].values.begin(), keys_[k].values.end());
        out.insert(out.end(), keys_[k].slopes.begin(), keys_[k].slopes.end());
    }
}

bool Track::load(std::span<const double>& in)
{
    if (in.empty() || !(in[0] >= 0) ||
        in[0] * (1 + 2 * static_cast<double>(channels_)) > static_cast<double>(in.size() - 1))
        return false;
    used_ = static_cast<size_t>(in[0]);
    in = in.subspan(1);
    if (keys_.size() < used_) keys_.resize(used_);
    for (size_t k = 0; k < used_; ++k) {
        keys_[k].time = in[0];
        keys_[k].values.assign(in.begin() + 1, in.begin() + 1 + static_cast<std::ptrdiff_t>(channels_));
        keys_[k].slopes.assign(in.begin() + 1 + static_cast<std::ptrdiff_t>(channels_),
                               in.begin() + 1 + 2 * static_cast<std::ptrdiff_t>(channels_));
        in = in.subspan(1 + 2 * channels_);
    }
    return true;
}

}  // namespace tendril
