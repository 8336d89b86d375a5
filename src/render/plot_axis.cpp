#include "render/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

namespace tendril {
namespace {

// A range narrower than this, relative to its values, counts as a point: its labels would need too many digits.
constexpr double kNarrow = 1e-9;
// Tolerance for a value to lie on a tick [steps].
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

/// The smallest step of the form 1, 2 or 5 times a power of ten of which `count` cover the range.
double round_step(Range range, int count)
{
    const double wanted = (range.high - range.low) / count;
    const double decade = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * decade >= wanted * (1 - kOnTick)) return digit * decade;
    return 10 * decade;
}

/// Replaces the hyphen with a minus sign, which is as wide as a digit.
std::string with_minus(std::string number)
{
    if (number.front() == '-') number.replace(0, 1, "\u2212");
    return number;
}

/// The power of ten to factor out of the labels, a multiple of 3; 0 if plain numbers are short enough.
int factor_of(Range range)
{
    const double size = magnitude(range);
    const int power = size > 0 ? static_cast<int>(std::floor(std::log10(size) + kOnTick)) : 0;
    return power >= 5 || power <= -3 ? 3 * static_cast<int>(std::floor(power / 3.0)) : 0;
}

/// Adds ticks at all multiples of `step` in the range.
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
        axis.ticks.push_back({axis.position(value), label, {}});
    }
}

/// Labels a decade as a plain number if all decades are between 0.01 and 1000, otherwise as a power of ten.
AxisTick decade_tick(double position, int decade, Range decades)
{
    if (decades.low >= -2 && decades.high <= 3)
        return {position, fmt::format("{:.{}f}", std::pow(10.0, decade), std::max(0, -decade)), {}};
    return {position, "10", with_minus(fmt::format("{}", decade))};
}

/// The number of decades from one label to the next.
int decades_per_label(int decades)
{
    constexpr int kMaxLabels = 7;
    return std::max(1, (decades + kMaxLabels - 1) / kMaxLabels);
}

}  // namespace

bool can_be_plotted(double value, bool logarithmic)
{
    return std::abs(value) < kLargestValue && (!logarithmic || value > kSmallestValue);
}

double Axis::position(double value) const
{
    const double scaled = logarithmic ? std::log10(value) : value;
    return std::clamp((scaled - range.low) / (range.high - range.low), 0.0, 1.0);
}

Axis exact_axis(Range range, int ticks)
{
    if (is_point(range)) {
        const double margin = std::max(0.5, 0.01 * magnitude(range));
        range = {range.low - margin, range.high + margin};
    }
    Axis axis{range};
    add_ticks(axis, round_step(range, ticks));
    return axis;
}

Axis rounded_axis(Range range, int ticks)
{
    constexpr double kNear = 0.6;  // zero is included if the near end is below this share of the far end
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
    constexpr int kMaxWithSteps = 4;  // decades
    int low = static_cast<int>(std::floor(std::log10(range.low) + kOnTick));
    int high = static_cast<int>(std::ceil(std::log10(range.high) - kOnTick));
    if (high <= low) {  // centre a single power of ten
        high = low + 1;
        low -= 1;
    }
    Axis axis{{static_cast<double>(low), static_cast<double>(high)}, true};
    const int label_step = decades_per_label(high - low);
    for (int decade = low; decade <= high; ++decade) {
        const double position = static_cast<double>(decade - low) / (high - low);
        if ((decade - low) % label_step == 0) axis.ticks.push_back(decade_tick(position, decade, axis.range));
        if (decade == high || high - low > kMaxWithSteps) continue;
        for (int digit = 2; digit <= 9; ++digit)
            axis.ticks.push_back({position + std::log10(digit) / (high - low), {}, {}});
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
    const int label_step = decades_per_label(last - first);
    for (int decade = first; decade <= last; ++decade)
        for (const int digit : {1, 2, 5}) {
            const double logarithm = decade + std::log10(digit), position = (logarithm - low) / (high - low);
            if (logarithm < low - kOnTick || logarithm > high + kOnTick || (decade - first) % label_step != 0) continue;
            if (digit == 1)
                axis.ticks.push_back(decade_tick(position, decade, axis.range));
            else if (high - low < kFew)
                axis.ticks.push_back({position, fmt::format("{:g}", digit * std::pow(10.0, decade)), {}});
        }
    return axis;
}

}  // namespace tendril
