/// Nearest-neighbour queries on a set of points, with a k-d tree that halves each range along its longest side.
#pragma once

#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

class PointTree {
public:
    explicit PointTree(std::span<const Vec3d> points);

    /// Indices of the `count` nearest points, or of all points if there are fewer, nearest first. Among equally near
    /// points the lower index comes first.
    std::vector<uint32_t> nearest(const Vec3d& p, size_t count) const;

private:
    struct Search;
    void build(size_t begin, size_t end);
    void search(size_t begin, size_t end, Search& state) const;

    std::vector<Vec3d> points_;
    std::vector<uint32_t> order_;
    std::vector<uint8_t> axis_;  // per entry of order_: the axis along which its range was split
};

}  // namespace tendril
