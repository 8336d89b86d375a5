/// Measures the strands of one groom. Sums are formed in an order that does not depend on threads.
#pragma once

#include "strands/strands.h"
#include "tendril/world.h"

#include <vector>

namespace tendril {

class Meter {
public:
    /// `mass` is that of a particle [kg], `dt` the length of the last step [s].
    Metrics measure(Strands& strands, const Vec3d& gravity, double mass, double dt, Executor& executor);

private:
    struct BlockSums {
        double stretch_max = 0, stretch = 0, speed2 = 0, fastest2 = 0, height = 0;
        size_t nonfinite = 0, segments = 0, particles = 0;
    };
    friend struct MeterTask;
    std::vector<BlockSums> sums_;
};

}  // namespace tendril
