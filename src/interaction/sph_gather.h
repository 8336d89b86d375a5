/// Kernels that copy particles of strands to flat arrays and accelerations back, block by block. In the arrays, the
/// particles of a block are ordered level by level, without padding lanes.
#pragma once

#include "strands/frame.h"
#include "strands/strands.h"
#include "tendril/vec3.h"

#include <cstddef>

namespace tendril {

/// One block of a groom, and the range of its particles in the arrays.
struct FlatBlock {
    size_t groom = 0, bucket = 0, block = 0;
    size_t first = 0, count = 0;
};

/// Writes positions relative to the strands' origin, and mean velocities over the last step: displacement times
/// `per_second`. `frame` is the motion of the frame over that step, for roots on one bone.
void gather_block(Strands& strands, const FrameSubstep& frame, const FlatBlock& block, float per_second,
                  Vec3f* positions, Vec3f* velocities);

/// Adds `share` times the accelerations to the drift, except for held roots and tips.
void scatter_block(Strands& strands, const FlatBlock& block, float share, const Vec3f* accelerations);

}  // namespace tendril
