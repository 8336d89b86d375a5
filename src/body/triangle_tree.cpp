#include "body/triangle_tree.h"

#include "math/vectors.h"

#include <algorithm>
#include <limits>

namespace tendril {
namespace {

constexpr uint32_t kLeafTriangles = 4;

/// Fraction along a segment at which it is nearest to p.
double nearest_fraction(const Vec3d& from, const Vec3d& to, const Vec3d& p)
{
    const Vec3d e = to - from;
    const double n2 = dot(e, e);
    return n2 > 0 ? std::clamp(dot(p - from, e) / n2, 0.0, 1.0) : 0.0;
}

}  // namespace

TriangleTree::TriangleTree(std::span<const Vec3f> vertices, std::span<const std::array<uint32_t, 3>> triangles)
{
    for (const auto& t : triangles)
        corners_.push_back({to_double(vertices[t[0]]), to_double(vertices[t[1]]), to_double(vertices[t[2]])});
    order_.resize(triangles.size());
    for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    nodes_.emplace_back();
    build(0, 0, static_cast<uint32_t>(order_.size()));
}

TriangleTree::Box TriangleTree::box_of(uint32_t begin, uint32_t end) const
{
    constexpr double inf = std::numeric_limits<double>::infinity();
    Box box{{inf, inf, inf}, {-inf, -inf, -inf}};
    for (uint32_t i = begin; i < end; ++i)
        for (const Vec3d& c : corners_[order_[i]]) {
            box.low = component_min(box.low, c);
            box.high = component_max(box.high, c);
        }
    return box;
}

void TriangleTree::build(uint32_t node, uint32_t begin, uint32_t end)
{
    nodes_[node].box = box_of(begin, end);
    if (end - begin <= kLeafTriangles) {
        nodes_[node].first = begin;
        nodes_[node].count = end - begin;
        return;
    }
    // Halve along the longest side. The depth is the logarithm of the number of triangles, whatever their layout.
    const Vec3d size = nodes_[node].box.high - nodes_[node].box.low;
    const auto along = [&](uint32_t t) {
        const Vec3d sum = corners_[t][0] + corners_[t][1] + corners_[t][2];
        return size.x >= size.y && size.x >= size.z ? sum.x : size.y >= size.z ? sum.y : sum.z;
    };
    const uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](uint32_t a, uint32_t b) {
                         const double x = along(a), y = along(b);
                         return x != y ? x < y : a < b;
                     });
    const auto first = static_cast<uint32_t>(nodes_.size());
    nodes_[node].first = first;
    nodes_.emplace_back();
    nodes_.emplace_back();
    build(first, begin, middle);
    build(first + 1, middle, end);
}

double TriangleTree::Box::distance2(const Vec3d& p) const
{
    const Vec3d d = component_max(component_max(low - p, p - high), {0, 0, 0});
    return dot(d, d);
}

TriangleTree::Nearest TriangleTree::on_triangle(uint32_t triangle, const Vec3d& p) const
{
    const Vec3d &a = corners_[triangle][0], &b = corners_[triangle][1], &c = corners_[triangle][2];
    const Vec3d n = cross(b - a, c - a);
    const double n2 = dot(n, n);
    Nearest best{triangle, {1, 0, 0}, a, std::numeric_limits<double>::infinity()};
    const auto consider = [&](const Vec3d& w) {
        const Vec3d q = a * w.x + b * w.y + c * w.z;
        const double d = length(p - q);
        if (d < best.distance) best = {triangle, w, q, d};
    };
    if (n2 > 0) {  // above the face
        const Vec3d w{dot(cross(b - p, c - p), n) / n2, dot(cross(c - p, a - p), n) / n2,
                      dot(cross(a - p, b - p), n) / n2};
        if (w.x >= 0 && w.y >= 0 && w.z >= 0) {
            consider(w);
            return best;
        }
    }
    const double ab = nearest_fraction(a, b, p), bc = nearest_fraction(b, c, p), ca = nearest_fraction(c, a, p);
    consider({1 - ab, ab, 0});
    consider({0, 1 - bc, bc});
    consider({ca, 0, 1 - ca});
    return best;
}

TriangleTree::Nearest TriangleTree::nearest(const Vec3d& p) const
{
    Nearest best;
    best.distance = std::numeric_limits<double>::infinity();
    uint32_t stack[64];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const TreeNode& node = nodes_[stack[--top]];
        if (node.box.distance2(p) > best.distance * best.distance) continue;
        if (node.count > 0) {
            for (uint32_t i = node.first; i < node.first + node.count; ++i) {
                const Nearest candidate = on_triangle(order_[i], p);
                if (candidate.distance < best.distance ||
                    (candidate.distance == best.distance && candidate.triangle < best.triangle))
                    best = candidate;
            }
            continue;
        }
        const bool left_first = nodes_[node.first].box.distance2(p) <= nodes_[node.first + 1].box.distance2(p);
        stack[top++] = node.first + (left_first ? 1 : 0);
        stack[top++] = node.first + (left_first ? 0 : 1);
    }
    return best;
}

}  // namespace tendril
