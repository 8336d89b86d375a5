/// Particles of strands into flat arrays and back, block by block, on the best instruction set of the processor. Within
/// a block they follow each other level by level, without the lanes of padding.
#pragma once

#include "strands/frame.h"
#include "strands/strands.h"
#include "tendril/vec3.h"

#include <cstddef>

namespace tendril {

/// One block of a groom, and where its particles are in the arrays.
struct FlatBlock {
    size_t groom = 0, bucket = 0, block = 0;
    size_t first = 0, count = 0;
};

/// Where particles are, from the strands' origin, and their mean velocity over the last step: how far they have moved
/// times `per_second`. `frame`: how that of rigid roots moved over it.
void gather_block(Strands& strands, const FrameSubstep& frame, const FlatBlock& block, float per_second,
                  Vec3f* positions, Vec3f* velocities);

/// Adds `share` of the accelerations to the stored drift, but for particles that a body holds.
void scatter_block(Strands& strands, const FlatBlock& block, float share, const Vec3f* accelerations);

}  // namespace tendril
