// Winding numbers of a surface around the nodes of a grid, from the crossings of node rows along x with its triangles.
// The triangles are rasterized like polygons on a screen seen along x. Edges that two triangles share are computed from
// the same numbers in the same order, so that no row slips between them and a surface without a border always gives
// whole numbers.

#include "body/field/field_parts.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// The intersection of an edge with a plane of constant z.
struct EdgeCut {
    double x, y;
    long row;  // the first row of nodes beyond it
};

class LayerRasterizer {
public:
    LayerRasterizer(const FieldGrid& grid, int layer, NodeBlocks& blocks, std::span<int16_t> grid_windings)
        : grid_(grid), layer_(layer), blocks_(blocks), grid_windings_(grid_windings)
    {
    }

    void rasterize(const std::array<Vec3f, 3>& corners, const std::array<uint32_t, 3>& vertices)
    {
        const double z_low = std::min({corners[0].z, corners[1].z, corners[2].z});
        const double z_high = std::max({corners[0].z, corners[1].z, corners[2].z});
        for (int k = 0; k < NodeBlocks::kSide; ++k) {
            const double z = step_ * (NodeBlocks::kSide * layer_ + k);
            if (z < z_low || z >= z_high) continue;
            EdgeCut up{}, down{};
            for (int e = 0; e < 3; ++e) {
                const int f = (e + 1) % 3;
                const bool above = static_cast<double>(corners[e].z) > z;
                if (above == (static_cast<double>(corners[f].z) > z)) continue;
                const bool in_order = vertices[e] < vertices[f];
                (above ? down : up) = cut(corners[in_order ? e : f], corners[in_order ? f : e], z);
            }
            // Seen against the x axis, the triangle is counterclockwise where the row leaves the body.
            if (down.row < up.row)
                rasterize_span(down, up, k, -1);
            else
                rasterize_span(up, down, k, 1);
        }
    }

private:
    EdgeCut cut(const Vec3f& from, const Vec3f& to, double z) const
    {
        const Vec3d a = to_double(from), b = to_double(to);
        const double s = (z - a.z) / (b.z - a.z), y = a.y + (b.y - a.y) * s;
        return {a.x + (b.x - a.x) * s, y, static_cast<long>(std::floor(y * per_step_)) + 1};
    }

    void rasterize_span(const EdgeCut& from, const EdgeCut& to, int k, int sign)
    {
        const long end = std::min<long>(to.row, NodeBlocks::kSide * blocks_.counts[1]);
        for (long row = std::max<long>(from.row, 0); row < end; ++row) {
            const double s = (step_ * static_cast<double>(row) - from.y) / (to.y - from.y);
            const double x = from.x + (to.x - from.x) * std::clamp(s, 0.0, 1.0);
            add(std::max(0L, static_cast<long>(std::ceil(x * per_step_))), row, k, sign);
        }
    }

    /// Changes the winding number of all nodes of a row from `node` on by `sign`.
    void add(long node, long row, int k, int sign)
    {
        constexpr int n = NodeBlocks::kSide;
        const int32_t block = blocks_.at(static_cast<int>(node / n), static_cast<int>(row / n), layer_);
        if (block >= 0)
            blocks_.winding[static_cast<size_t>(block) * NodeBlocks::kNodes +
                            static_cast<size_t>(NodeBlocks::kTile * k + n * (row % n) + node % n)] +=
                static_cast<float>(sign);
        const long grid_node = (node + n - 1) / n;
        if (blocks_.sparse && k == 0 && row % n == 0 && grid_node < grid_.nodes[0])
            grid_windings_[grid_.row(static_cast<int>(row / n), layer_) + static_cast<size_t>(grid_node)] +=
                static_cast<int16_t>(sign);
    }

    const FieldGrid& grid_;
    int layer_;
    NodeBlocks& blocks_;
    std::span<int16_t> grid_windings_;
    double step_ = static_cast<double>(blocks_.step), per_step_ = 1 / step_;
};

/// Accumulates along a row of blocks. Where the previous block is missing, its cell contains no surface, and the
/// winding number of the grid node at which that cell begins holds for the whole cell.
void accumulate_row(const FieldGrid& grid, int layer, int j, NodeBlocks& blocks, std::span<const int16_t> grid_windings)
{
    float max_winding = 0;
    constexpr int n = NodeBlocks::kSide;
    float sums[NodeBlocks::kTile] = {};
    bool known = true;  // the grid begins outside the body
    for (int i = 0; i < blocks.counts[0]; ++i) {
        const int32_t block = blocks.at(i, j, layer);
        if (block < 0) {
            known = false;
            continue;
        }
        if (!known) std::fill(sums, sums + NodeBlocks::kTile, grid_windings[grid.row(j, layer) + i - 1]);
        known = true;
        float* w = blocks.winding.data() + static_cast<size_t>(block) * NodeBlocks::kNodes;
        for (float& sum : sums)
            for (int k = 0; k < n; ++k, ++w) *w = sum += *w, max_winding = std::max(max_winding, sum);
    }
    if (max_winding > 1.5f) blocks.overlaps[layer] = 1;
}

}  // namespace

void find_windings(const Surface& surface, const FieldGrid& grid, const FieldTriangles& triangles, int layer,
                   NodeBlocks& blocks, std::span<int16_t> grid_windings)
{
    const auto begin = blocks.winding.begin() + static_cast<ptrdiff_t>(blocks.layer_first[layer]) * NodeBlocks::kNodes;
    const auto end =
        blocks.winding.begin() + static_cast<ptrdiff_t>(blocks.layer_first[layer + 1]) * NodeBlocks::kNodes;
    std::fill(begin, end, 0.0f);
    blocks.overlaps[layer] = 0;
    if (blocks.sparse) {
        const size_t plane = grid.row(0, 1);
        std::fill_n(grid_windings.begin() + static_cast<ptrdiff_t>(plane * layer), plane, int16_t{0});
    }
    LayerRasterizer rasterizer(grid, layer, blocks, grid_windings);
    for (uint32_t t : blocks.lists.of(layer)) rasterizer.rasterize(triangles.corners[t], surface.triangles()[t]);

    for (int j = 0; j < blocks.counts[1]; ++j) {
        if (blocks.sparse) {
            int16_t* row = grid_windings.data() + grid.row(j, layer);
            for (int i = 1; i < grid.nodes[0]; ++i) row[i] = static_cast<int16_t>(row[i] + row[i - 1]);
        }
        accumulate_row(grid, layer, j, blocks, grid_windings);
    }
}

}  // namespace tendril
