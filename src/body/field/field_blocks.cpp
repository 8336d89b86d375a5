// Selects the nodes at which distances are exact, and the triangles with which each is compared.

#include "body/field/field_parts.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tendril {
namespace {

constexpr size_t kTriangleGrain = 1024;
// Bound on the rounding error of a distance, in units of a node's step.
constexpr float kSlack = 1e-3f;

int cell_at(float position, float per_cell, int count)
{
    return std::clamp(static_cast<int>(std::floor(position * per_cell)), 0, count - 1);
}

}  // namespace

void FieldTriangles::update(const Surface& surface, const SurfacePose& pose, Executor& executor)
{
    const size_t count = surface.triangles().size();
    corners.resize(count);
    flat.resize(count);
    normals.resize(count);
    low.resize(count);
    high.resize(count);
    parallel_for(executor, count, kTriangleGrain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            const auto& t = surface.triangles()[i];
            const Vec3f &a = pose.vertices[t[0]], &b = pose.vertices[t[1]], &c = pose.vertices[t[2]];
            corners[i] = {a, b, c};
            flat[i] = flat_triangle(a, b, c);
            normals[i] = surface.feature_normals(pose, i);
            low[i] = {std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})};
            high[i] = {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})};
        }
    });
}

void LayerLists::update(const FieldTriangles& triangles, int layers, float height, float band)
{
    const float per_layer = 1 / height, reach = band + kSlack * height;
    const auto range = [&](size_t t) {
        return std::pair(cell_at(triangles.low[t].z - reach, per_layer, layers),
                         cell_at(triangles.high[t].z + reach, per_layer, layers));
    };
    first.assign(static_cast<size_t>(layers) + 1, 0);
    for (size_t t = 0; t < triangles.size(); ++t)
        for (auto [layer, last] = range(t); layer <= last; ++layer) ++first[layer + 1];
    for (int layer = 0; layer < layers; ++layer) first[layer + 1] += first[layer];
    items.resize(first.back());
    next.assign(first.begin(), first.end() - 1);
    for (size_t t = 0; t < triangles.size(); ++t)
        for (auto [layer, last] = range(t); layer <= last; ++layer) items[next[layer]++] = static_cast<uint32_t>(t);
}

void NodeBlocks::resize_nodes(size_t blocks)
{
    winding.resize(blocks * kNodes);
    distance2.resize(blocks * kNodes);
    triangle.resize(blocks * kNodes);
}

void make_dense_blocks(const FieldGrid& grid, const FieldTriangles& triangles, float band, NodeBlocks& blocks)
{
    for (int axis = 0; axis < 3; ++axis)
        blocks.counts[axis] = (grid.nodes[axis] + NodeBlocks::kSide - 1) / NodeBlocks::kSide;
    blocks.step = grid.cell;
    blocks.sparse = false;
    const size_t layer = static_cast<size_t>(blocks.counts[0]) * blocks.counts[1];
    blocks.table.resize(layer * blocks.counts[2]);
    for (size_t i = 0; i < blocks.table.size(); ++i) blocks.table[i] = static_cast<int32_t>(i);
    blocks.slices.assign(blocks.table.size(), NodeBlocks::kSide);
    blocks.layer_first.resize(static_cast<size_t>(blocks.counts[2]) + 1);
    for (size_t k = 0; k < blocks.layer_first.size(); ++k) blocks.layer_first[k] = static_cast<uint32_t>(layer * k);
    blocks.resize_nodes(blocks.table.size());
    blocks.lists.update(triangles, blocks.counts[2], NodeBlocks::kSide * grid.cell, band);
}

