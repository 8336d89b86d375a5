/// Data that the passes of a distance field build share. Positions are relative to the grid's first node.
#pragma once

#include "body/surface.h"
#include "tendril/parallel.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

struct FieldGrid {
    std::array<int, 3> nodes{2, 2, 2};
    float cell = 1;  ///< [m]

    size_t count() const { return static_cast<size_t>(nodes[0]) * nodes[1] * nodes[2]; }
    size_t row(int j, int k) const { return (static_cast<size_t>(k) * nodes[1] + j) * nodes[0]; }
};

/// The triangles of the surface with precomputed data.
struct FieldTriangles {
    std::vector<std::array<Vec3f, 3>> corners;
    std::vector<FlatTriangle<float>> flat;
    std::vector<FeatureNormals<float>> normals;
    std::vector<Vec3f> low, high;  ///< bounding boxes

    size_t size() const { return flat.size(); }
    void update(const Surface& surface, const SurfacePose& pose, Executor& executor);
};

/// The triangles near each layer of blocks, in ascending order.
struct LayerLists {
    std::vector<uint32_t> first, items, next;

    std::span<const uint32_t> of(size_t layer) const
    {
        return std::span(items).subspan(first[layer], first[layer + 1] - first[layer]);
    }
    /// Layers are `height` thick [m].
    void update(const FieldTriangles& triangles, int layers, float height, float band);
};

/// Nodes in blocks of 4 x 4 x 4, either all of a grid or only those near the surface. Nodes near the same triangle are
/// then close in memory, and 16 nodes of a block are contiguous. Node (i, j, k) of a block has the index 16 k + 4 j +
/// i.
struct NodeBlocks {
    static constexpr int kSide = 4, kTile = 16, kNodes = 64;

    std::array<int, 3> counts{0, 0, 0};  ///< block positions along the axes, including those without a block
    float step = 1;                      ///< distance between nodes [m]
    bool sparse = false;
    std::vector<int32_t> table;         ///< per block position, x fastest: which block, or -1
    std::vector<uint8_t> slices;        ///< per block: how many of its node layers are needed
    std::vector<uint32_t> layer_first;  ///< per layer: index of its first block
    std::vector<uint8_t> overlaps;      ///< per layer: whether the surface winds around a node more than once
    LayerLists lists;

    // Per node
    std::vector<float> winding;    ///< winding number of the surface around the node
    std::vector<float> distance2;  ///< to the nearest triangle within the band [m^2]; kNone2 if there is none
    std::vector<float> triangle;   ///< its index, or -1

    static constexpr float kNone2 = 3e38f;
    size_t index(int i, int j, int k) const { return (static_cast<size_t>(k) * counts[1] + j) * counts[0] + i; }
    /// The block at a position, or -1; also -1 outside the grid.
    int32_t at(int i, int j, int k) const
    {
        if (i < 0 || j < 0 || k < 0 || i >= counts[0] || j >= counts[1] || k >= counts[2]) return -1;
        return table[index(i, j, k)];
    }
    void resize_nodes(size_t blocks);
};

/// Makes blocks for all nodes of a grid.
void make_dense_blocks(const FieldGrid& grid, const FieldTriangles& triangles, float band, NodeBlocks& blocks);
/// Makes blocks for the fine nodes of all cells within `band` of a triangle, whose indices go to `cells`, and of the
/// cells after them, which own the nodes on their upper sides. Returns the number of blocks, whose nodes are yet to be
/// allocated.
size_t select_sparse_blocks(const FieldGrid& grid, const FieldTriangles& triangles, float band, NodeBlocks& blocks,
                            std::vector<uint32_t>& cells, std::vector<uint8_t>& marks, Executor& executor);

/// Computes the winding number of the surface around each node of a layer of blocks and, for sparse blocks, around each
/// grid node in the plane where the layer begins.
void find_windings(const Surface& surface, const FieldGrid& grid, const FieldTriangles& triangles, int layer,
                   NodeBlocks& blocks, std::span<int16_t> grid_windings);

/// Finds the nearest triangle within the band for each node of a layer.
void measure_layer(const FieldTriangles& triangles, float band, int layer, NodeBlocks& blocks);
/// Where parts of the body overlap, the walls of one part inside another are not part of the outer surface. Inside
/// nodes whose nearest triangle is such a wall discard it and take their value from other nodes later.
void discard_inner_walls(const FieldTriangles& triangles, int layer, NodeBlocks& blocks);

/// The nearest known surface point of each grid node. Rows along x have padding on both sides, so that neighbours can
/// be read without bounds checks.
struct NearestPoints {
    static constexpr int kGuard = 32;
    static constexpr float kFar = 1e15f;  ///< [m]; its square fits a float

    size_t stride = 0;                             ///< from row to row
    std::vector<float> x, y, z;                    ///< the surface point
    std::vector<float> distance2, triangle, side;  ///< side: 1 outside, -1 inside

    void resize(const FieldGrid& grid);
    size_t row(const FieldGrid& grid, int j, int k) const
    {
        return (static_cast<size_t>(k) * grid.nodes[1] + j) * stride + kGuard;
    }
};

/// Copies the results of the blocks to the grid nodes near the surface.
void seed_from_dense(const FieldGrid& grid, const FieldTriangles& triangles, const NodeBlocks& blocks,
                     NearestPoints& nearest, Executor& executor);
void seed_from_sparse(const FieldGrid& grid, const FieldTriangles& triangles, const NodeBlocks& blocks,
                      std::span<const int16_t> windings, NearestPoints& nearest, Executor& executor);
/// Propagates nearest points from node to node over the whole grid.
void spread_nearest(const FieldGrid& grid, NearestPoints& nearest, Executor& executor);

/// Stores distances and motions of the nodes with a known triangle. `motion` is per vertex of the surface, or empty.
struct FieldOutput {
    std::span<float> values, motion;
};
void store_nodes(const FieldGrid& grid, const FieldTriangles& triangles, const Surface& surface,
                 std::span<const Vec3f> motion, const NearestPoints& nearest, const FieldOutput& out,
                 Executor& executor);

/// Turns the squared distances of blocks into signed distances.
void sign_blocks(NodeBlocks& blocks, Executor& executor);
/// Fills the nodes of one brick from blocks with signed distances.
void store_brick(const FieldGrid& grid, const NodeBlocks& blocks, float band, uint32_t cell,
                 std::span<const float> coarse, std::span<float> brick);

/// Nodes with a border around the grid, so that each node has six neighbours.
struct MarchScratch {
    struct HeapEntry {
        float distance;
        uint32_t node;
    };
    std::array<std::vector<HeapEntry>, 2> heaps;  ///< inside, outside
    std::array<std::vector<float>, 2> known;  ///< per node: its distance if it is final and on that side, else kNone2
    std::vector<float> distance, motion;      ///< per node one number [m], and four
    std::vector<uint32_t> heap_index;         ///< per node: its index in its heap, or a mark for known or untouched
    std::vector<uint8_t> side;                ///< per node: which heap; 2: the border
};
/// Fast marching [Sethian95] from the nodes with a known triangle over all others, outside and inside.
void march(const FieldGrid& grid, const NearestPoints& nearest, const FieldOutput& out, MarchScratch& scratch,
           Executor& executor);

}  // namespace tendril
