/// Which touching pairs of segments the search of [Rungjiratananon11] section 6 misses.
#pragma once

#include "tendril/vec3.h"

#include <array>
#include <cstddef>
#include <vector>

namespace tendril::bench {

/// Lengths in units of a segment.
struct VoxelFigures {
    struct Row {
        double radius = 0;
        std::vector<size_t> missed;  ///< by the voxels, for each of their sizes
        size_t missed_exactly = 0;   ///< by the exact search
    };
    /// A pair that voxels as long as a segment miss even without others nearby, with its first end in the corner of a
    /// voxel.
    struct Pair {
        std::array<Vec3d, 4> ends;  ///< from 0 to 1 and from 2 to 3
        double radius = 0;
    };
    std::vector<double> voxels;  ///< their sides
    size_t pairs = 0;            ///< touching pairs searched for every row and size
    std::vector<Row> rows;
    Pair example;
};

/// Draws `pair_count` touching pairs of segments and puts each at `placements` random positions.
VoxelFigures measure_voxels(size_t pair_count, size_t placements);

}  // namespace tendril::bench
