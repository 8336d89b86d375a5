/// Good and final pictures: light is followed backwards from the camera through hair and off surfaces.
#pragma once

#include "tendril/render.h"

namespace tendril {

/// The settings are checked and their zeros filled in.
Image trace_paths(const Stage& stage, const Camera& camera, const RenderSettings& settings, Executor& executor,
                  const RenderProgress& progress);

}  // namespace tendril
