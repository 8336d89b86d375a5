/// Finds the triangle of a mesh that is nearest to a point, with a bounding volume hierarchy.
#pragma once

#include "tendril/mesh.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

class TriangleTree {
public:
    /// The triangles must not move. Keeps no reference to them.
    TriangleTree(std::span<const Vec3f> vertices, std::span<const std::array<uint32_t, 3>> triangles);

    struct Nearest {
        uint32_t triangle = 0;
        Vec3d weights{1, 0, 0};  ///< barycentric
        Vec3d point{0, 0, 0};
        double distance = 0;
    };
    /// The mesh must have at least one triangle. Among equally near triangles, the one with the lowest index wins.
    Nearest nearest(const Vec3d& p) const;

private:
    struct Box {
        Vec3d low, high;
        double distance2(const Vec3d& p) const;
    };
    /// Inner node: children `first` and `first + 1`. Leaf: `count` triangles of order_ from `first` on.
    struct TreeNode {
        Box box;
        uint32_t first = 0, count = 0;
    };
    Box box_of(uint32_t begin, uint32_t end) const;
    void build(uint32_t node, uint32_t begin, uint32_t end);
    Nearest on_triangle(uint32_t triangle, const Vec3d& p) const;

    std::vector<std::array<Vec3d, 3>> corners_;
    std::vector<uint32_t> order_;
    std::vector<TreeNode> nodes_;
};

}  // namespace tendril
