// Decides on which side of a closed surface a point is, by counting how often a ray from it leaves and enters. Unlike
// the normal at the nearest point, this is correct where a skinned mesh overlaps itself or is inside out.

#include "body/moving_tree.h"

namespace tendril {
namespace {

/// On which side of the line from a to b the point p is, seen along x: positive to its left. The corners are taken in
/// the order of their indices, so that the two triangles at an edge agree about every point to the last bit.
double side_of_line(std::span<const Vec3f> vertices, uint32_t a, uint32_t b, const Vec3d& p)
{
    const bool swapped = b < a;
    if (swapped) std::swap(a, b);
    const Vec3d from = to_double(vertices[a]), to = to_double(vertices[b]);
    const double side = (to.y - from.y) * (p.z - from.z) - (to.z - from.z) * (p.y - from.y);
    const double nonzero = side == 0 ? 1e-300 : side;
    return swapped ? -nonzero : nonzero;
}

/// The contribution of a triangle to the winding number of p for the ray along +x: 1 where the ray leaves, -1 where it
/// enters.
int crossing(const TreeView& tree, uint32_t triangle, const Vec3d& p)
{
    const auto& [a, b, c] = tree.triangles[triangle];
    const double wc = side_of_line(tree.vertices, a, b, p), wa = side_of_line(tree.vertices, b, c, p),
                 wb = side_of_line(tree.vertices, c, a, p);
    if ((wa > 0) != (wb > 0) || (wb > 0) != (wc > 0)) return 0;
    const double x = (wa * static_cast<double>(tree.vertices[a].x) + wb * static_cast<double>(tree.vertices[b].x) +
                      wc * static_cast<double>(tree.vertices[c].x)) /
                     (wa + wb + wc);
    if (!(x > p.x)) return 0;
    return wa > 0 ? 1 : -1;
}

}  // namespace

int MovingTree::winding(const Vec3d& p) const
{
    int sum = 0;
    for (size_t part = 0; part < parts_.size(); ++part) sum += winding(part, p);
    return sum;
}

double MovingTree::closing_share(size_t part, const Vec3d& p) const
{
    double sum = 0;
    for (uint32_t triangle : parts_[part].closings) {
        const auto& [a, b, c] = surface_->triangles()[triangle];
        sum += solid_angle_share(to_double(pose_->vertices[a]), to_double(pose_->vertices[b]),
                                 to_double(pose_->vertices[c]), p);
    }
    return parts_[part].sign < 0 ? -sum : sum;
}

int MovingTree::winding(size_t index, const Vec3d& p) const
{
    const TreeView tree = view();
    const Part& part = parts_[index];
    const float x = static_cast<float>(p.x), y = static_cast<float>(p.y), z = static_cast<float>(p.z);
    const float slack = 1e-6f * (std::abs(x) + std::abs(y) + std::abs(z));  // covers the rounding to floats
    uint32_t stack[128];
    int top = 0, own = 0;
    stack[top++] = part.root;
    while (top > 0) {
        const uint32_t child = stack[--top];
        if (child & BoxGroup::kLeafBit) {
            const TriangleGroup& leaf = tree.leaves[child & ~BoxGroup::kLeafBit];
            for (size_t i = 0; i < kTreeLanes; ++i)  // unused lanes repeat the last triangle
                if (i == 0 || leaf.triangles[i] != leaf.triangles[i - 1]) own += crossing(tree, leaf.triangles[i], p);
            continue;
        }
        const BoxGroup& node = tree.nodes[child];
        for (size_t i = 0; i < kTreeLanes; ++i)
            if (node.high[0][i] >= x - slack && node.low[1][i] <= y + slack && node.high[1][i] >= y - slack &&
                node.low[2][i] <= z + slack && node.high[2][i] >= z - slack)
                stack[top++] = node.children[i];
    }
    return part.sign < 0 ? -own : own;
}

}  // namespace tendril
