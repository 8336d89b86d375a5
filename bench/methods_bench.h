/// What every method of moving strands costs on the same hair.
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
    Samples step;    ///< [ns] per particle and step
    Samples leader;  ///< follow-the-leader, measured in turns with it [ns]
};

/// All methods with their default settings.
std::vector<MethodFigures> measure_methods(int rounds, Executor& executor, const std::function<void(int)>& progress);

/// The size of [Boercsoek20]: 500 strands of 30 particles, position based with 20 iterations, in a world with a head
/// that they touch. A step of 1/60 s [ms].
Samples measure_pbd_world(int rounds, std::shared_ptr<Executor> executor, const std::function<void(int)>& progress);

}  // namespace tendril::bench
