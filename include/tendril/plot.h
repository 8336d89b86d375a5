/// Plots of numbers over time, or by name, as SVG, readable in light and dark.
#pragma once

#include <string>
#include <vector>

namespace tendril {

struct PlotLine {
    std::string name;
    std::vector<double> values;  ///< one per entry of Plot::x; what is not finite leaves a gap
    bool dashed = false;         ///< for what is not measured but expected, which may lie on what is
};

/// A place along x that has a name, drawn as a line across the plot.
struct PlotMark {
    double x;
    std::string name;
};

enum class PlotScale { kLinear, kLogarithmic };    ///< on a logarithmic scale only what is above zero is shown
enum class PlotStyle { kLines, kStacked, kBars };  ///< stacked: areas on top of each other, linear

struct Plot {
    std::string title, x_label, y_label;
    std::vector<double> x;
    std::vector<PlotLine> lines;
    PlotScale scale = PlotScale::kLinear;  ///< of y
    PlotStyle style = PlotStyle::kLines;
    PlotScale x_scale = PlotScale::kLinear;
    std::vector<std::string> names = {};  ///< along x, for bars: each has one of every line, and x is not used
    std::vector<PlotMark> marks = {};
};

/// In pixels, at least 200 x 150. Rows of the legend beyond the first come on top of the height.
struct PlotSize {
    double width = 720, height = 360;
};

/// A self-contained SVG document.
std::string plot_svg(const Plot& plot, PlotSize size = {});

}  // namespace tendril
