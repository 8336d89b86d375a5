/// How the roots of strands follow their body over the substeps of a step, as solvers take it.
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

    /// Puts the frame and the roots of the strands where a pose has them.
    void place(const RootPose& pose, Strands& strands, Executor& executor) const;

    /// Leads the roots over the substeps of a step and says how they moved in each, and how their frames turned where
    /// strands have a shape. One substep spans `stride` samples of the body. `pose` becomes that of the end.
    RootMotion advance(Strands& strands, WorldBody& body, int substeps, int stride, const ShapeInput& shape,
                       RootPose& pose, Executor& executor);

private:
    /// Stores the frames of sampled roots as a pose has them.
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