namespace {

/// Marks the cells of a layer near a triangle: both its bounding box and its plane must be near.
void mark_cells(const FieldGrid& grid, const FieldTriangles& triangles, float band, const NodeBlocks& blocks, int layer,
                std::span<uint8_t> marks)
{
    const float per_cell = 1 / grid.cell, reach = band + kSlack * grid.cell, half = 0.5f * grid.cell;
    for (uint32_t t : blocks.lists.of(layer)) {
        const Vec3f &low = triangles.low[t], &high = triangles.high[t], &n = triangles.flat[t].normal;
        const Vec3f corner = triangles.flat[t].a;
        const int i0 = cell_at(low.x - reach, per_cell, grid.nodes[0] - 1);
        const int i1 = cell_at(high.x + reach, per_cell, grid.nodes[0] - 1);
        const int j0 = cell_at(low.y - reach, per_cell, grid.nodes[1] - 1);
        const int j1 = cell_at(high.y + reach, per_cell, grid.nodes[1] - 1);
        const float max_distance = reach + half * (std::abs(n.x) + std::abs(n.y) + std::abs(n.z));
        const float z = (static_cast<float>(layer) + 0.5f) * grid.cell - corner.z;
        for (int j = j0; j <= j1; ++j) {
            const float y = (static_cast<float>(j) + 0.5f) * grid.cell - corner.y;
            for (int i = i0; i <= i1; ++i) {
                const float x = (static_cast<float>(i) + 0.5f) * grid.cell - corner.x;
                if (std::abs(n.x * x + n.y * y + n.z * z) <= max_distance) marks[grid.row(j, layer) + i] = 1;
            }
        }
    }
}

constexpr uint8_t kRefined = 1, kAllLayers = 2, kFirstLayer = 4;

/// Marks the cells that share fine nodes with a refined cell: those after it along x and y, of which all layers of fine
/// nodes may be needed, then those after them along z, of which only the first layer is needed.
void mark_neighbours(const FieldGrid& grid, std::span<uint8_t> marks)
{
    const auto [nx, ny, nz] = grid.nodes;
    for (int k = 0; k < nz; ++k)
        for (int j = ny - 1; j >= 0; --j) {
            uint8_t* row = marks.data() + grid.row(j, k);
            const uint8_t* before = j > 0 ? marks.data() + grid.row(j - 1, k) : nullptr;
            for (int i = nx - 1; i >= 0; --i) {
                uint8_t near = i > 0 ? row[i - 1] : uint8_t{0};
                if (before) near |= static_cast<uint8_t>(before[i] | (i > 0 ? before[i - 1] : 0));
                if (near & kRefined) row[i] |= kAllLayers;
            }
        }
    const size_t plane = static_cast<size_t>(nx) * ny;
    for (size_t i = marks.size(); i-- > plane;)
        if (marks[i - plane] & (kRefined | kAllLayers)) marks[i] |= kFirstLayer;
}

}  // namespace

size_t select_sparse_blocks(const FieldGrid& grid, const FieldTriangles& triangles, float band, NodeBlocks& blocks,
                            std::vector<uint32_t>& cells, std::vector<uint8_t>& marks, Executor& executor)
{
    blocks.counts = grid.nodes;
    blocks.step = grid.cell / NodeBlocks::kSide;
    blocks.sparse = true;
    blocks.lists.update(triangles, blocks.counts[2], grid.cell, band);
    marks.assign(grid.count(), 0);
    parallel_for(executor, static_cast<size_t>(grid.nodes[2] - 1), 1, [&](size_t begin, size_t end) {
        for (size_t layer = begin; layer < end; ++layer)
            mark_cells(grid, triangles, band, blocks, static_cast<int>(layer), marks);
    });
    mark_neighbours(grid, marks);

    blocks.table.assign(marks.size(), -1);
    blocks.slices.clear();
    blocks.layer_first.clear();
    cells.clear();
    const size_t plane = static_cast<size_t>(grid.nodes[0]) * grid.nodes[1];
    for (size_t i = 0; i < marks.size(); ++i) {
        if (i % plane == 0) blocks.layer_first.push_back(static_cast<uint32_t>(blocks.slices.size()));
        if (!marks[i]) continue;
        blocks.table[i] = static_cast<int32_t>(blocks.slices.size());
        blocks.slices.push_back(marks[i] & (kRefined | kAllLayers) ? NodeBlocks::kSide : 1);
        if (marks[i] & kRefined) cells.push_back(static_cast<uint32_t>(i));
    }
    blocks.layer_first.push_back(static_cast<uint32_t>(blocks.slices.size()));
    return blocks.slices.size();
}

}  // namespace tendril
