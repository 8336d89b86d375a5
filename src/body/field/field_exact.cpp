// Finds the nearest triangle of every node within a band around the surface: each triangle visits the blocks of nodes
// near it and is compared with 16 nodes at a time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "body/field/field_exact.cpp"
#include <hwy/foreach_target.h>

#include "body/field/field_parts.h"
#include "body/triangle-inl.h"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

using F = Lanes<1>;

HWY_INLINE FlatTriangle<F> splat_triangle(const tendril::FlatTriangle<float>& t)
{
    return {splat<F>(t.a),      splat<F>(t.axis_x),  splat<F>(t.axis_y), splat<F>(t.normal),
            splat<F>(t.bx),     splat<F>(t.cx),      splat<F>(t.cy),     splat<F>(t.per_bx),
            splat<F>(t.per_cy), splat<F>(t.per_bc2), splat<F>(t.per_ca2)};
}

/// Compares one triangle with the nodes of one layer of blocks.
class TriangleVisit {
public:
    HWY_INLINE TriangleVisit(const FieldTriangles& triangles, uint32_t which, float band, int layer, NodeBlocks& blocks)
        : blocks_(blocks),
          flat_(triangles.flat[which]),
          low_(triangles.low[which]),
          high_(triangles.high[which]),
          index_(static_cast<float>(which)),
          band_(band),
          layer_(layer),
          lanes_(splat_triangle(flat_))
    {
        // Node coordinates within a tile, x fastest.
        HWY_ALIGN float i[16], j[16];
        for (int n = 0; n < 16; ++n) {
            const int row = n / 4;
            i[n] = static_cast<float>(n % 4);
            j[n] = static_cast<float>(row);
        }
        lane_i_ = LaneTraits<F>::load(i, 16);
        lane_j_ = LaneTraits<F>::load(j, 16);
    }

    HWY_INLINE void run()
    {
        const float per_step = 1 / blocks_.step;
        const auto first = [&](float low)
                               HWY_ATTR { return std::max(0, static_cast<int>(std::ceil((low - band_) * per_step))); };
        const auto last = [&](float high, int count) HWY_ATTR {
            return std::min(4 * count - 1, static_cast<int>(std::floor((high + band_) * per_step)));
        };
        const int i0 = first(low_.x), i1 = last(high_.x, blocks_.counts[0]);
        const int j0 = first(low_.y), j1 = last(high_.y, blocks_.counts[1]);
        k0_ = std::max(0, first(low_.z) - 4 * layer_);
        k1_ = std::min(3, last(high_.z, blocks_.counts[2]) - 4 * layer_);
        if (i0 > i1 || j0 > j1) return;
        for (int j = j0 / 4; j <= j1 / 4; ++j)
            for (int i = i0 / 4; i <= i1 / 4; ++i) {
                const int32_t block = blocks_.table[blocks_.index(i, j, layer_)];
                if (block >= 0) visit_block(static_cast<size_t>(block), i, j);
            }
    }

private:
    /// Squared gap along one axis between a range of nodes and the triangle's bounding box.
    static HWY_INLINE float gap2(float first, float last, float low, float high)
    {
        const float gap = std::max(0.0f, std::max(low - last, first - high));
        return gap * gap;
    }

    /// Skips tiles beyond the band, judged by the bounding box of the triangle and by its plane.
    HWY_INLINE void visit_block(size_t block, int i, int j)
    {
        const float step = blocks_.step, side = 3 * step, half = 1.5f * step;
        const Vec3f &n = flat_.normal, &a = flat_.a;
        const float x = static_cast<float>(4 * i) * step, y = static_cast<float>(4 * j) * step;
        const float box_gap2 = gap2(x, x + side, low_.x, high_.x) + gap2(y, y + side, low_.y, high_.y);
        const float plane_offset = (x + half - a.x) * n.x + (y + half - a.y) * n.y;
        const float max_offset = band_ + half * (std::abs(n.x) + std::abs(n.y));
        const int end = std::min(k1_ + 1, static_cast<int>(blocks_.slices[block]));
        for (int k = k0_; k < end; ++k) {
            const float z = static_cast<float>(4 * layer_ + k) * step;
            if (box_gap2 + gap2(z, z, low_.z, high_.z) <= band_ * band_ &&
                std::abs(plane_offset + (z - a.z) * n.z) <= max_offset)
                visit_tile(block, i, j, k);
        }
    }

