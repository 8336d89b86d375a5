/// Follow-the-leader with both shape targets: the engine compared with plain code.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <functional>
#include <memory>

namespace tendril::bench {

struct ShapeFigures {
    size_t particles = 0;
    Samples step, baseline;  ///< per particle: the engine on all threads, plain code on one [ns]
    double difference = 0;   ///< between tips after some steps [m]
};

ShapeFigures measure_shapes(std::shared_ptr<Executor> executor, int rounds, const std::function<void(int)>& progress);

}  // namespace tendril::bench
