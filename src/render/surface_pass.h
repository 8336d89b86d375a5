/// Draws the surfaces behind the hair: meshes, the ground and the backdrop. A first pass finds their depth; a second
/// shades them where they are visible through the hair.
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

/// The surface that one ray from the eye hits.
struct SurfaceSample {
    enum class Kind : uint8_t { kBackdrop, kGround, kMesh };
    Kind kind = Kind::kBackdrop;
    uint32_t mesh = 0;
    float depth = 1e30f;  ///< [m] along the view direction
    Vec3f ray{0, 0, -1};
    Vec3f normal{0, 1, 0}, flat_normal{0, 1, 0};
    Vec3f colour{0, 0, 0};  ///< diffuse reflectance of a mesh
    int sub_sample = -1;    ///< index of the sub-sample in its pixel; -1 if it stands for the whole pixel
};

/// A pixel has one sample if its surface is uniform, and four at edges.
struct SurfacePixel {
    std::array<SurfaceSample, kSubSamples> samples;  ///< only the first is used if `is_uniform`
    bool is_uniform = true;
};

/// The light on the ground at every fourth pixel of a tile, computed on demand.
struct GroundLattice {
    static constexpr int kStep = 4, kSide = kTileSize / kStep + 1;
    struct Node {
        bool is_known = false;
        Vec3f light{0, 0, 0};  ///< negative if there is no ground
    };
    int x = 0, y = 0;  ///< of its first node [pixels]
    std::array<Node, static_cast<size_t>(kSide) * kSide> nodes;
};

class SurfacePass {
public:
    SurfacePass(const Stage& stage, const View& view, const SurfaceScene& scene, const std::vector<Lamp>& lamps,
                const LightVolume& volume);

    /// Traces all pixels of a tile. Compares neighbours to find edges, and traces four rays per pixel only there.
    void trace(const LineTile& tile, std::vector<SurfacePixel>& pixels) const;
    /// The radiance towards the eye at a position in the picture. The lattice belongs to the tile.
    Vec3f shade(const SurfaceSample& sample, float x, float y, GroundLattice& lattice) const;

private:
    SurfaceSample trace_one(float x, float y) const;
    /// The ground, which is visible only from above, or the backdrop.
    SurfaceSample ground_at(float x, float y) const;
    Vec3f backdrop(float y) const;
    Vec3f light_on(const SurfaceSample& sample) const;
    Vec3f light_on_ground(const SurfaceSample& sample, float x, float y, GroundLattice& lattice) const;
    bool may_block(const Lamp& lamp, const Vec3f& from) const;
    float visible_share_of_rays(const Lamp& lamp, const Vec3f& from, int rays, int first, int step) const;
    float visible_share(const Lamp& lamp, const SurfaceSample& sample, const Vec3f& from) const;
    float shadow_ray_offset(const SurfaceSample& sample) const;
    Vec3f lit_by(size_t lamp, const SurfaceSample& sample, const Vec3f& p) const;
    Vec3f ambient(const SurfaceSample& sample, const Vec3f& p) const;

    const Stage& stage_;
    const View& view_;
    const SurfaceScene& scene_;
    const std::vector<Lamp>& lamps_;
    const LightVolume& volume_;
    float ground_height_;   ///< height relative to the eye [m]
    float extent_;          ///< diagonal of the stage's bounding box [m]; the ground fades out in proportion to it
    Vec3f centre_;          ///< centre of that box, relative to the eye
    bool has_thin_meshes_;  ///< there are thin meshes such as ropes, which a few rays to a lamp would miss
};

}  // namespace tendril
