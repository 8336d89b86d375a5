/// Segments of strings as capsules: which may touch, where they are nearest, and when they meet on their way.
#pragma once

#include "interaction/box_grid.h"
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
struct CapsulesView {
    std::span<const Vec3d> positions;
    std::span<const uint8_t> whole;
};

/// Pairs of segments, not those that share a particle. Sorted, and the same for any number of threads.
class CapsulePairs {
public:
    /// All that are nearer than `reach` to each other (kExact), or those of them that the other search finds. `voxel`:
    /// side of a voxel in units of the longest segment, >= 1 (kSevenVoxels).
    std::span<const SegmentPair> find(const CapsulesView& segments, double reach, PairSearch search, Executor& executor,
                                      double voxel = 1);
    /// All whose boxes meet; `whole` says which have one.
    std::span<const SegmentPair> find_meeting(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole,
                                              Executor& executor);

private:
    /// Boxes up to a size, each level four times that of the one before; the last ones are compared with all others.
    static constexpr size_t kLevels = 4;

    void sort_by_size(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole);
    void find_in_grids(std::span<const SegmentBox> boxes, uint32_t segment, size_t chunk);
    void find_in_blocks(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole, uint32_t segment,
                        std::vector<SegmentPair>& found) const;
    void build_blocks(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole);
    void find_by_voxels(const CapsulesView& segments, double reach, double side, Executor& executor);

    CellGrid grid_;
    std::vector<Vec3f> points_;
    BoxGrid levels_[kLevels];
    std::vector<uint8_t> level_;                  // of a segment; kLevels: too large for any
    std::vector<uint32_t> members_[kLevels + 1];  // of a level
    std::vector<SegmentBox> blocks_;              // around some segments in a row each
    std::vector<SegmentBox> boxes_;
    std::vector<std::vector<SegmentPair>> found_, mixed_;  // by chunk: of the same level, of two
    std::vector<SegmentPair> pairs_, mixed_pairs_, near_;
};

}  // namespace tendril
