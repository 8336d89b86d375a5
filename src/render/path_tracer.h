/// The path tracer for good and final pictures: follows light backwards from the camera through hair and off surfaces.
#pragma once

#include "tendril/render.h"

namespace tendril {

/// Requires validated settings, with samples and bounces above 0.
Image trace_paths(const Stage& stage, const Camera& camera, const RenderSettings& settings, Executor& executor,
                  const RenderProgress& progress);

}  // namespace tendril
