/// What kernels see of a signed distance field: pointers and numbers, nothing to own.
#pragma once

#include "tendril/vec3.h"

#include <cstdint>

namespace tendril {

/// A node every `cell` metres along x, y and z, x fastest: node (i, j, k) is number (k * nodes_y + j) * nodes_x + i and
/// lies at low + (i, j, k) * cell. A cell has the number of its lowest node. In a refined field the cells near the
/// surface are bricks of kBrickNodes^3 nodes of their own.
struct FieldView {
    /// Steps of a brick along one side, and its nodes.
    static constexpr int kBrickSteps = 4, kBrickNodes = kBrickSteps + 1;
    /// From one brick to the next: 125 numbers in whole cache lines.
    static constexpr int kBrickStride = 128;

    const float* values = nullptr;    ///< signed distance [m], negative inside; of all nodes, then of the bricks
    const int32_t* bricks = nullptr;  ///< per cell: where in `values` its brick begins, or -1. Null: not refined
    const float* motion = nullptr;    ///< per node four numbers, of which three are what the surface does there
    Vec3f low{0, 0, 0};               ///< the first node [m], relative to the origin that the view was made for
    float cell = 1, per_cell = 1;     ///< [m], [1/m]
    int32_t nodes_x = 0, nodes_y = 0, nodes_z = 0;  ///< at least two each
};

}  // namespace tendril
