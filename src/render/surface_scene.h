/// The meshes of a stage as an Embree scene, for drafts: closest hits and lamp visibility. All positions are relative
/// to the eye.
#pragma once

#include "render/light_math.h"
#include "tendril/render.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace tendril {

struct SurfaceHit {
    float distance = -1;         ///< in units of the length of the ray's direction; negative if nothing was hit
    uint32_t mesh = 0;           ///< index on the stage
    Vec3f normal{0, 1, 0};       ///< smooth, unit length, facing the origin of the ray
    Vec3f flat_normal{0, 1, 0};  ///< of the triangle, unit length, on the same side
    Vec3f colour{0, 0, 0};       ///< diffuse reflectance
    bool from_behind = false;    ///< the ray hit the inner side
};

class SurfaceScene {
public:
    SurfaceScene(std::span<const StageMesh> meshes, const Vec3d& eye);
    ~SurfaceScene();
    SurfaceScene(const SurfaceScene&) = delete;
    SurfaceScene& operator=(const SurfaceScene&) = delete;

    bool empty() const;
    /// The bounds of all triangles.
    Vec3f low() const;
    Vec3f high() const;
    /// The mean chord length of the thinnest mesh [m]; about 0 for an open sheet.
    float thickness() const;

    SurfaceHit trace(const Vec3f& origin, const Vec3f& direction, float from = 0.0f) const;
    /// The number of targets visible from the origin, [0, 4].
    int count_seen(const Vec3f& origin, const std::array<Vec3f, 4>& targets) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tendril
