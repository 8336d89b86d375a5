/// Moves the roots of strands with their body, and describes their motion over the substeps for the solvers.
#pragma once

#include "solvers/solver.h"
#include "strands/strands.h"
#include "world/bodies.h"
#include "world/root_anchors.h"

#include <vector>

namespace tendril {

class StrandRoots {
public:
    StrandRoots(const RootAnchors& anchors, const Strands& strands);

    /// Moves the frame and the roots of the strands to a pose.
    void place(const RootPose& pose, Strands& strands, Executor& executor) const;

    /// Moves the roots over the substeps of a step. Returns their motion in each substep and, if the strands have a
    /// shape, the rotation of their frames. Each substep spans `stride` samples of the body. `pose` receives the pose
    /// at the end of the step.
    RootMotion advance(Strands& strands, WorldBody& body, int substeps, int stride, const ShapeInput& shape,
                       RootPose& pose, Executor& executor);

private:
    /// Writes the frames of sampled roots for a pose.
    void write_frames(const Strands& strands, const ShapeInput& shape, const RootPose& pose, StrandRows& out,
                      Executor& executor) const;

    const RootAnchors* anchors_;
    std::vector<FrameSubstep> frame_;
    std::vector<Vec3d> origin_;
    StrandRows tip_offset_;
    std::vector<StrandRows> sampled_;  // by substep
    std::vector<StrandRows> frames_;   // at the start of the step and at the end of every substep
};

}  // namespace tendril
