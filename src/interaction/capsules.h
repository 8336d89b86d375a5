/// Segments of strings as capsules: which may touch, where they are nearest, and when they meet on their way.
#pragma once

#include "interaction/cell_grid.h"
#include "tendril/parallel.h"
#include "tendril/settings.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tendril {

/// Points of two segments, as shares of the way from their first particle to their second.
struct SegmentPoints {
    double s, t;
};
/// Where two segments are nearest to each other: a0 to a1 and b0 to b1, of any length.
SegmentPoints nearest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1);

/// A segment that moves: its two particles at the start, and where they end.
struct MovingSegment {
    Vec3d from[2], to[2];
    Vec3d at(double share, double time) const
    {
        const Vec3d a = from[0] + (to[0] - from[0]) * time, b = from[1] + (to[1] - from[1]) * time;
        return a + (b - a) * share;
    }
};
/// When and where two segments first go through each other, all particles moving straight on over the time from 0 to 1.
struct Meeting {
    double time;
    SegmentPoints points;
};
std::optional<Meeting> first_meeting(const MovingSegment& a, const MovingSegment& b);

struct SegmentPair {
    uint32_t a, b;  ///< the particles that they begin at, a < b
    bool operator==(const SegmentPair&) const = default;
    bool operator<(const SegmentPair& o) const { return a != o.a ? a < o.a : b < o.b; }
};

/// What is searched: segment i leads from particle i to particle i + 1 where `whole[i]` says so.
struct SegmentsView {
    std::span<const Vec3d> places;
    std::span<const uint8_t> whole;
};

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
};

/// Pairs of segments, not those that share a particle. Sorted, and the same for any number of threads.
class CapsulePairs {
public:
    /// All that are nearer than `reach` to each other (kExact), or those of them that the other search finds. `voxel`:
    /// side of a voxel in units of the longest segment, >= 1 (kSevenVoxels).
    std::span<const SegmentPair> find(const SegmentsView& segments, double reach, PairSearch search, Executor& executor,
                                      double voxel = 1);
    /// All whose boxes meet; `whole` says which have one.
    std::span<const SegmentPair> find_meeting(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole,
                                              Executor& executor);

private:
    struct Cell {
        int32_t x, y, z;
    };
    /// A segment in a cell that its box reaches; those of the same cell follow each other up to `end`.
    struct Slot {
        uint64_t bounds;  // of its box within the cell, rounded
        uint32_t segment, end;
    };

    Cell cell_of(const Vec3f& place) const;
    uint64_t bounds_in(const Vec3f& cell, const SegmentBox& box) const;
    void enter_cells(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole);
    void make_slots(std::span<const SegmentBox> boxes, Executor& executor);
    void look_around(std::span<const SegmentBox> boxes, uint32_t segment, std::vector<SegmentPair>& found) const;
    void look_at_all(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole, uint32_t segment,
                     std::vector<SegmentPair>& found) const;
    void draw_blocks(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole);
    void find_by_voxels(const SegmentsView& segments, double reach, double side, Executor& executor);

    CellGrid grid_;
    float per_side_ = 1;
    std::vector<Vec3f> points_;
    std::vector<uint32_t> owner_;        // of a point: the segment
    std::vector<uint32_t> first_point_;  // of a segment; it ends where that of the next one begins
    std::vector<uint32_t> slot_;         // of a point
    std::vector<Slot> slots_;
    std::vector<Cell> low_;           // of a segment: its first cell
    std::vector<uint32_t> large_;     // segments that would be in too many cells
    std::vector<uint8_t> is_large_;   // by segment
    std::vector<SegmentBox> blocks_;  // around some segments in a row each
    std::vector<SegmentBox> boxes_;
    std::vector<std::vector<SegmentPair>> found_;  // by chunk
    std::vector<SegmentPair> pairs_, near_;
};

}  // namespace tendril
