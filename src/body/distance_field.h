/// The signed distance to a moving surface and what the surface does there, on a grid that is built anew whenever the
/// surface has moved [Mueller12] 3.7. Particles then ask for the price of a few memory reads.
#pragma once

#include "body/field_parts.h"
#include "body/field_view.h"
#include "body/surface.h"
#include "tendril/parallel.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

enum class FieldMethod : uint8_t {
    kFast,      ///< nearest triangles near the surface, nearest points handed on from node to node elsewhere
    kMarching,  ///< the paper's way: fast marching from the nodes near the surface [Sethian95]
};

inline constexpr size_t kMostFieldNodes = size_t{1} << 24;  // floats count nodes up to here exactly

struct FieldSettings {
    /// Distance of neighbouring nodes [m]. > 0. The nodes stand still in space at multiples of it: a body that moves
    /// does not make the values flicker. The default gives a character of one metre the 60 x 30 x 60 cells of
    /// [Mueller12] section 4.
    float cell = 0.016f;
    /// 4: cells near the surface are split into 4 x 4 x 4. 1: they are not.
    int refinement = 4;
    /// What is nearer to the surface than this is refined and has exact distances at the fine nodes [m]. >= 0; two fine
    /// cells: the reach of contacts.
    float band = 0.008f;
    /// How far the grid reaches beyond the body [m]. >= 0. Farther out the distance is estimated.
    float padding = 0.05f;
    /// What would need more nodes than this gets larger cells. At most kMostFieldNodes.
    size_t most_nodes = kMostFieldNodes;
    FieldMethod method = FieldMethod::kFast;
};

class DistanceField {
public:
    /// Vertices of the mesh that the surface was made from are at `vertices` plus `origin`; `motion` is what each does
    /// (a displacement or a velocity, in any unit), or empty. The same bits for any number of threads. Allocates only
    /// when it grows.
    void build(const Surface& surface, const FieldSettings& settings, std::span<const Vec3f> vertices,
               std::span<const Vec3f> motion, const Vec3d& origin, Executor& executor);

    /// For places relative to an origin in the world. Valid until the next build.
    FieldView view(const Vec3d& origin) const;

    /// The first node in the world [m], and the distance of nodes that was used.
    Vec3d low() const { return low_; }
    float cell() const { return grid_.cell; }
    size_t node_count() const { return grid_.count(); }
    size_t brick_count() const { return real_bricks_.size(); }

private:
    bool place_grid(const FieldSettings& settings, const Vec3d& origin, Executor& executor);
    void measure_layers(const Surface& surface, float band, Executor& executor);
    void measure_coarse(const Surface& surface, const FieldSettings& settings, Executor& executor);
    void measure_refined(const Surface& surface, float band, Executor& executor);
    void store_bricks(float band, Executor& executor);
    void build_nothing();

    Vec3d low_{0, 0, 0};
    FieldGrid grid_;
    SurfacePose pose_;
    std::vector<Vec3f> carried_;  // motion of the surface's vertices
    FieldTriangles triangles_;
    NodeBlocks blocks_;
    NearestPoints nearest_;
    MarchScratch march_;
    std::vector<uint32_t> real_bricks_;  // cells
    std::vector<uint8_t> marks_;
    std::vector<int16_t> windings_;
    std::vector<float> values_, motion_;
    std::vector<int32_t> brick_table_;
    bool refined_ = false;
};

}  // namespace tendril
