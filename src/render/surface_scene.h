/// The meshes of a stage as Embree sees them, for drafts: what a ray from the eye meets first, and whether a lamp is
/// seen from a point. Everything is relative to the eye.
#pragma once

#include "render/light_math.h"
#include "tendril/render.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace tendril {

struct SurfaceHit {
    float distance = -1;         ///< in lengths of the ray; negative: nothing
    uint32_t mesh = 0;           ///< index on the stage
    Vec3f normal{0, 1, 0};       ///< unit, smooth, towards the origin of the ray
    Vec3f flat_normal{0, 1, 0};  ///< unit, of the triangle, to the same side
    Vec3f colour{0, 0, 0};       ///< diffuse reflectance
    bool from_behind = false;    ///< the ray met the inner side
};

class SurfaceScene {
public:
    SurfaceScene(std::span<const StageMesh> meshes, const Vec3d& eye);
    ~SurfaceScene();
    SurfaceScene(const SurfaceScene&) = delete;
    SurfaceScene& operator=(const SurfaceScene&) = delete;

    bool empty() const;
    /// Of all triangles.
    Vec3f low() const;
    Vec3f high() const;
    /// Of the thinnest mesh: how long a straight line is inside on average [m]. 0 for a sheet.
    float thickness() const;

    SurfaceHit trace(const Vec3f& origin, const Vec3f& direction, float from = 0.0f) const;
    /// How many of the four targets are seen from the origin, [0, 4].
    int count_seen(const Vec3f& origin, const std::array<Vec3f, 4>& targets) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tendril
