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

/// Adds the positions that a picture should show: strands where they are and where they would hang, or all bodies of a
/// world at any time up to `duration` [s].
void add_expected_places(const CurvesView& curves, std::vector<Vec3d>& positions);
void add_expected_places(World& world, double duration, std::vector<Vec3d>& positions);

/// The camera and the ground that the scene asks for. The camera has no aperture and no shutter yet.
Camera scene_camera(const SceneRender& render, std::span<const Vec3d> positions);
Ground scene_ground(const Scene& scene, std::span<const Vec3d> positions);

/// The factor that scales the widths of strands for drawing. Ten thousand strands stand in for the hundred thousand of
/// a head when they are drawn thicker, and strands that would be too thin to see are widened, for example when a file
/// does not state its unit. `all_strands` is the number of strands in the picture; `widths` may be empty.
float drawn_width_scale(const SceneRender& render, const Camera& camera, size_t all_strands,
                        std::span<const float> widths);

}  // namespace tendril
