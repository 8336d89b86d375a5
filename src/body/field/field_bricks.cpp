// The fine nodes of a refined field: copies them from blocks, which hold every node once, into bricks, which share
// none.

#include "body/field/field_parts.h"
#include "body/field/field_view.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tendril {
namespace {

// Larger than any distance [m], but smaller than the square root of NodeBlocks::kNone2.
constexpr float kNoTriangleDistance = 1e18f;

/// Trilinear interpolation of the coarse field within a cell.
class CellInterpolation {
public:
    CellInterpolation(const FieldGrid& grid, std::span<const float> values, int i, int j, int k)
    {
        for (int z = 0; z < 2; ++z)
            for (int y = 0; y < 2; ++y)
                for (int x = 0; x < 2; ++x) corners_[z][y][x] = values[grid.row(j + y, k + z) + i + x];
    }
    /// The distances at the two ends of a row of fine nodes.
    std::array<float, 2> row(int y, int z) const
    {
        const float sy = kStep * static_cast<float>(y), sz = kStep * static_cast<float>(z);
        const auto end = [&](int x) {
            return mix(mix(corners_[0][0][x], corners_[0][1][x], sy), mix(corners_[1][0][x], corners_[1][1][x], sy),
                       sz);
        };
        return {end(0), end(1)};
    }
    static float along(const std::array<float, 2>& row, int x)
    {
        return mix(row[0], row[1], kStep * static_cast<float>(x));
    }

private:
    static constexpr float kStep = 1.0f / FieldView::kBrickSteps;
    static float mix(float a, float b, float share) { return a + (b - a) * share; }
    float corners_[2][2][2];
};

}  // namespace

void sign_blocks(NodeBlocks& blocks, Executor& executor)
{
    parallel_for(executor, blocks.distance2.size(), 16384, [&](size_t begin, size_t end) {
        for (size_t n = begin; n < end; ++n) {
            const float d = std::sqrt(blocks.distance2[n]);
            blocks.distance2[n] = blocks.winding[n] > 0.5f ? -d : d;
        }
    });
}

/// Fine nodes without a triangle within the band take the interpolated coarse distance, but at least the band width:
/// the field stays exact within the band, and the seam lies outside it, where it has no effect.
void store_brick(const FieldGrid& grid, const NodeBlocks& blocks, float band, uint32_t cell,
                 std::span<const float> coarse, std::span<float> brick)
{
    constexpr int n = FieldView::kBrickNodes, side = NodeBlocks::kSide;
    const auto nx = static_cast<uint32_t>(grid.nodes[0]), ny = static_cast<uint32_t>(grid.nodes[1]);
    const int i = static_cast<int>(cell % nx), j = static_cast<int>(cell / nx % ny),
              k = static_cast<int>(cell / nx / ny);
    const CellInterpolation interpolation(grid, coarse, i, j, k);
    const float* blocks_here[2][2][2];  // z, y, x
    for (int b = 0; b < 8; ++b)
        blocks_here[b >> 2][b >> 1 & 1][b & 1] =
            blocks.distance2.data() +
            static_cast<size_t>(blocks.at(i + (b & 1), j + (b >> 1 & 1), k + (b >> 2))) * NodeBlocks::kNodes;
    float* to = brick.data();
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y) {
            const auto& from = blocks_here[z / side][y / side];
            const int row = NodeBlocks::kTile * (z % side) + side * (y % side);
            std::copy_n(from[0] + row, side, to);
            to[side] = from[1][row];
            const auto coarse_row = interpolation.row(y, z);
            for (int x = 0; x < n; ++x, ++to) {
                const float far = std::max(band, std::abs(CellInterpolation::along(coarse_row, x)));
                *to = std::abs(*to) > kNoTriangleDistance ? std::copysign(far, *to) : *to;
            }
        }
    std::fill(to, brick.data() + brick.size(), 0.0f);
}

}  // namespace tendril
