#include "render/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

namespace tendril {
namespace {

// Ranges narrower than this share of their numbers are points: labels would need too many digits.
constexpr double kNarrow = 1e-9;
// A number this close to a tick is on it [steps].
constexpr double kOnTick = 1e-9;
constexpr double kLargestValue = 1e300, kSmallestValue = 1e-300;

double magnitude(Range range)
{
    return std::max(std::abs(range.low), std::abs(range.high));
}

bool is_point(Range range)
{
    return !(range.high - range.low > kNarrow * magnitude(range));
}

/// 1, 2 or 5 times a power of ten, so that `count` of them cover the range.
double round_step(Range range, int count)
{
    const double wanted = (range.high - range.low) / count;
    const double decade = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * decade >= wanted * (1 - kOnTick)) return digit * decade;
    return 10 * decade;
}

/// A true minus, as wide as the digits.
std::string with_minus(std::string number)
{
    if (number.front() == '-') number.replace(0, 1, "\u2212");
    return number;
}

/// Thousands, millions, thousandths and so on where plain numbers would be long.
int factor_of(Range range)
{
    const double size = magnitude(range);
    const int power = size > 0 ? static_cast<int>(std::floor(std::log10(size) + kOnTick)) : 0;
    return power >= 5 || power <= -3 ? 3 * static_cast<int>(std::floor(power / 3.0)) : 0;
}

/// Ticks at all multiples of `step` in the range.
void add_ticks(Axis& axis, double step)
{
    axis.factor = factor_of(axis.range);
    const double unit = std::pow(10.0, axis.factor);
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + kOnTick)));
    const auto first = static_cast<int64_t>(std::ceil(axis.range.low / step - kOnTick));
    const auto last = static_cast<int64_t>(std::floor(axis.range.high / step + kOnTick));
    for (int64_t k = first; k <= last; ++k) {
        const double value = static_cast<double>(k) * step;
        const std::string label = k == 0 ? "0" : with_minus(fmt::format("{:.{}f}", value / unit, decimals));
        axis.ticks.push_back({axis.place(value), label, {}});
    }
}

/// From 0.01 to 1000 as a number, and beyond as a power.
AxisTick decade_tick(double place, int decade, Range decades)
{
    if (decades.low >= -2 && decades.high <= 3)
        return {place, fmt::format("{:.{}f}", std::pow(10.0, decade), std::max(0, -decade)), {}};
    return {place, "10", with_minus(fmt::format("{}", decade))};
}

/// Of so many decades every so manyth has a label.
int decades_per_label(int decades)
{
    constexpr int kMostLabels = 7;
    return std::max(1, (decades + kMostLabels - 1) / kMostLabels);
}

}  // namespace

bool can_be_plotted(double value, bool logarithmic)
{
    return std::abs(value) < kLargestValue && (!logarithmic || value > kSmallestValue);
}

double Axis::place(double value) const
{
    const double at = logarithmic ? std::log10(value) : value;
    return std::clamp((at - range.low) / (range.high - range.low), 0.0, 1.0);
}

Axis exact_axis(Range range, int ticks)
{
    if (is_point(range)) {
        const double room = std::max(0.5, 0.01 * magnitude(range));
        range = {range.low - room, range.high + room};
    }
    Axis axis{range};
    add_ticks(axis, round_step(range, ticks));
    return axis;
}

Axis rounded_axis(Range range, int ticks)
{
    constexpr double kNear = 0.6;  // of the far end: then zero belongs into the plot
    if (magnitude(range) < kSmallestValue) range = {0, 1};
    if (is_point(range)) range = {std::min(0.0, 1.25 * range.low), std::max(0.0, 1.25 * range.high)};
    if (range.low > 0 && range.low < kNear * range.high) range.low = 0;
    if (range.high < 0 && range.high > kNear * range.low) range.high = 0;
    const double step = round_step(range, ticks);
    Axis axis{{step * std::floor(range.low / step + kOnTick), step * std::ceil(range.high / step - kOnTick)}};
    add_ticks(axis, step);
    return axis;
}

Axis logarithmic_axis(Range range)
{
    constexpr int kMostWithSteps = 4;  // decades
    int low = static_cast<int>(std::floor(std::log10(range.low) + kOnTick));
    int high = static_cast<int>(std::ceil(std::log10(range.high) - kOnTick));
    if (high <= low) {  // a power of ten alone stands in the middle
        high = low + 1;
        low -= 1;
    }
    Axis axis{{static_cast<double>(low), static_cast<double>(high)}, true};
    const int every = decades_per_label(high - low);
    for (int decade = low; decade <= high; ++decade) {
        const double place = static_cast<double>(decade - low) / (high - low);
        if ((decade - low) % every == 0) axis.ticks.push_back(decade_tick(place, decade, axis.range));
        if (decade == high || high - low > kMostWithSteps) continue;
        for (int digit = 2; digit <= 9; ++digit)
            axis.ticks.push_back({place + std::log10(digit) / (high - low), {}, {}});
    }
    return axis;
}

Axis exact_logarithmic_axis(Range range)
{
    constexpr double kFew = 2;  // decades
    if (is_point(range)) range = {0.5 * range.low, 2 * range.high};
    Axis axis{{std::log10(range.low), std::log10(range.high)}, true};
    const auto [low, high] = axis.range;
    const int first = static_cast<int>(std::floor(low + kOnTick)), last = static_cast<int>(std::floor(high + kOnTick));
    const int every = decades_per_label(last - first);
    for (int decade = first; decade <= last; ++decade)
        for (const int digit : {1, 2, 5}) {
            const double at = decade + std::log10(digit), place = (at - low) / (high - low);
            if (at < low - kOnTick || at > high + kOnTick || (decade - first) % every != 0) continue;
            if (digit == 1)
                axis.ticks.push_back(decade_tick(place, decade, axis.range));
            else if (high - low < kFew)
                axis.ticks.push_back({place, fmt::format("{:g}", digit * std::pow(10.0, decade)), {}});
        }
    return axis;
}

}  // namespace tendril
