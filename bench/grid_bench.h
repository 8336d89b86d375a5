/// The cost of interaction through a density grid.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <functional>

namespace tendril::bench {

/// For 1,000,000 particles of hair that has fallen onto itself and is crowded everywhere [ns per particle].
struct GridFigures {
    Samples bound;      ///< finding the bounding box of the hair
    Samples add;        ///< adding particles to nodes
    Samples normalise;  ///< summing the partial grids, velocities from momenta, smoothing
    Samples act;        ///< friction and repulsion
    Samples total;
    double cell = 0;  ///< chosen for this hair [m]
};

GridFigures measure_grid(int rounds, Executor& executor, const std::function<void(int)>& progress);

}  // namespace tendril::bench
