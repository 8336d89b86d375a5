/// Places the camera and the ground for a scene and chooses how thick its strands are drawn. Pictures and live views
/// share this.
#pragma once

#include "tendril/groom.h"
#include "tendril/render.h"
#include "tendril/scene.h"
#include "tendril/world.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tendril {

/// Adds the positions that a picture should show: of strands, their current positions and those of the tips when they
/// hang; of a world, the vertices of all bodies at any time up to `duration` [s].
void add_expected_positions(const CurvesView& curves, std::vector<Vec3d>& positions);
void add_expected_positions(World& world, double duration, std::vector<Vec3d>& positions);

/// The camera and the ground that the scene asks for. The camera has no aperture and no shutter yet.
Camera scene_camera(const SceneRender& render, std::span<const Vec3d> positions);
Ground scene_ground(const Scene& scene, std::span<const Vec3d> positions);

/// The look of hair by its name. For hair with the colours of its groom it is the default look.
Result<HairLook> hair_look_of(const SceneLook& look);

/// The factor that scales the widths of strands for drawing. Ten thousand strands stand in for the hundred thousand of
/// a head when they are drawn thicker, and strands that would be too thin to see are widened, for example when a file
/// does not state its unit. `all_strands` is the number of strands in the picture; `widths` may be empty.
float drawn_width_scale(const SceneRender& render, const SceneLook& look, const Camera& camera, size_t all_strands,
                        std::span<const float> widths);

}  // namespace tendril
