/// A signed distance field as kernels see it: pointers and numbers without ownership.
#pragma once

#include "tendril/vec3.h"

#include <cstdint>

namespace tendril {

/// Nodes are `cell` metres apart, x fastest: node (i, j, k) has the index (k * nodes_y + j) * nodes_x + i and lies at
/// low + (i, j, k) * cell. A cell has the index of its lowest node. In a refined field, each cell near the surface has
/// a brick of kBrickNodes^3 fine nodes.
struct FieldView {
    /// Fine cells and nodes along one side of a brick.
    static constexpr int kBrickSteps = 4, kBrickNodes = kBrickSteps + 1;
    /// Floats from one brick to the next: 125 values, padded to whole cache lines.
    static constexpr int kBrickStride = 128;

    const float* values = nullptr;    ///< signed distance [m], negative inside: of all nodes, then of the bricks
    const int32_t* bricks = nullptr;  ///< per cell: index in `values` where its brick begins, or -1. Null: not refined
    const float* motion = nullptr;    ///< per node four numbers, the first three the motion of the nearest surface
    Vec3f low{0, 0, 0};               ///< position of the first node [m], relative to the origin of the view
    float cell = 1, per_cell = 1;     ///< [m], [1/m]
    int32_t nodes_x = 0, nodes_y = 0, nodes_z = 0;  ///< at least two each
};

}  // namespace tendril
