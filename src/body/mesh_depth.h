/// How deep points are inside a moving mesh, measured against its triangles: for metrics, not for simulation.
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

/// Most points of a head of hair are outside. A grid, rebuilt for every pose, marks the cells that contain no triangle
/// and are connected to the outside; only points in other cells need a tree query.
class MeshDepth {
public:
    MeshDepth(std::shared_ptr<const Surface> surface, std::span<const Vec3f> rest_vertices);

    /// Sets the positions of the mesh vertices, relative to `origin`. Allocates only while the bounding box grows.
    void update(std::span<const Vec3f> mesh_vertices, const Vec3d& origin, Executor& executor);

    /// If the world point p is inside (by its winding number), returns its distance to the surface, exact up to the
    /// rounding of doubles. Outside, returns a value <= 0 that is only a bound. This and the functions below are
    /// thread-safe.
    double depth(const Vec3d& p) const { return measure(p).depth; }
    /// The same, and whether the side on which p lies is known. Inside a part of the surface that has holes, p may as
    /// well be outside; it counts as inside only where the triangles of the mesh themselves surround it.
    struct Sided {
        double depth = 0;
        bool known = true;
    };
    Sided measure(const Vec3d& p) const;
    /// Whether a point on the skin has no room above it: at the height `room` or half of it, there is skin nearer than
    /// half that height, as in a crease of less than 60 degrees, or the point there is inside.
    bool pinched(const Vec3d& p, double room) const;

    const MovingTree& tree() const { return tree_; }

private:
    /// Cells along the longest side of the bounding box. More cells leave fewer points to the tree.
    static constexpr int kCells = 124;
    /// Cells along x, one bit each, with room for one more layer on both sides.
    using Row = std::bitset<128>;
    struct Cell {
        int x, y, z;
    };
    void lay_out_cells();
    void mark_surface();
    void flood_from_outside();
    Cell cell_of(const Vec3d& local) const;  ///< -1 or too large outside the grid
    /// The depth in the parts that surround the point. Only winding numbers tell which they are: far from a part whose
    /// holes were closed, the normal at its nearest point may face the wrong way.
    Sided measure_parts(const Vec3d& local) const;
    size_t row_of(const Cell& c) const { return static_cast<size_t>(c.z) * rows_y_ + static_cast<size_t>(c.y); }

    std::shared_ptr<const Surface> surface_;
    std::unique_ptr<SurfacePose> pose_;  // on the heap, so that the tree's pointer survives a move of this object
    MovingTree tree_;
    Vec3d origin_{0, 0, 0};
    Vec3d low_{0, 0, 0};              // corner of the grid, relative to the origin
    double side_ = 0, per_side_ = 0;  // side of a cell [m] and its inverse; 0 if there is no surface
    Cell count_{0, 0, 0};
    size_t rows_y_ = 0;
    std::vector<Row> free_;            // cells without triangles
    std::vector<Row> outside_;         // free cells that are connected to the outside
    std::vector<uint32_t> to_spread_;  // rows that the flood fill still has to visit
};

}  // namespace tendril
