/// The axes of a plot: which range they show, and the round numbers along them.
#pragma once

#include <string>
#include <vector>

namespace tendril {

struct Range {
    double low, high;
};

struct AxisTick {
    double place;       ///< along the axis, from 0 to 1
    std::string label;  ///< empty between the decades of a logarithmic axis
    std::string power;  ///< written raised, behind the label
};

struct Axis {
    Range range;  ///< of logarithms on a logarithmic axis
    bool logarithmic = false;
    std::vector<AxisTick> ticks = {};
    int factor = 0;  ///< labels are to be multiplied by ten to the power of this

    /// Along the axis, from 0 to 1.
    double place(double value) const;
};

/// Neither so large nor so small that arithmetic with it ends badly; on a logarithmic axis also above zero.
bool can_be_plotted(double value, bool logarithmic);

/// Shows exactly the range, which is widened if it is a point.
Axis exact_axis(Range range, int ticks);
/// Goes on to the next round number at both ends, and to zero where that is near.
Axis rounded_axis(Range range, int ticks);
/// Whole decades. The range is above zero.
Axis logarithmic_axis(Range range);
/// The same for exactly the range, which is widened if it is a point; with 2 and 5 where there are few decades.
Axis exact_logarithmic_axis(Range range);

}  // namespace tendril
