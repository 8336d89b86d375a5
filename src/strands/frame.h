/// The motion of a frame over one substep, in the form that kernels use.
#pragma once

#include "tendril/vec3.h"

namespace tendril {

/// Differences are computed in double precision, so that small motions far from the world's origin stay accurate.
struct FrameSubstep {
    Vec3f rotation[3];  ///< rows of the frame's rotation at the end of the substep
    Vec3f turned[3];    ///< rows of the change of the rotation over the substep
    Vec3f moved;        ///< change of the position over the substep [m]
};

FrameSubstep frame_step(const Pose& before, const Pose& after);

}  // namespace tendril
