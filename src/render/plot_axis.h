/// The axes of a plot: their ranges and ticks.
#pragma once

#include <string>
#include <vector>

namespace tendril {

struct Range {
    double low, high;
};

struct AxisTick {
    double position;    ///< along the axis, from 0 to 1
    std::string label;  ///< empty for minor ticks of a logarithmic axis
    std::string power;  ///< exponent, shown as a superscript after the label
};

struct Axis {
    Range range;  ///< of the decimal logarithms on a logarithmic axis
    bool logarithmic = false;
    std::vector<AxisTick> ticks = {};
    int factor = 0;  ///< labels are in units of 10^factor

    /// The position along the axis, clamped to [0, 1].
    double position(double value) const;
};

/// Whether the value is finite and far from overflow and, on a logarithmic axis, positive and far from underflow.
bool can_be_plotted(double value, bool logarithmic);

/// An axis over exactly the range, which is widened if it is a single point.
Axis exact_axis(Range range, int ticks);
/// An axis extended to round numbers at both ends, and to zero if that is near.
Axis rounded_axis(Range range, int ticks);
/// A logarithmic axis over whole decades. The range must be above zero.
Axis logarithmic_axis(Range range);
/// A logarithmic axis over exactly the range, which is widened if it is a single point. Labels 2 and 5 if there are few
/// decades.
Axis exact_logarithmic_axis(Range range);

}  // namespace tendril
