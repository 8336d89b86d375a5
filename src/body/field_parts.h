/// What the passes that build a distance field hand to each other. Places are relative to the grid's first node.
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

/// The surface's triangles, made ready.
struct FieldTriangles {
    std::vector<std::array<Vec3f, 3>> corners;
    std::vector<FlatTriangle<float>> flat;
    std::vector<PartNormals<float>> normals;
    std::vector<Vec3f> low, high;  ///< boxes around them

    size_t size() const { return flat.size(); }
    void update(const Surface& surface, const SurfacePose& pose, Executor& executor);
};

/// For each layer of blocks the triangles that come near to it, in order.
struct LayerLists {
    std::vector<uint32_t> first, items, next;

    std::span<const uint32_t> of(size_t layer) const
    {
        return std::span(items).subspan(first[layer], first[layer + 1] - first[layer]);
    }
    /// Layers are `height` thick [m].
    void update(const FieldTriangles& triangles, int layers, float height, float band);
};

/// Nodes in blocks of 4 x 4 x 4, all of a grid or only those near the surface: what is near a triangle is then near in
/// memory, and 16 nodes of a block lie side by side. Node (i, j, k) of a block is number 16 k + 4 j + i.
struct NodeBlocks {
    static constexpr int kSide = 4, kTile = 16, kNodes = 64;

    std::array<int, 3> counts{0, 0, 0};  ///< blocks along the axes, whether they are there or not
    float step = 1;                      ///< from node to node [m]
    bool sparse = false;
    std::vector<int32_t> table;         ///< per place: which block, or -1; x fastest
    std::vector<uint8_t> slices;        ///< per block: how many layers of its nodes anybody asks for
    std::vector<uint32_t> layer_first;  ///< number of the first block
    std::vector<uint8_t> overlaps;      ///< per layer: whether the surface winds around a node more than once
    LayerLists lists;

    // Per node
    std::vector<float> winding;    ///< how often the surface winds around it
    std::vector<float> distance2;  ///< to the nearest triangle within the band [m^2]; kNone2 where there is none
    std::vector<float> triangle;   ///< which, or -1

    static constexpr float kNone2 = 3e38f;
    size_t place(int i, int j, int k) const { return (static_cast<size_t>(k) * counts[1] + j) * counts[0] + i; }
    /// The block at a place, or -1; also beside the grid.
    int32_t at(int i, int j, int k) const
    {
        if (i < 0 || j < 0 || k < 0 || i >= counts[0] || j >= counts[1] || k >= counts[2]) return -1;
        return table[place(i, j, k)];
    }
    void resize_nodes(size_t blocks);
};

/// All nodes of a grid.
void make_dense_blocks(const FieldGrid& grid, const FieldTriangles& triangles, float band, NodeBlocks& blocks);
/// The fine nodes of cells within `band` of a triangle, whose numbers go to `cells`, and of the cells after them, with
/// which they share their last nodes. False when there would be too many.
bool make_sparse_blocks(const FieldGrid& grid, const FieldTriangles& triangles, float band, NodeBlocks& blocks,
                        std::vector<uint32_t>& cells, std::vector<uint8_t>& marks, Executor& executor);

/// How often the surface winds around each node of a layer of blocks, and, for sparse blocks, around each node of the
/// grid's plane where the layer begins.
void find_windings(const Surface& surface, const FieldGrid& grid, const FieldTriangles& triangles, int layer,
                   NodeBlocks& blocks, std::span<int16_t> grid_windings);

/// The nearest triangles of the nodes in a layer that are within the band.
void measure_layer(const FieldTriangles& triangles, float band, int layer, NodeBlocks& blocks);
/// Where parts of the body overlap, the walls of one within the other are no surface: nodes that are inside and found
/// one forget it, to learn from nodes that know better.
void forget_inner_walls(const FieldTriangles& triangles, int layer, NodeBlocks& blocks);

/// The nearest point of the surface as far as each node of the grid knows. Rows along x with room on either side, so
/// that a neighbour can be read without asking whether there is one.
struct NearestPoints {
    static constexpr int kGuard = 32;
    static constexpr float kFar = 1e15f;  ///< [m]; its square is a float

    size_t stride = 0;                             ///< from row to row
    std::vector<float> x, y, z;                    ///< the point
    std::vector<float> distance2, triangle, side;  ///< side: 1 outside, -1 inside

    void resize(const FieldGrid& grid);
    size_t row(const FieldGrid& grid, int j, int k) const
    {
        return (static_cast<size_t>(k) * grid.nodes[1] + j) * stride + kGuard;
    }
};

/// Nodes near the surface learn what blocks found.
void seed_from_dense(const FieldGrid& grid, const FieldTriangles& triangles, const NodeBlocks& blocks,
                     NearestPoints& nearest, Executor& executor);
void seed_from_sparse(const FieldGrid& grid, const FieldTriangles& triangles, const NodeBlocks& blocks,
                      std::span<const int16_t> windings, NearestPoints& nearest, Executor& executor);
/// All nodes learn from their neighbours.
void spread_nearest(const FieldGrid& grid, NearestPoints& nearest, Executor& executor);

/// Distances and motions of the nodes that know a triangle. `motion` per vertex of the surface, or empty.
struct FieldOutput {
    std::span<float> values, motion;
};
void store_nodes(const FieldGrid& grid, const FieldTriangles& triangles, const Surface& surface,
                 std::span<const Vec3f> motion, const NearestPoints& nearest, const FieldOutput& out,
                 Executor& executor);

/// Squared distances of blocks become signed ones.
void sign_blocks(NodeBlocks& blocks, Executor& executor);
/// The nodes of one brick from blocks with signed distances.
void store_brick(const FieldGrid& grid, const NodeBlocks& blocks, float band, uint32_t cell,
                 std::span<const float> coarse, std::span<float> brick);

/// Nodes with a wall around them, so that every one has six neighbours.
struct MarchScratch {
    struct Waiting {
        float distance;
        uint32_t node;
    };
    std::array<std::vector<Waiting>, 2> heaps;  ///< inside, outside
    std::array<std::vector<float>, 2> known;  ///< per node its distance when it is final and on that side, else kNone2
    std::vector<float> distance, motion;      ///< per node one number [m], and four
    std::vector<uint32_t> place;              ///< per node: where in its heap, or that it is known or untouched
    std::vector<uint8_t> side;                ///< per node: which heap; 2: the wall
};
/// Fast marching [Sethian95] from the nodes that know a triangle over all others, outside and inside.
void march(const FieldGrid& grid, const NearestPoints& nearest, const FieldOutput& out, MarchScratch& scratch,
           Executor& executor);

}  // namespace tendril
