/// The cost of every method on the same hair.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"
#include "tendril/settings.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tendril::bench {

struct MethodFigures {
    std::string name;
    uint32_t strands = 0;
    int substeps = 1;  ///< that the method chose for a step
    Samples step;      ///< per particle and step [ns]
    Samples leader;    ///< follow-the-leader in the same rounds [ns]
};

/// All methods with their default settings: the time of the solver, without the world.
std::vector<MethodFigures> measure_methods(int rounds, std::shared_ptr<Executor> executor,
                                           const std::function<void(int)>& progress);

/// The size of [Boercsoek20]: 500 strands of 30 particles, position based with 20 iterations, in a world with a head
/// that they touch. A step of 1/60 s [ms].
Samples measure_pbd_world(int rounds, std::shared_ptr<Executor> executor, const std::function<void(int)>& progress);

}  // namespace tendril::bench
