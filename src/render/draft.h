/// The draft quality of the renderer: strands rasterized as lines over surfaces, without noise, in a fraction of a
/// second.
///
/// A density grid attenuates the light on strands. A line thinner than a pixel is drawn with partial opacity. Lines are
/// sorted by the depth of their midpoints per tile, not per pixel; they are only a few pixels long, so the difference
/// is not visible. With an open shutter, strands are drawn several times around the time of the picture, but meshes
/// stay sharp. There is no depth of field.
#pragma once

#include "tendril/render.h"

namespace tendril {

/// Requires matching array sizes and a picture size in range. Other values, such as positions, may be invalid.
Image draw_draft(const Stage& stage, const Camera& camera, const RenderSettings& settings, Executor& executor,
                 const RenderProgress& progress);

}  // namespace tendril
