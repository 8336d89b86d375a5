/// The draft quality of the renderer: strands drawn as lines over surfaces, without noise, in a fraction of a second.
///
/// Strands are lit through a grid of their density; lines thinner than a pixel are as transparent as they are thin.
/// Lines are put on each other in the order of their middles, per tile, not per pixel: pieces are a few pixels long, so
/// that the difference is not seen. With an open shutter strands are drawn several times around the moment of the
/// picture; meshes stay sharp. There is no depth of field.
#pragma once

#include "tendril/render.h"

namespace tendril {

/// The arrays of the stage fit together and the size is in range; anything else may be odd.
Image draw_draft(const Stage& stage, const Camera& camera, const RenderSettings& settings, Executor& executor,
                 const RenderProgress& progress);

}  // namespace tendril
