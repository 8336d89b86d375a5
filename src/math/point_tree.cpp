#include "math/point_tree.h"

#include "math/vectors.h"

#include <algorithm>
#include <utility>

namespace tendril {
namespace {

double coordinate(const Vec3d& p, uint8_t axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

}  // namespace

struct PointTree::Search {
    Vec3d p;
    size_t count;
    std::vector<std::pair<double, uint32_t>> best;  // squared distance and index, a heap with the farthest on top

    double radius2() const { return best.size() < count ? 1e300 : best.front().first; }
    void consider(double d2, uint32_t index)
    {
        const std::pair<double, uint32_t> entry{d2, index};
        if (best.size() == count) {
            if (!(entry < best.front())) return;
            std::pop_heap(best.begin(), best.end());
            best.pop_back();
        }
        best.push_back(entry);
        std::push_heap(best.begin(), best.end());
    }
};

PointTree::PointTree(std::span<const Vec3d> points)
    : points_(points.begin(), points.end()), order_(points.size()), axis_(points.size())
{
    for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    build(0, order_.size());
}

void PointTree::build(size_t begin, size_t end)
{
    if (end - begin < 2) return;
    Vec3d low = points_[order_[begin]], high = low;
    for (size_t i = begin; i < end; ++i) {
        const Vec3d& p = points_[order_[i]];
        low = component_min(low, p);
        high = component_max(high, p);
    }
    const Vec3d size = high - low;
    const uint8_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const size_t middle = begin + (end - begin) / 2;
    const auto before = [&](uint32_t a, uint32_t b) {
        const double x = coordinate(points_[a], axis), y = coordinate(points_[b], axis);
        return x != y ? x < y : a < b;
    };
    std::nth_element(order_.begin() + static_cast<ptrdiff_t>(begin), order_.begin() + static_cast<ptrdiff_t>(middle),
                     order_.begin() + static_cast<ptrdiff_t>(end), before);
    axis_[middle] = axis;
    build(begin, middle);
    build(middle + 1, end);
}

void PointTree::search(size_t begin, size_t end, Search& state) const
{
    if (begin >= end) return;
    const size_t middle = begin + (end - begin) / 2;
    const Vec3d d = state.p - points_[order_[middle]];
    state.consider(dot(d, d), order_[middle]);
    if (end - begin == 1) return;
    const double across = coordinate(d, axis_[middle]);
    const bool left = across < 0;
    search(left ? begin : middle + 1, left ? middle : end, state);
    if (across * across <= state.radius2()) search(left ? middle + 1 : begin, left ? end : middle, state);
}

std::vector<uint32_t> PointTree::nearest(const Vec3d& p, size_t count) const
{
    Search state{p, count, {}};
    if (count > 0) search(0, order_.size(), state);
    std::sort(state.best.begin(), state.best.end());
    std::vector<uint32_t> indices;
    for (const auto& [d2, index] : state.best) indices.push_back(index);
    return indices;
}

}  // namespace tendril
