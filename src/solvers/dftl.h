/// Dynamic follow-the-leader over the blocks of a groom: what its kernels are given, and the kernels, which run on the
/// best instruction set of the processor. Hair and ropes with nothing around are in dftl.cpp, what touches in
/// dftl_touching.cpp.
#pragma once

#include "solvers/solver.h"

#include <cstddef>
#include <span>

namespace tendril {

/// A step as the kernels see it.
struct DftlTask : StrandsTask {
    const DftlSettings* settings;
    float correction;  ///< s of Eq. 9, per substep
    float* gaps;       ///< per block: largest distance to a hold out of reach
};

/// A strand that is solved by itself, and its holds.
struct LoneStrand {
    size_t strand;
    BlockRef lane;
    std::span<const Hold> holds;
    bool root_held, tip_held;
    size_t block;  ///< over all buckets
    size_t block_in_bucket, lane_index;
    float gap = 0;
    float* saved = nullptr;  ///< its state before the step
};

/// Blocks of hair (held at its root alone) among shapes and skins.
void solve_touching_hair(const DftlTask& task, size_t begin, size_t end);
void solve_lone_strand(const DftlTask& task, LoneStrand& lone);

}  // namespace tendril
