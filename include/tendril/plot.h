/// Plots of numbers over time as SVG, readable in light and dark.
#pragma once

#include <string>
#include <vector>

namespace tendril {

struct PlotLine {
    std::string name;
    std::vector<double> values;  ///< one per entry of Plot::x; what is not finite leaves a gap
};

enum class PlotScale { kLinear, kLogarithmic };  ///< on a logarithmic scale only what is above zero is shown
enum class PlotStyle { kLines, kStacked };       ///< stacked: areas on top of each other, linear

struct Plot {
    std::string title, x_label, y_label;
    std::vector<double> x;
    std::vector<PlotLine> lines;
    PlotScale scale = PlotScale::kLinear;
    PlotStyle style = PlotStyle::kLines;
};

/// A self-contained SVG document.
std::string plot_svg(const Plot& plot);

}  // namespace tendril
