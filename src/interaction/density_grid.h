/// Density and velocity of hair on a regular grid that is laid around it anew every step.
///
/// Nodes are at whole multiples of the cell in the world, so that a grid that follows the hair shows it the same
/// densities. Particles are added on several grids at once, each from a fixed range of them, and the grids are added up
/// in order: how many there are depends on the hair, never on the threads.
#pragma once

#include "interaction/clusters.h"
#include "interaction/grid_kernels.h"
#include "strands/strands.h"
#include "tendril/parallel.h"

#include <span>
#include <vector>

namespace tendril {

class DensityGrid {
public:
    /// The most nodes that a grid may have: 32 MB, and as much for each part. A box that needs more needs larger cells.
    static constexpr double kMaxNodes = 1 << 21;
    static double nodes_around(const GridBox& box, double cell);

    /// A groom before it is on a grid: all that `bound` needs.
    static GriddedGroom start(Strands& strands);
    /// The box around its particles.
    GridBox bound(const GriddedGroom& groom, Executor& executor);

    /// Lays the nodes around a box, puts the grooms on them and plans the work.
    void lay(const GridBox& box, double cell, std::span<GriddedGroom> grooms);
    /// The three passes, for grooms that have been put on the grid.
    void add(std::span<const GriddedGroom> grooms, Executor& executor);
    void normalise(Executor& executor);
    void act(std::span<const GriddedGroom> grooms, Executor& executor);
    /// In place of the last: keeps the densities.
    void keep(std::span<const GriddedGroom> grooms, Executor& executor);

private:
    void cut_into_ranges(size_t groom, const Strands& strands);

    GridSize size_;
    size_t parts_ = 1;
    std::vector<BlockRange> ranges_;
    std::vector<BlockBox> boxes_;
    // They grow and never shrink. Parts are zero between steps.
    AlignedFloats nodes_, field_, densities_;
};

}  // namespace tendril
