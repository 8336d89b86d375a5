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

class CapsulePairs {
public:
    /// All pairs of segments that are nearer than `reach` to each other (kExact), or that are found and are; not those
    /// that share a particle. Sorted, and the same for any number of threads. `voxel`: side of a voxel in units of the
    /// longest segment, >= 1 (kSevenVoxels).
    std::span<const SegmentPair> find(const SegmentsView& segments, double reach, PairSearch search, Executor& executor,
                                      double voxel = 1);

private:
    void find_exact(const SegmentsView& segments, double reach, double longest, Executor& executor);
    void find_by_voxels(const SegmentsView& segments, double reach, double side, Executor& executor);

    CellGrid grid_;
    std::vector<Vec3f> points_;
    std::vector<uint32_t> owner_;                  // of a point
    std::vector<std::vector<SegmentPair>> found_;  // by chunk
    std::vector<SegmentPair> pairs_;
};

}  // namespace tendril
