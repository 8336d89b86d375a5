/// How deep points are inside a mesh that moves, against its very triangles: for measuring, not for simulating.
#pragma once

#include "body/moving_tree.h"
#include "body/surface.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// Most points of a head of hair are outside. A grid of cells, made anew for every pose, knows those that no triangle
/// comes near and that hang together with the world around; only points in the others are looked up in the tree.
class MeshDepth {
public:
    MeshDepth(std::shared_ptr<const Surface> surface, std::span<const Vec3f> rest_vertices);

    /// Takes over where the vertices of the mesh are: `origin` is to be added. Allocates only while the box grows.
    void update(std::span<const Vec3f> mesh_vertices, const Vec3d& origin, Executor& executor);

    /// Distance of a point of the world to the surface if it is inside (by its winding number), exact but for the
    /// rounding of doubles; at most 0 outside, where it is a bound only. Thread-safe, as all that follow.
    double depth(const Vec3d& p) const;
    /// Whether a place on the skin has no room above it: at a height of `room` or half of it there is skin nearer than
    /// half of the height, as in a crease of less than 60 degrees, or all is inside.
    bool pinched(const Vec3d& p, double room) const;

    const MovingTree& tree() const { return tree_; }

private:
    /// Along the longest side of the box. More cells leave fewer points to look up.
    static constexpr int kCells = 124;
    /// Cells along x, one bit each: there is room for one layer more on both sides.
    using Row = std::bitset<128>;
    struct Place {
        int x, y, z;
    };
    void lay_out_cells();
    void mark_surface();
    void flood_from_outside();
    Place place_of(const Vec3d& local) const;  ///< -1 or too large where it is outside the grid
    size_t row_of(const Place& c) const { return static_cast<size_t>(c.z) * rows_y_ + static_cast<size_t>(c.y); }

    std::shared_ptr<const Surface> surface_;
    std::unique_ptr<SurfacePose> pose_;  // where the tree can find it when this is moved
    MovingTree tree_;
    Vec3d origin_{0, 0, 0};
    Vec3d low_{0, 0, 0};              // corner of the grid, from the origin
    double side_ = 0, per_side_ = 0;  // of a cell [m], and one over it; 0: there is no surface
    Place count_{0, 0, 0};
    size_t rows_y_ = 0;
    std::vector<Row> free_;            // no triangle comes near
    std::vector<Row> outside_;         // and the world around can be reached
    std::vector<uint32_t> to_spread_;  // scratch of the flood: rows
};

}  // namespace tendril
