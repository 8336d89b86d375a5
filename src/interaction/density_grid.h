/// Density and velocity of hair on a regular grid, which is laid out around the hair anew in every step.
///
/// Nodes are at integer multiples of the cell size in the world, so densities do not change when the grid follows the
/// hair. Particles are added to several partial grids in parallel, each from a fixed range of particles, and the
/// partial grids are summed in order. Their number depends on the hair, never on the number of threads.
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
    /// Maximum number of nodes: 32 MB for the field, and as much for each part. Larger boxes need larger cells.
    static constexpr double kMaxNodes = 1 << 21;
    static double nodes_around(const GridBox& box, double cell);

    /// Returns a groom that is not on a grid yet, with the members that `bound` needs.
    static GriddedGroom start(Strands& strands);
    /// Returns the bounding box of its particles.
    GridBox bound(const GriddedGroom& groom, Executor& executor);

    /// Lays out the nodes around a box, places the grooms on the grid and divides the work.
    void lay_out(const GridBox& box, double cell, std::span<GriddedGroom> grooms);
    /// The three passes, for the grooms that `lay_out` placed on the grid.
    void add(std::span<const GriddedGroom> grooms, Executor& executor);
    void normalise(Executor& executor);
    void act(std::span<const GriddedGroom> grooms, Executor& executor);
    /// Replaces `act` when rest densities are measured: stores the densities that the particles see.
    void keep(std::span<const GriddedGroom> grooms, Executor& executor);

private:
    void cut_into_ranges(size_t groom, const Strands& strands);

    GridSize size_;
    size_t parts_ = 1;
    std::vector<BlockRange> ranges_;
    std::vector<BlockBox> boxes_;
    // These buffers only grow. The parts in `nodes_` are zero between steps.
    AlignedFloats nodes_, field_, densities_;
};

}  // namespace tendril
