/// Converts strands on the stage to shaded lines in the picture and sorts the lines into tiles.
#pragma once

#include "render/line_raster.h"
#include "render/strand_light.h"
#include "render/view.h"
#include "tendril/render.h"

#include <vector>

namespace tendril {

/// The lines of all strands, in lists that do not depend on the number of threads, and the lines that cross each tile.
struct StrandLines {
    std::vector<std::vector<LinePoint>> lists;
    uint32_t tiles_x = 0, tiles_y = 0;
    std::vector<size_t> first_entry;  ///< per tile, plus the total at the end
    std::vector<LineEntry> entries;   ///< sorted by depth within each tile
};

StrandLines make_lines(const Stage& stage, const View& view, const StrandLight& light, double shutter,
                       Executor& executor);

}  // namespace tendril
