// Children follow their guides. A kernel processes the segments of one child side by side, because neighbouring
// children have other guides, whose segments would have to be gathered one by one.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "groom/children.cpp"
#include <hwy/foreach_target.h>

#include "math/simd-inl.h"
#include "tendril/hair_style.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <utility>
#include <vector>

#ifndef TENDRIL_GROOM_CHILDREN_
#define TENDRIL_GROOM_CHILDREN_

namespace tendril {

/// Number of floats by which rows are processed.
inline constexpr size_t kGroup = 16;
inline constexpr size_t kGuideRows = 6, kRestRows = 4;
inline constexpr size_t kMaxPrefetched = 64;  // of a row; the processor itself prefetches the rest
/// Children are processed in batches with about this many points, which fit into the nearest cache.
inline constexpr size_t kBatchPoints = 512;
/// A larger output does not stay in the caches of a core [bytes].
inline constexpr size_t kCachedBytes = 4 << 20;

inline size_t row_length(size_t points)
{
    return (points + kGroup - 1) / kGroup * kGroup;
}

/// One child.
struct ChildTask {
    size_t points;
    const float* guides[3];  ///< rows of its guides
    float weights[3];
    int guide_count;
    const float* rest;  ///< its own rows
};

/// Consecutive children of a group.
struct ChildBatch {
    std::span<const ChildTask> children;
    size_t first_lane;
    float per_second;            ///< 1 over the length of the step [1/s]
    float *points, *velocities;  ///< output, x, y, z of each point
    size_t size;                 ///< of each output, in floats
    bool stream;                 ///< whether the output is too large to stay in a cache
};

}  // namespace tendril
#endif

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {
namespace {

using F = Lanes<1>;
static_assert(kBlockLanes == kGroup && ChildRoots::kCount == kGroup);

HWY_INLINE Vec3<F> load_vector(const float* rows, size_t row, size_t at)
{
    return {load_anywhere(rows + at), load_anywhere(rows + row + at), load_anywhere(rows + 2 * row + at)};
}

/// Stores x, y, z of the first lane, then those of the second, and so on.
HWY_INLINE void store_interleaved(const Vec3<F>& v, float* to)
{
    for (int i = 0; i < kBlockRegisters; ++i)
        hn::StoreInterleaved3(v.x.v[i], v.y.v[i], v.z.v[i], LaneTag(), to + i * kRegisterLanes * 3);
}

HWY_INLINE Vec3<F> blended(const ChildTask& child, size_t first_row, size_t row, size_t at)
{
    Vec3<F> sum = load_vector(child.guides[0] + first_row * row, row, at) * splat<F>(child.weights[0]);
    for (int k = 1; k < child.guide_count; ++k)
        sum += load_vector(child.guides[k] + first_row * row, row, at) * splat<F>(child.weights[k]);
    return sum;
}

/// A rotation that is the same in all lanes.
struct Rotation {
    Vec3<F> x, y, z;

    HWY_INLINE Rotation(const std::array<ChildRoots::Row, 9>& m, size_t lane)
        : x(splat<F>(m[0][lane], m[1][lane], m[2][lane])),
          y(splat<F>(m[3][lane], m[4][lane], m[5][lane])),
          z(splat<F>(m[6][lane], m[7][lane], m[8][lane]))
    {
    }
    HWY_INLINE Vec3<F> operator()(const Vec3<F>& v) const { return transform(x, y, z, v); }
};

HWY_INLINE void prefetch(const ChildTask& child)
{
    constexpr size_t kFloatsPerLine = 16;
    const size_t row = std::min(row_length(child.points), kMaxPrefetched);
    for (int k = 0; k < child.guide_count; ++k)
        for (size_t at = 0; at < kGuideRows * row; at += kFloatsPerLine) hwy::Prefetch(child.guides[k] + at);
    for (size_t at = 0; at < kRestRows * row; at += kFloatsPerLine) hwy::Prefetch(child.rest + at);
}

/// Writes the sums of vectors, beginning at `scale` times the vector in a lane. One number after another is faster than
/// four at once, because those would cross the lines of the cache.
HWY_INLINE void sum_up(const std::array<ChildRoots::Row, 3>& start, size_t lane, float scale, const float* vectors,
                       size_t size, float* to)
{
    float x = start[0][lane] * scale, y = start[1][lane] * scale, z = start[2][lane] * scale;
    for (size_t i = 0; i < size; i += 3) {
        to[i] = x += vectors[i];
        to[i + 1] = y += vectors[i + 1];
        to[i + 2] = z += vectors[i + 2];
    }
}

/// Writes results to memory. Streaming them past the caches, where they would not stay, saves reading them first.
HWY_INLINE void copy_out(const float* from, float* to, const ChildBatch& batch)
{
    size_t i = 0;
    if (batch.stream) {
        constexpr size_t kLine = kBlockLanes * sizeof(float);
        const size_t past = reinterpret_cast<uintptr_t>(to) % kLine / sizeof(float);
        const size_t lead = std::min((kGroup - past) % kGroup, batch.size);
        for (; i < lead; ++i) to[i] = from[i];
        for (; i + kGroup <= batch.size; i += kGroup)
            for (int r = 0; r < kBlockRegisters; ++r)
                hn::Stream(hn::LoadU(LaneTag(), from + i + r * kRegisterLanes), LaneTag(), to + i + r * kRegisterLanes);
    }
    std::copy(from + i, from + batch.size, to + i);
}

/// A segment whose guides cancel out continues the direction before it and has no velocity of its own.
HWY_NOINLINE void fill_missing_segments(const ChildTask& child, float* edges, float* changes)
{
    const float* lengths = child.rest + 3 * row_length(child.points);
    Vec3f direction{0, 1, 0};
    for (size_t i = 1; i < child.points; ++i) {
        float *e = edges + 3 * i, *change = changes + 3 * i;
        const Vec3f edge{e[0], e[1], e[2]};
        if (edge != Vec3f{0, 0, 0}) {
            direction = edge * (1 / lengths[i]);
            continue;
        }
        e[0] = direction.x * lengths[i], e[1] = direction.y * lengths[i], e[2] = direction.z * lengths[i];
        change[0] = change[1] = change[2] = 0;
    }
}

/// Computes the segments of a child, and their change per second.
HWY_INLINE void compute_segments(const ChildTask& child, const ChildRoots& roots, size_t lane, float per_second,
                                 float* edges, float* changes)
{
    const size_t row = row_length(child.points);
    const Rotation turn(roots.turn, lane), turn_before(roots.turn_before, lane);
    const F zero = splat<F>(0.0f);
    const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
    F missing = zero;
    for (size_t at = 0; at < row; at += kGroup) {
        const Vec3<F> own = load_vector(child.rest, row, at);
        const F length = load_anywhere(child.rest + 3 * row + at);
        const Vec3<F> e = blended(child, 0, row, at) + turn(own),
                      before = blended(child, 3, row, at) + turn_before(own);
        const F n2 = dot(e, e), before2 = dot(before, before);
        const auto is = has_direction(n2), was = has_direction(before2);
        const Vec3<F> edge = select(is, e * scale_to_length(length, n2), none);
        const Vec3<F> edge_before = select(was, before * scale_to_length(length, before2), edge);
        missing = max(missing, select(is, zero, length));
        store_interleaved(edge, edges + 3 * at);
        store_interleaved((edge - edge_before) * splat<F>(per_second), changes + 3 * at);
    }
    if (any(zero < missing)) fill_missing_segments(child, edges, changes);
}

}  // namespace

void FollowGuides(const ChildBatch& batch, const ChildRoots& roots)
{
    thread_local std::vector<float> workspace;
    size_t size = 2 * batch.size;
    for (const ChildTask& child : batch.children) size += 6 * row_length(child.points);
    if (workspace.size() < size) workspace.resize(size);
    float *point_at = workspace.data(), *velocity_at = point_at + batch.size, *edges = velocity_at + batch.size;
    float* const first_edges = edges;
    for (size_t k = 0; k < batch.children.size(); ++k) {
        const size_t row = row_length(batch.children[k].points);
        if (k + 1 < batch.children.size()) prefetch(batch.children[k + 1]);
        compute_segments(batch.children[k], roots, batch.first_lane + k, batch.per_second, edges, edges + 3 * row);
        edges += 6 * row;
    }
    // Separate from the first loop, so that the processor need not wait for what it has just stored.
    edges = first_edges;
    for (size_t k = 0; k < batch.children.size(); ++k) {
        const size_t lane = batch.first_lane + k, row = row_length(batch.children[k].points),
                     size_of_child = 3 * batch.children[k].points;
        sum_up(roots.position, lane, 1, edges, size_of_child, point_at);
        sum_up(roots.moved, lane, batch.per_second, edges + 3 * row, size_of_child, velocity_at);
        point_at += size_of_child, velocity_at += size_of_child, edges += 6 * row;
    }
    copy_out(workspace.data(), batch.points, batch);
    copy_out(workspace.data() + batch.size, batch.velocities, batch);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {

HWY_EXPORT(FollowGuides);

namespace {

/// The point at a fraction of the particles of a strand.
Vec3f point_at(std::span<const Vec3f> points, size_t i, size_t count)
{
    if (points.size() == count) return points[i];
    const float x = static_cast<float>(i) / static_cast<float>(count - 1) * static_cast<float>(points.size() - 1);
    const size_t below = std::min(static_cast<size_t>(x), points.size() - 2);
    return points[below] + (points[below + 1] - points[below]) * (x - static_cast<float>(below));
}

void put(float* rows, size_t row, size_t i, const Vec3f& v)
{
    rows[i] = v.x, rows[row + i] = v.y, rows[2 * row + i] = v.z;
}

}  // namespace

Children::Children(const Groom& guides, Groom children, GuideMode mode)
    : children_(std::move(children)), guides_(find_guides(guides.data(), children_.data(), mode))
{
    find_resampled_guides();
    store_rest(guides);
}

void Children::find_resampled_guides()
{
    using Key = std::pair<uint32_t, uint32_t>;
    const auto key = [&](size_t s, size_t k) {
        return Key(guides_[s].guides[k], static_cast<uint32_t>(children_.points(s).size()));
    };
    std::vector<Key> keys;
    for (size_t s = 0; s < guides_.size(); ++s)
        for (size_t k = 0; k < 3; ++k) keys.push_back(key(s, k));
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    size_t rows = 0;
    for (const auto& [guide, points] : keys) {
        resampled_.push_back({guide, points, rows});
        rows += kGuideRows * row_length(points);
    }
    guide_rows_.resize(rows);
    rows = 0;
    for (size_t s = 0; s < guides_.size(); ++s) {
        Follower& follower = followers_.emplace_back();
        for (size_t k = 0; k < 3; ++k)
            follower.guide_rows[k] =
                resampled_[static_cast<size_t>(std::lower_bound(keys.begin(), keys.end(), key(s, k)) - keys.begin())]
                    .first_row;
        follower.rest_row = rows;
        rows += kRestRows * row_length(children_.points(s).size());
    }
    rest_rows_.resize(rows);
}

void Children::store_rest(const Groom& guides)
{
    for (size_t s = 0; s < guides_.size(); ++s) {
        const auto points = children_.points(s);
        const size_t row = row_length(points.size());
        float* rows = rest_rows_.data() + followers_[s].rest_row;
        for (size_t i = 1; i < points.size(); ++i) {
            Vec3f own = points[i] - points[i - 1];
            for (size_t k = 0; k < 3; ++k) {
                const auto guide = guides.points(guides_[s].guides[k]);
                own -=
                    (point_at(guide, i, points.size()) - point_at(guide, i - 1, points.size())) * guides_[s].weights[k];
            }
            put(rows, row, i, own);
            rows[3 * row + i] = children_.rest_lengths(s)[i];
        }
    }
}

void Children::update_guide(const CurvesView& guides, double dt, const ResampledGuide& guide)
{
    const uint32_t first = guides.first_point[guide.guide], end = guides.first_point[guide.guide + 1];
    const auto points = guides.points.subspan(first, end - first);
    const auto velocities = guides.velocities.subspan(first, end - first);
    const size_t row = row_length(guide.points);
    float* rows = guide_rows_.data() + guide.first_row;
    const auto step = static_cast<float>(dt);
    Vec3f point = points[0], velocity = velocities[0];
    for (size_t i = 1; i < guide.points; ++i) {
        const Vec3f next = point_at(points, i, guide.points), next_velocity = point_at(velocities, i, guide.points);
        put(rows, row, i, next - point);
        put(rows + 3 * row, row, i, next - point - (next_velocity - velocity) * step);
        point = next, velocity = next_velocity;
    }
}

void Children::interpolate(const CurvesView& guides, double dt, const RootsOf& roots, std::span<Vec3f> points,
                           std::span<Vec3f> velocities, Executor& executor)
{
    parallel_for(executor, resampled_.size(), 64, [&](size_t begin, size_t end) {
        for (size_t g = begin; g < end; ++g) update_guide(guides, dt, resampled_[g]);
    });
    const auto per_second = static_cast<float>(1 / dt);
    const size_t strands = children_.strand_count();
    const bool stream = points.size_bytes() + velocities.size_bytes() > kCachedBytes;
    const std::span<const uint32_t> first_points = children_.first_points();
    parallel_for(executor, (strands + kGroup - 1) / kGroup, 8, [&](size_t begin, size_t end) {
        ChildRoots of_group{};
        std::array<ChildTask, kGroup> tasks;
        for (size_t first = begin * kGroup; first < std::min(end * kGroup, strands); first += kGroup) {
            roots(first, of_group);
            const size_t count = std::min(kGroup, strands - first);
            for (size_t lane = 0; lane < count;) {
                const size_t first_lane = lane, from = first_points[first + lane];
                size_t of_batch = 0;
                for (; lane < count && first_points[first + lane] - from < kBatchPoints; ++lane)
                    tasks[of_batch++] = task_of(first + lane);
                HWY_DYNAMIC_DISPATCH(FollowGuides)
                ({std::span(tasks).first(of_batch), first_lane, per_second, &points[from].x, &velocities[from].x,
                  3 * (first_points[first + lane] - from), stream},
                 of_group);
            }
        }
        hwy::FlushStream();
    });
}

ChildTask Children::task_of(size_t child) const
{
    const Follower& follower = followers_[child];
    const ChildGuides& guides = guides_[child];
    ChildTask task;
    task.points = children_.first_points()[child + 1] - children_.first_points()[child];
    task.guide_count = 0;
    for (size_t k = 0; k < 3; ++k) {
        if (k > 0 && !(guides.weights[k] > 0)) continue;
        task.guides[task.guide_count] = guide_rows_.data() + follower.guide_rows[k];
        task.weights[task.guide_count++] = guides.weights[k];
    }
    task.rest = rest_rows_.data() + follower.rest_row;
    return task;
}

}  // namespace tendril
#endif
