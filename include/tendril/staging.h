/// How a scene is put before a camera, as far as pictures and live views have that in common: where the camera and the
/// ground are, and how thick strands are drawn.
#pragma once

#include "tendril/groom.h"
#include "tendril/render.h"
#include "tendril/scene.h"
#include "tendril/world.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tendril {

/// What is to be expected in the picture: strands where they are and where they would hang, and the bodies of a world
/// wherever they go within a time [s].
void add_expected_places(const CurvesView& curves, std::vector<Vec3d>& places);
void add_expected_places(World& world, double duration, std::vector<Vec3d>& places);

/// Where the scene has it, without lens and shutter.
Camera scene_camera(const SceneRender& render, std::span<const Vec3d> places);
Ground scene_ground(const Scene& scene, std::span<const Vec3d> places);

/// How many times as thick strands are drawn as their widths say, which may be empty: ten thousand strands stand for
/// the hundred thousand of a head when they are thicker, and none is so thin, be it by a unit that a file does not
/// tell, that nothing can be seen. `all_strands` of the picture count.
float drawn_width_scale(const SceneRender& render, const Camera& camera, size_t all_strands,
                        std::span<const float> widths);

}  // namespace tendril
