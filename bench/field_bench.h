/// How long distance fields take: to build, and to ask.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <functional>

namespace tendril::bench {

/// Of a mesh of 5,040 triangles on 60 x 30 x 60 cells with its motion, the size that [Mueller12] section 4 reports.
struct FieldFigures {
    Samples fast, marching;                     ///< building it [ms]
    double fast_error = 0, marching_error = 0;  ///< mean distance from the truth over the nodes [cells]
    Samples refined;                            ///< building that of the built-in bust with nodes every 4 mm [ms]
    Samples sample, refined_sample;  ///< distance and normal at 1,000,000 particles of strands near it [ns] each
};

FieldFigures measure_fields(int rounds, Executor& executor, const std::function<void(int)>& progress);

}  // namespace tendril::bench
