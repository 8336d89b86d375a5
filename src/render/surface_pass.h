/// What is behind the hair: meshes, the ground and the backdrop, first how far away they are, then, where the hair lets
/// them be seen, their light.
#pragma once

#include "render/light.h"
#include "render/light_volume.h"
#include "render/line_raster.h"
#include "render/surface_scene.h"
#include "render/view.h"
#include "tendril/render.h"

#include <array>
#include <vector>

namespace tendril {

/// What one ray from the eye meets.
struct SurfaceSample {
    enum class Kind : uint8_t { kBackdrop, kGround, kMesh };
    Kind kind = Kind::kBackdrop;
    uint32_t mesh = 0;
    float depth = 1e30f;  ///< [m] along the view
    Vec3f ray{0, 0, -1};
    Vec3f normal{0, 1, 0}, flat_normal{0, 1, 0};
    Vec3f colour{0, 0, 0};  ///< of a mesh: diffuse reflectance
    int part = -1;          ///< which of the sub-samples of its pixel, or all of it
};

/// Pixels whose four sub-samples see the same are looked at once.
struct SurfacePixel {
    std::array<SurfaceSample, kSubSamples> samples;  ///< the first for all where `is_even`
    bool is_even = true;
};

/// Light on the ground at every fourth pixel of a tile, as far as it has been asked for.
struct GroundLattice {
    static constexpr int kStep = 4, kSide = kTileSize / kStep + 1;
    struct Node {
        bool is_known = false;
        Vec3f light{0, 0, 0};  ///< negative: no ground there
    };
    int x = 0, y = 0;  ///< of its first node [pixels]
    std::array<Node, static_cast<size_t>(kSide) * kSide> nodes;
};

class SurfacePass {
public:
    SurfacePass(const Stage& stage, const View& view, const SurfaceScene& scene, const std::vector<Lamp>& lamps,
                const LightVolume& volume);

    /// All pixels of a tile. Edges are found by comparing neighbours, and only there the rays are four per pixel.
    void trace(const LineTile& tile, std::vector<SurfacePixel>& pixels) const;
    /// Light towards the eye at a place of the picture; the lattice is that of its tile.
    Vec3f shade(const SurfaceSample& sample, float x, float y, GroundLattice& lattice) const;

private:
    SurfaceSample trace_one(float x, float y) const;
    /// The ground, seen from above only, or the backdrop.
    SurfaceSample ground_at(float x, float y) const;
    Vec3f backdrop(float y) const;
    Vec3f light_on(const SurfaceSample& sample) const;
    Vec3f light_on_ground(const SurfaceSample& sample, float x, float y, GroundLattice& lattice) const;
    bool may_block(const Lamp& lamp, const Vec3f& from) const;
    float seen_by_rays(const Lamp& lamp, const Vec3f& from, int rays, int first, int step) const;
    float seen_share(const Lamp& lamp, const SurfaceSample& sample, const Vec3f& from) const;
    float lift_of(const SurfaceSample& sample) const;
    Vec3f lit_by(size_t lamp, const SurfaceSample& sample, const Vec3f& p) const;
    Vec3f ambient(const SurfaceSample& sample, const Vec3f& p) const;

    const Stage& stage_;
    const View& view_;
    const SurfaceScene& scene_;
    const std::vector<Lamp>& lamps_;
    const LightVolume& volume_;
    float ground_;  ///< height from the eye [m]
    float extent_;  ///< of what stands on the ground [m]: it fades in proportion
    Vec3f middle_;  ///< of it, from the eye
    bool thin_;     ///< ropes and the like: a few rays to a lamp miss them
};

}  // namespace tendril
