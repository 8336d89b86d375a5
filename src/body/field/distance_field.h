/// The signed distance to a moving surface and the motion of that surface, on a grid that is rebuilt whenever the
/// surface moves [Mueller12] 3.7. A particle then queries it with a few memory reads.
#pragma once

#include "body/field/field_parts.h"
#include "body/field/field_view.h"
#include "body/surface.h"
#include "tendril/parallel.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

enum class FieldMethod : uint8_t {
    kFast,      ///< exact nearest triangles near the surface; elsewhere nodes propagate nearest points to each other
    kMarching,  ///< as in the paper: fast marching from the nodes near the surface [Sethian95]
};

inline constexpr size_t kMaxFieldNodes = size_t{1} << 24;   // floats represent node numbers up to here exactly
inline constexpr size_t kMaxFieldBlocks = size_t{1} << 18;  // 330 MB with their bricks

struct FieldSettings {
    /// Distance between neighbouring nodes [m], > 0. The nodes stay fixed in space at multiples of it, so that values
    /// do not flicker when a body moves. The default gives a character of one metre the 60 x 30 x 60 cells of
    /// [Mueller12] section 4.
    float cell = 0.016f;
    /// 4 splits the cells near the surface into 4 x 4 x 4; 1 does not split them.
    int refinement = 4;
    /// Cells nearer to the surface than this are refined and have exact distances at their fine nodes [m], >= 0. The
    /// default is two fine cells, the reach of contacts.
    float band = 0.008f;
    /// How far the grid extends beyond the body [m], >= 0. Distances beyond the grid are estimated.
    float padding = 0.05f;
    /// If a grid would need more nodes than this, or a refined one more blocks of fine nodes (see NodeBlocks), its
    /// cells are enlarged, and the band with them. At most kMaxFieldNodes and kMaxFieldBlocks; at least 8 and 512.
    size_t most_nodes = kMaxFieldNodes, most_blocks = kMaxFieldBlocks;
    FieldMethod method = FieldMethod::kFast;
};

class DistanceField {
public:
    /// `vertices` are those of the mesh from which the surface was made, relative to `origin`. `motion` is per vertex a
    /// displacement or a velocity in any unit, or empty. The result has the same bits for any number of threads. Memory
    /// is allocated only when the field grows.
    void build(const Surface& surface, const FieldSettings& settings, std::span<const Vec3f> vertices,
               std::span<const Vec3f> motion, const Vec3d& origin, Executor& executor);

    /// A view for positions relative to `origin`. Valid until the next build.
    FieldView view(const Vec3d& origin) const;

    /// Position of the first node in the world [m], and the node spacing in use.
    Vec3d low() const { return low_; }
    float cell() const { return grid_.cell; }
    size_t node_count() const { return grid_.count(); }
    size_t brick_count() const { return brick_cells_.size(); }
    size_t block_count() const { return refined_ ? blocks_.slices.size() : 0; }
    /// The factor by which the cells of the last build are larger than those it was asked for.
    float enlarged() const { return enlarged_; }

private:
    bool place_surface(const Surface& surface, const FieldSettings& settings, float cell,
                       std::span<const Vec3f> vertices, const Vec3d& origin, Executor& executor);
    bool place_grid(const FieldSettings& settings, float cell, const Vec3d& origin, Executor& executor);
    void measure_layers(const Surface& surface, float band, Executor& executor);
    void measure_coarse(const Surface& surface, const FieldSettings& settings, Executor& executor);
    void measure_refined(const Surface& surface, float band, Executor& executor);
    void store_bricks(float band, Executor& executor);
    void build_empty();

    Vec3d low_{0, 0, 0};
    FieldGrid grid_;
    SurfacePose pose_;
    std::vector<Vec3f> surface_motion_;  // per vertex of the surface
    FieldTriangles triangles_;
    NodeBlocks blocks_;
    NearestPoints nearest_;
    MarchScratch march_;
    std::vector<uint32_t> brick_cells_;
    std::vector<uint8_t> marks_;
    std::vector<int16_t> windings_;
    std::vector<float> values_, motion_;
    std::vector<int32_t> brick_table_;
    bool refined_ = false;
    float enlarged_ = 1;
};

}  // namespace tendril
