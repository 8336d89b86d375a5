/// The nearest of many points: halves within halves along the longest side.
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

    /// Indices of the `count` nearest points, nearest first; fewer where there are fewer. Of equally near ones the
    /// lower index comes first.
    std::vector<uint32_t> nearest(const Vec3d& p, size_t count) const;

private:
    struct Found;
    void build(size_t begin, size_t end);
    void search(size_t begin, size_t end, Found& found) const;

    std::vector<Vec3d> points_;
    std::vector<uint32_t> order_;
    std::vector<uint8_t> axis_;  // by place in order_: along which its range was halved
};

}  // namespace tendril
