/// Line, area and bar plots as SVG, readable on light and dark backgrounds.
#pragma once

#include <string>
#include <vector>

namespace tendril {

struct PlotLine {
    std::string name;
    std::vector<double> values;  ///< one per entry of Plot::x; a non-finite value leaves a gap
    bool dashed = false;         ///< for expected rather than measured values: stays visible on top of a measured line
};

/// A named position along x, drawn as a vertical line across the plot.
struct PlotMark {
    double x;
    std::string name;
};

enum class PlotScale { kLinear, kLogarithmic };    ///< a logarithmic scale shows only values above zero
enum class PlotStyle { kLines, kStacked, kBars };  ///< stacked: areas on top of each other, always on a linear scale

struct Plot {
    std::string title, x_label, y_label;
    std::vector<double> x;
    std::vector<PlotLine> lines;
    PlotScale scale = PlotScale::kLinear;  ///< of y
    PlotStyle style = PlotStyle::kLines;
    PlotScale x_scale = PlotScale::kLinear;
    std::vector<std::string> names = {};  ///< names of the groups of bars, each with one bar per line; replaces `x`
    std::vector<PlotMark> marks = {};
};

/// Size in pixels, at least 200 x 150. Legend rows beyond the first add to the height.
struct PlotSize {
    double width = 720, height = 360;
};

/// Returns the plot as a self-contained SVG document.
std::string plot_svg(const Plot& plot, PlotSize size = {});

}  // namespace tendril
