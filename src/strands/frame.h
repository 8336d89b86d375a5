/// How a rigid frame moves over one substep, as kernels need it.
#pragma once

#include "tendril/vec3.h"

namespace tendril {

/// Differences are taken in double, so that small motions far from the world's origin keep their digits.
struct FrameSubstep {
    Vec3f rotation[3];  ///< rows of the frame's rotation at the end of the substep
    Vec3f turned[3];    ///< rows of its change over the substep
    Vec3f moved;        ///< change of its position [m]
};

FrameSubstep frame_step(const Pose& before, const Pose& after);

}  // namespace tendril
