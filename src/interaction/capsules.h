/// Segments of strings as capsules: the search for pairs, closest points, and continuous collision of moving segments.
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

/// A point on each of two segments, as a share of the segment: 0 is its first particle, 1 its second.
struct SegmentPoints {
    double s, t;
};
/// Returns the closest points of the segments a0 to a1 and b0 to b1, which may have length 0.
SegmentPoints nearest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1);

/// A moving segment: the positions of its two particles at time 0 and at time 1.
struct MovingSegment {
    Vec3d from[2], to[2];
    Vec3d at(double share, double time) const
    {
        const Vec3d a = from[0] + (to[0] - from[0]) * time, b = from[1] + (to[1] - from[1]) * time;
        return a + (b - a) * share;
    }
};
/// The first time in [0, 1] at which two segments intersect, with all particles moving linearly.
struct SegmentHit {
    double time;
    SegmentPoints points;
};
std::optional<SegmentHit> first_hit(const MovingSegment& a, const MovingSegment& b);

struct SegmentPair {
    uint32_t a, b;  ///< first particle of each segment, a < b
    bool operator==(const SegmentPair&) const = default;
    bool operator<(const SegmentPair& o) const { return a != o.a ? a < o.a : b < o.b; }
};

/// The segments to search. Segment i connects particles i and i + 1 and exists if `whole[i]` is set.
struct CapsulesView {
    std::span<const Vec3d> positions;
    std::span<const uint8_t> whole;
};

/// Finds pairs of segments that do not share a particle. The pairs are sorted and do not depend on the number of
/// threads.
class CapsulePairs {
public:
    /// Finds the pairs that are closer than `reach`: all of them with kExact; kSevenVoxels misses some. `voxel` is the
    /// side of a voxel in units of the longest segment, >= 1 (kSevenVoxels).
    std::span<const SegmentPair> find(const CapsulesView& segments, double reach, PairSearch search, Executor& executor,
                                      double voxel = 1);
    /// Finds all pairs whose boxes overlap, among the segments with `whole` set.
    std::span<const SegmentPair> find_overlapping(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole,
                                                  Executor& executor);

private:
    /// Boxes are sorted into levels by size, each with a limit four times that of the one before. Boxes that are too
    /// large for the last level are compared with all others.
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
    std::vector<uint8_t> level_;                  // by segment; kLevels: too large for any level
    std::vector<uint32_t> members_[kLevels + 1];  // by level
    std::vector<SegmentBox> blocks_;              // each around a run of consecutive segments
    std::vector<SegmentBox> boxes_;
    std::vector<std::vector<SegmentPair>> found_, mixed_;  // by chunk: pairs within a level, and across levels
    std::vector<SegmentPair> pairs_, mixed_pairs_, near_;
};

}  // namespace tendril
