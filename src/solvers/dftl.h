/// Dynamic follow-the-leader over the blocks of a groom: the input of its kernels, and the kernels, which use the best
/// instruction set of the processor. dftl.cpp solves blocks of hair and ropes without colliders; dftl_touching.cpp
/// solves hair with colliders, and strands one by one.
#pragma once

#include "solvers/solver.h"

#include <cstddef>
#include <span>

namespace tendril {

/// The input of the kernels for one step.
struct DftlTask : StrandsTask {
    const DftlSettings* settings;
    float correction;  ///< s of Eq. 9, per substep
    float* gaps;       ///< per block: largest distance to a hold out of reach [m]
};

/// A strand that is solved by itself instead of with its block, and its holds.
struct LoneStrand {
    size_t strand;
    BlockRef lane;
    std::span<const Hold> holds;
    bool root_held, tip_held;
    size_t block;  ///< counted over all buckets
    size_t block_in_bucket, lane_index;
    float gap = 0;
    float* saved = nullptr;  ///< its state before the step
};

/// Solves blocks of hair, which is held at its root alone, with colliders.
void solve_touching_hair(const DftlTask& task, size_t begin, size_t end);
void solve_lone_strand(const DftlTask& task, LoneStrand& lone);

}  // namespace tendril
