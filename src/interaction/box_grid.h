/// Boxes of about the same size in cells as large as the largest of them: each is in the one cell of its low corner,
/// and whatever it meets is in the 27 cells around that.
#pragma once

#include "interaction/cell_grid.h"
#include "tendril/parallel.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// A box around a segment, and around all of its way where it moves [m].
struct SegmentBox {
    Vec3f low, high;
    bool meets(const SegmentBox& o) const
    {
        // All at once: which of them decides is not to be foreseen.
        return (low.x <= o.high.x) & (o.low.x <= high.x) & (low.y <= o.high.y) & (o.low.y <= high.y) &
               (low.z <= o.high.z) & (o.low.z <= high.z);
    }
    bool holds(const SegmentBox& o) const
    {
        return low.x <= o.low.x && o.high.x <= high.x && low.y <= o.low.y && o.high.y <= high.y && low.z <= o.low.z &&
               o.high.z <= high.z;
    }
    float longest_side() const;
};

class BoxGrid {
public:
    /// Of all boxes those of these numbers.
    void build(std::span<const SegmentBox> boxes, std::span<const uint32_t> members, Executor& executor);
    bool empty() const { return numbers_.empty(); }
    /// The members whose boxes meet this one, which is no larger than theirs, and whose numbers are above another: in
    /// rising order. `found` is for the answer to be written into.
    std::span<const uint32_t> meeting(const SegmentBox& box, int32_t above, std::vector<uint32_t>& found) const;

private:
    Vec3f in_cells(const Vec3f& p) const;

    CellGrid grid_;
    Vec3f per_side_{1, 1, 1};  // of a cell, which is as large as the largest box along each axis [1/m]
    std::vector<Vec3f> corners_;
    // Sorted by cell, side by side for comparing many at once, and some more that meet nothing.
    std::vector<float> sides_[6];  // low x, y, z, high x, y, z
    std::vector<uint32_t> numbers_;
};

}  // namespace tendril