    HWY_INLINE void visit_tile(size_t block, int i, int j, int k)
    {
        const F step = splat<F>(blocks_.step);
        const Vec3<F> p = {(splat<F>(static_cast<float>(4 * i)) + lane_i_) * step,
                           (splat<F>(static_cast<float>(4 * j)) + lane_j_) * step,
                           splat<F>(static_cast<float>(4 * layer_ + k)) * step};
        const size_t at = block * NodeBlocks::kNodes + static_cast<size_t>(k) * NodeBlocks::kTile;
        const F best = load_anywhere(blocks_.distance2.data() + at);
        F found = nearest_on(lanes_, p).distance2;
        found = select(found < splat<F>(band_ * band_), found, splat<F>(NodeBlocks::kNone2));
        const auto nearer = found < best;
        // Store unconditionally: a branch would be mispredicted every other time.
        store_anywhere(min(found, best), blocks_.distance2.data() + at);
        float* triangles = blocks_.triangle.data() + at;
        store_anywhere(select(nearer, splat<F>(index_), load_anywhere(triangles)), triangles);
    }

    NodeBlocks& blocks_;
    const tendril::FlatTriangle<float>& flat_;
    Vec3f low_, high_;
    float index_, band_;
    int layer_, k0_ = 0, k1_ = 3;
    FlatTriangle<F> lanes_;
    F lane_i_, lane_j_;
};

void MeasureLayer(const FieldTriangles& triangles, float band, int layer, NodeBlocks& blocks)
{
    for (uint32_t t : blocks.lists.of(layer)) TriangleVisit(triangles, t, band, layer, blocks).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(MeasureLayer);

namespace {

// Nearer to the surface than this, rounding may change the winding number, so it is not used [steps].
constexpr float kOnSurface = 1e-4f;

/// The winding number of a node anywhere in the grid; 1, for far inside, where there is no block.
float winding_at(const NodeBlocks& blocks, int i, int j, int k)
{
    const int32_t block = blocks.at(i >> 2, j >> 2, k >> 2);
    return block < 0 ? 1.0f
                     : blocks.winding[static_cast<size_t>(block) * NodeBlocks::kNodes +
                                      static_cast<size_t>(16 * (k & 3) + 4 * (j & 3) + (i & 3))];
}

/// Whether the triangle found by the node (i, j, k), which is inside, belongs to the outer surface of the body. If the
/// node sees the triangle's outer side, the triangle is a wall of one part inside another; if the surface winds around
/// the node twice, all triangles near it are. For a node on a triangle rounding decides its side, so its neighbours are
/// asked instead.
bool is_outer(const FieldTriangles& triangles, const NodeBlocks& blocks, int i, int j, int k, size_t at)
{
    const float tolerance = kOnSurface * blocks.step;
    if (blocks.distance2[at] < tolerance * tolerance) {
        for (int step : {-1, 1})
            if (winding_at(blocks, i + step, j, k) < 0.5f || winding_at(blocks, i, j + step, k) < 0.5f ||
                winding_at(blocks, i, j, k + step) < 0.5f)
                return true;
        return false;
    }
    if (blocks.winding[at] > 1.5f) return false;
    const auto which = static_cast<size_t>(blocks.triangle[at]);
    const FlatTriangle<float>& t = triangles.flat[which];
    const Vec3f p{static_cast<float>(i) * blocks.step, static_cast<float>(j) * blocks.step,
                  static_cast<float>(k) * blocks.step};
    return signed_side(t, triangles.normals[which], p, nearest_on(t, p)) < 0;
}

}  // namespace

void measure_layer(const FieldTriangles& triangles, float band, int layer, NodeBlocks& blocks)
{
    const size_t begin = size_t{blocks.layer_first[layer]} * NodeBlocks::kNodes;
    const size_t end = size_t{blocks.layer_first[layer + 1]} * NodeBlocks::kNodes;
    std::fill(blocks.distance2.begin() + begin, blocks.distance2.begin() + end, NodeBlocks::kNone2);
    std::fill(blocks.triangle.begin() + begin, blocks.triangle.begin() + end, -1.0f);
    HWY_DYNAMIC_DISPATCH(MeasureLayer)(triangles, band, layer, blocks);
}

void discard_inner_walls(const FieldTriangles& triangles, int layer, NodeBlocks& blocks)
{
    for (int j = 0; j < blocks.counts[1]; ++j)
        for (int i = 0; i < blocks.counts[0]; ++i) {
            const int32_t block = blocks.at(i, j, layer);
            for (int n = 0; block >= 0 && n < NodeBlocks::kNodes; ++n) {
                const size_t at = static_cast<size_t>(block) * NodeBlocks::kNodes + static_cast<size_t>(n);
                if (blocks.triangle[at] < 0 || blocks.winding[at] < 0.5f) continue;
                if (is_outer(triangles, blocks, 4 * i + n % 4, 4 * j + n / 4 % 4, 4 * layer + n / 16, at)) continue;
                blocks.triangle[at] = -1;
                blocks.distance2[at] = NodeBlocks::kNone2;
            }
        }
}

}  // namespace tendril
#endif
