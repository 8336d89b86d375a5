/// How long hair against hair takes on a density grid.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <functional>

namespace tendril::bench {

/// Of 1,000,000 particles of hair that has fallen onto itself, so that all of it is crowded [ns] per particle.
struct GridFigures {
    Samples bound;      ///< finding the box around the hair
    Samples add;        ///< adding particles to nodes
    Samples normalise;  ///< adding up the parts, velocities from momenta, smoothing
    Samples act;        ///< friction and repulsion
    Samples total;      ///< all of it
    double cell = 0;    ///< as chosen for this hair [m]
};

GridFigures measure_grid(int rounds, Executor& executor, const std::function<void(int)>& progress);

}  // namespace tendril::bench
