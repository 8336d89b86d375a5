/// From strands on the stage to lit lines in the picture, and which of them cross which tile.
#pragma once

#include "render/line_raster.h"
#include "render/strand_light.h"
#include "render/view.h"
#include "tendril/render.h"

#include <vector>

namespace tendril {

/// Lines of all strands, in lists that do not depend on the number of threads, and per tile those that cross it.
struct StrandLines {
    std::vector<std::vector<LinePoint>> lists;
    uint32_t tiles_x = 0, tiles_y = 0;
    std::vector<size_t> first_entry;  ///< per tile, and one more
    std::vector<LineEntry> entries;   ///< of a tile by depth
};

StrandLines make_lines(const Stage& stage, const View& view, const StrandLight& light, double shutter,
                       Executor& executor);

}  // namespace tendril
