/// The contents of a hair file, as text and as JSON.
#pragma once

#include "tendril/curve_file.h"

#include <string>
#include <vector>

namespace tendril::app {

struct GroomInfo {
    std::string file, format, kind, unit, up;
    size_t strands = 0, points = 0, min_points = 0, max_points = 0, frames = 0;
    double shortest = 0, median = 0, longest = 0;  ///< strands, in the unit of the file
    double shortest_segment = 0, longest_segment = 0;
    Vec3d low{0, 0, 0}, high{0, 0, 0};  ///< box of all finite points
    std::vector<std::string> extras;    ///< widths, colours, ...
    std::vector<LeftOut> left_out;      ///< parts of the file that are not read
    std::vector<Repair> repairs;        ///< what a simulation would have to repair
    std::vector<std::string> warnings;
};

GroomInfo describe_curves(const std::string& file, const CurveFile& curves);
std::string info_text(const std::vector<GroomInfo>& infos);
std::string info_json(const std::vector<GroomInfo>& infos);

}  // namespace tendril::app
