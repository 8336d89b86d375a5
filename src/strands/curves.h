/// The points and velocities of strands, from their edges.
#pragma once

#include "strands/layout.h"
#include "tendril/vec3.h"

#include <cstddef>

namespace tendril {

/// A block of strands, and where to write its curves.
struct CurveBlock {
    const float* now;       ///< edges [level][kStateRows][16]
    const float* previous;  ///< edges at the start of the last step [level][kPreviousRows][16]
    const float* rest;      ///< rest lengths [16], `rest_stride` floats per level
    size_t rest_stride;
    size_t levels, strands;
    float blend;       ///< interpolates over the last step: 0 is its start, 1 its end
    float per_second;  ///< one over the length of that step [1/s]
    bool stretched;    ///< whether to interpolate the lengths of edges; otherwise they have their rest length
    alignas(64) float root[3][kLanes];        ///< position
    alignas(64) float root_moved[3][kLanes];  ///< displacement over the last step [m]
    Vec3f *points[kLanes], *velocities[kLanes];
};

void write_curves(const CurveBlock& block);

}  // namespace tendril
