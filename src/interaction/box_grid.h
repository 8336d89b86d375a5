/// Broad phase for boxes of similar size, on a grid whose cells are at least as large as every box that is stored or
/// queried. A box is stored in the cell of its low corner, so every box that overlaps it is in the 27 cells around it.
#pragma once

#include "interaction/cell_grid.h"
#include "tendril/parallel.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// Bounding box of a segment, or of its whole path if it moves [m].
struct SegmentBox {
    Vec3f low, high;
    bool overlaps(const SegmentBox& o) const
    {
        // No short-circuit: the branches would be unpredictable.
        return (low.x <= o.high.x) & (o.low.x <= high.x) & (low.y <= o.high.y) & (o.low.y <= high.y) &
               (low.z <= o.high.z) & (o.low.z <= high.z);
    }
    bool contains(const SegmentBox& o) const
    {
        return low.x <= o.low.x && o.high.x <= high.x && low.y <= o.low.y && o.high.y <= high.y && low.z <= o.low.z &&
               o.high.z <= high.z;
    }
    float longest_side() const;
};

class BoxGrid {
public:
    /// Stores the boxes whose indices are in `members`. `largest` is the largest size along each axis of the other
    /// boxes that will be queried; it grows to that of the members.
    void build(std::span<const SegmentBox> boxes, std::span<const uint32_t> members, Vec3f& largest,
               Executor& executor);
    bool empty() const { return numbers_.empty(); }
    /// Returns the members with an index above `above` whose boxes overlap `box`, in ascending order. Along each axis,
    /// `box` must not be larger than `largest` was after `build`. The result is stored in `found`.
    std::span<const uint32_t> meeting(const SegmentBox& box, int32_t above, std::vector<uint32_t>& found) const;

private:
    Vec3f in_cells(const Vec3f& p) const;

    CellGrid grid_;
    Vec3f per_side_{1, 1, 1};  // inverse size of a cell along each axis [1/m]
    std::vector<Vec3f> corners_;
    // Structure of arrays, sorted by cell and padded with boxes that overlap nothing.
    std::vector<float> sides_[6];  // low x, y, z, high x, y, z
    std::vector<uint32_t> numbers_;
};

}  // namespace tendril
