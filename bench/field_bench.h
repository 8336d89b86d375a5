/// The cost of building and sampling distance fields.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <functional>

namespace tendril::bench {

/// For a mesh of 5,040 triangles with its motion, on the 60 x 30 x 60 cells of [Mueller12] section 4.
struct FieldFigures {
    Samples fast, marching;                     ///< building it [ms]
    double fast_error = 0, marching_error = 0;  ///< mean error of the nodes [cells]
    Samples refined;                            ///< building the field of the bust with nodes every 4 mm [ms]
    Samples sample, refined_sample;  ///< distance and normal per particle, for 1,000,000 particles near it [ns]
};

FieldFigures measure_fields(int rounds, Executor& executor, const std::function<void(int)>& progress);

}  // namespace tendril::bench
