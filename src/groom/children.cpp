// Children follow their guides. A kernel processes the segments of one child side by side, because neighbouring
// children have other guides, whose segments would have to be gathered one by one.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "groom/children.cpp"
#include <hwy/foreach_target.h>

#include "groom/children.h"
#include "math/morton.h"
#include "math/simd-inl.h"

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
/// Number of consecutive children that are sorted by position together. If all were, writing their points would miss
/// the caches of addresses.
inline constexpr size_t kSortedTogether = 4096;
/// A larger output does not stay in the caches of a core [bytes].
inline constexpr size_t kCachedBytes = 4 << 20;

inline size_t row_length(size_t points)
{
    return (points + kGroup - 1) / kGroup * kGroup;
}

/// Up to 16 children.
struct ChildGroup {
    std::span<const ChildTask> children;
    const float *guides, *rest;  ///< rows of all guides and children
    float per_second;            ///< 1 over the length of the step [1/s]
    float *points, *velocities;  ///< of all children: x, y, z of each point
    bool stream;                 ///< whether these are too large to stay in a cache
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

HWY_INLINE Vec3<F> blended(const ChildTask& child, const float* guides, size_t row, size_t at)
{
    Vec3<F> sum = load_vector(guides + child.guides[0], row, at) * splat<F>(child.weights[0]);
    for (uint32_t k = 1; k < child.guide_count; ++k)
        sum += load_vector(guides + child.guides[k], row, at) * splat<F>(child.weights[k]);
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

HWY_INLINE void prefetch(const ChildTask& child, const ChildGroup& group)
{
    constexpr size_t kFloatsPerLine = 16;
    const size_t row = std::min(row_length(child.points), kMaxPrefetched);
    for (uint32_t k = 0; k < child.guide_count; ++k)
        for (size_t at = 0; at < kGuideRows * row; at += kFloatsPerLine)
            hwy::Prefetch(group.guides + child.guides[k] + at);
    for (size_t at = 0; at < kRestRows * row; at += kFloatsPerLine) hwy::Prefetch(group.rest + child.rest + at);
}

/// Repeats the last lane of every four lanes.
HWY_INLINE LaneVector last_of_fours(LaneVector v)
{
    return hn::Broadcast<3>(v);
}

/// Moves lanes up by whole fours; the lowest become zero.
template <int kFours>
HWY_INLINE LaneVector up_by_fours(LaneVector v)
{
    alignas(64) static constexpr int32_t kFrom[2][16] = {{0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                                                         {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}};
    const LaneTag tag;
    const auto moved = hn::Not(hn::FirstN(tag, 4 * kFours));
    return hn::IfThenElseZero(moved, hn::TableLookupLanes(v, hn::SetTableIndices(tag, kFrom[kFours - 1])));
}

/// Sums up lanes: every lane becomes the sum of all lanes up to it. Every instruction set adds in the same order: first
/// within every four lanes, then the totals of the fours, called t below.
template <int kWidth = kRegisterLanes>
HWY_INLINE F running_sums(F a)
{
    const LaneTag tag;
    LaneVector before[kBlockRegisters], total[kBlockRegisters];
    for (int i = 0; i < kBlockRegisters; ++i) {
        a.v[i] = hn::Add(a.v[i], hn::ShiftLeftLanes<1>(tag, a.v[i]));
        a.v[i] = hn::Add(a.v[i], hn::ShiftLeftLanes<2>(tag, a.v[i]));
        total[i] = last_of_fours(a.v[i]);
    }
    // The sum before every four is 0, t0, t1 + t0, and (t2 + t1) + t0.
    if constexpr (kWidth == 16) {
        const LaneVector t = up_by_fours<1>(total[0]);
        before[0] = hn::Add(hn::Add(t, up_by_fours<1>(t)), up_by_fours<2>(t));
    } else if constexpr (kWidth == 8) {
        const LaneVector none = hn::Zero(tag), t0 = hn::ConcatLowerLower(tag, total[0], total[0]);
        before[0] = hn::ConcatLowerLower(tag, total[0], none);
        const LaneVector t1 = hn::ConcatUpperUpper(tag, total[0], total[0]);
        before[1] = hn::Add(hn::Add(hn::ConcatLowerLower(tag, total[1], none), t1), t0);
    } else {
        static_assert(kWidth == 4);
        before[0] = hn::Zero(tag);
        before[1] = total[0];
        before[2] = hn::Add(total[1], total[0]);
        before[3] = hn::Add(hn::Add(total[2], total[1]), total[0]);
    }
    for (int i = 0; i < kBlockRegisters; ++i) a.v[i] = hn::Add(a.v[i], before[i]);
    return a;
}

/// Repeats the last lane in all lanes.
template <int kWidth = kRegisterLanes>
HWY_INLINE F last_lane(const F& a)
{
    alignas(64) static constexpr int32_t kLast[16] = {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
    F r;
    const LaneTag tag;
    const LaneVector four = last_of_fours(a.v[kBlockRegisters - 1]);
    LaneVector last = four;
    if constexpr (kWidth == 16)
        last = hn::TableLookupLanes(four, hn::SetTableIndices(tag, kLast));
    else if constexpr (kWidth == 8)
        last = hn::ConcatUpperUpper(tag, four, four);
    for (int i = 0; i < kBlockRegisters; ++i) r.v[i] = last;
    return r;
}

/// The running sum of vectors, as the points of a strand are of its segments.
class RunningSum {
public:
    /// Without negative zeros, the result does not depend on those in the sums.
    explicit HWY_INLINE RunningSum(const Vec3<F>& start) : so_far_(start + splat<F>(0.0f, 0.0f, 0.0f)) {}

    HWY_INLINE Vec3<F> add(const Vec3<F>& a)
    {
        const Vec3<F> sums = so_far_ + Vec3<F>{running_sums(a.x), running_sums(a.y), running_sums(a.z)};
        so_far_ = {last_lane(sums.x), last_lane(sums.y), last_lane(sums.z)};
        return sums;
    }

private:
    Vec3<F> so_far_;
};

/// Writes results to memory. Streaming them past the caches, where they would not stay, saves reading them first.
HWY_INLINE void copy_out(const float* from, size_t size, float* to, bool stream)
{
    size_t i = 0;
    if (stream) {
        constexpr size_t kLine = kBlockLanes * sizeof(float);
        const size_t past = reinterpret_cast<uintptr_t>(to) % kLine / sizeof(float);
        const size_t lead = std::min((kGroup - past) % kGroup, size);
        for (; i < lead; ++i) to[i] = from[i];
        for (; i + kGroup <= size; i += kGroup)
            for (int r = 0; r < kBlockRegisters; ++r)
                hn::Stream(hn::LoadU(LaneTag(), from + i + r * kRegisterLanes), LaneTag(), to + i + r * kRegisterLanes);
    }
    std::copy(from + i, from + size, to + i);
}

/// Segments whose guides cancel out, and which therefore have no direction. They continue the direction before them and
/// have no velocity of their own.
class Gaps {
public:
    void fill(Vec3<F>& edges, Vec3<F>& changes, const F& lengths)
    {
        HWY_ALIGN float e[3][kGroup], change[3][kGroup], length[kGroup];
        store(edges, e), store(changes, change), store_anywhere(lengths, length);
        for (size_t i = 0; i < kGroup; ++i) {
            if (e[0][i] != 0 || e[1][i] != 0 || e[2][i] != 0) {
                direction_ = Vec3f{e[0][i], e[1][i], e[2][i]} * (1 / length[i]);
                continue;
            }
            e[0][i] = direction_.x * length[i], e[1][i] = direction_.y * length[i], e[2][i] = direction_.z * length[i];
            change[0][i] = change[1][i] = change[2][i] = 0;
        }
        edges = load_vector(e[0], kGroup, 0), changes = load_vector(change[0], kGroup, 0);
    }

private:
    static void store(const Vec3<F>& v, float (&rows)[3][kGroup])
    {
        store_anywhere(v.x, rows[0]), store_anywhere(v.y, rows[1]), store_anywhere(v.z, rows[2]);
    }

    Vec3f direction_{0, 1, 0};
};

/// Computes the points and velocities of the child in a lane of `roots`. Writes whole groups. Returns whether it has
/// gaps; with `kFillGaps`, they are filled.
template <bool kFillGaps>
HWY_INLINE bool follow(const ChildGroup& group, const ChildRoots& roots, size_t lane, float* points, float* velocities)
{
    const ChildTask& child = group.children[lane];
    const float* rest = group.rest + child.rest;
    const size_t row = row_length(child.points);
    const Rotation turn(roots.turn, lane), turn_before(roots.turn_before, lane);
    RunningSum point(splat<F>(roots.position[0][lane], roots.position[1][lane], roots.position[2][lane]));
    RunningSum velocity(splat<F>(roots.moved[0][lane], roots.moved[1][lane], roots.moved[2][lane]) *
                        splat<F>(group.per_second));
    const F zero = splat<F>(0.0f);
    const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
    F missing = zero;
    [[maybe_unused]] Gaps gaps;
    for (size_t at = 0; at < row; at += kGroup) {
        const Vec3<F> own = load_vector(rest, row, at);
        const F length = load_anywhere(rest + 3 * row + at);
        const Vec3<F> e = blended(child, group.guides, row, at) + turn(own),
                      before = blended(child, group.guides + 3 * row, row, at) + turn_before(own);
        const F n2 = dot(e, e), before2 = dot(before, before);
        const auto is = has_direction(n2), was = has_direction(before2);
        Vec3<F> edge = select(is, e * scale_to_length(length, n2), none);
        const Vec3<F> edge_before = select(was, before * scale_to_length(length, before2), edge);
        Vec3<F> change = (edge - edge_before) * splat<F>(group.per_second);
        if constexpr (kFillGaps) gaps.fill(edge, change, length);
        missing = max(missing, select(is, zero, length));
        store_interleaved(point.add(edge), points + 3 * at);
        store_interleaved(velocity.add(change), velocities + 3 * at);
    }
    return any(zero < missing);
}

}  // namespace

void FollowGuides(const ChildGroup& group, const ChildRoots& roots)
{
    thread_local std::vector<float> workspace;
    size_t most = 0;
    for (const ChildTask& child : group.children) most = std::max(most, 3 * row_length(child.points));
    if (workspace.size() < 2 * most) workspace.resize(2 * most);
    float *points = workspace.data(), *velocities = points + most;
    for (size_t lane = 0; lane < group.children.size(); ++lane) {
        const ChildTask& child = group.children[lane];
        if (lane + 1 < group.children.size()) prefetch(group.children[lane + 1], group);
        if (HWY_UNLIKELY(follow<false>(group, roots, lane, points, velocities)))
            follow<true>(group, roots, lane, points, velocities);
        copy_out(points, 3 * child.points, group.points + 3 * child.first_point, group.stream);
        copy_out(velocities, 3 * child.points, group.velocities + 3 * child.first_point, group.stream);
    }
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
    sort_children();
    find_tasks();
    store_rest(guides);
}

void Children::sort_children()
{
    std::vector<Vec3f> roots;
    for (size_t s = 0; s < guides_.size(); ++s) {
        order_.push_back(static_cast<uint32_t>(s));
        roots.push_back(children_.points(s)[0]);
    }
    const std::vector<uint64_t> codes = morton_codes(roots);
    for (size_t first = 0; first < order_.size(); first += kSortedTogether) {
        const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
        std::stable_sort(begin, begin + static_cast<std::ptrdiff_t>(std::min(kSortedTogether, order_.size() - first)),
                         [&](uint32_t a, uint32_t b) { return codes[a] < codes[b]; });
    }
}

void Children::find_tasks()
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
    for (const uint32_t s : order_) {
        ChildTask task{};
        for (size_t k = 0; k < 3; ++k) {
            if (k > 0 && !(guides_[s].weights[k] > 0)) continue;
            const auto found = std::lower_bound(keys.begin(), keys.end(), key(s, k));
            task.guides[task.guide_count] = resampled_[static_cast<size_t>(found - keys.begin())].first_row;
            task.weights[task.guide_count++] = guides_[s].weights[k];
        }
        task.first_point = children_.first_points()[s];
        task.points = children_.first_points()[s + 1] - task.first_point;
        task.rest = rows;
        tasks_.push_back(task);
        rows += kRestRows * row_length(task.points);
    }
    rest_rows_.resize(rows);
}

void Children::store_rest(const Groom& guides)
{
    for (size_t k = 0; k < order_.size(); ++k) {
        const uint32_t s = order_[k];
        const auto points = children_.points(s);
        const size_t row = row_length(points.size());
        float* rows = rest_rows_.data() + tasks_[k].rest;
        for (size_t i = 1; i < points.size(); ++i) {
            Vec3f own = points[i] - points[i - 1];
            for (size_t g = 0; g < 3; ++g) {
                const auto guide = guides.points(guides_[s].guides[g]);
                own -=
                    (point_at(guide, i, points.size()) - point_at(guide, i - 1, points.size())) * guides_[s].weights[g];
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
    const auto fill = [&](const auto& at) {
        Vec3f point = points[0], velocity = velocities[0];
        for (size_t i = 1; i < guide.points; ++i) {
            const Vec3f next = at(points, i), next_velocity = at(velocities, i), edge = next - point;
            put(rows, row, i, edge);
            put(rows + 3 * row, row, i, edge - (next_velocity - velocity) * step);
            point = next, velocity = next_velocity;
        }
    };
    if (points.size() == guide.points)
        fill([](std::span<const Vec3f> values, size_t i) { return values[i]; });
    else
        fill([&](std::span<const Vec3f> values, size_t i) { return point_at(values, i, guide.points); });
}

void Children::interpolate(const CurvesView& guides, double dt, const RootsOf& roots, std::span<Vec3f> points,
                           std::span<Vec3f> velocities, Executor& executor)
{
    parallel_for(executor, resampled_.size(), 64, [&](size_t begin, size_t end) {
        for (size_t g = begin; g < end; ++g) update_guide(guides, dt, resampled_[g]);
    });
    const auto per_second = static_cast<float>(1 / dt);
    const size_t strands = tasks_.size();
    const bool stream = points.size_bytes() + velocities.size_bytes() > kCachedBytes;
    parallel_for(executor, (strands + kGroup - 1) / kGroup, 8, [&](size_t begin, size_t end) {
        ChildRoots of_group{};
        for (size_t first = begin * kGroup; first < std::min(end * kGroup, strands); first += kGroup) {
            roots(first, of_group);
            const auto children = std::span(tasks_).subspan(first, std::min(kGroup, strands - first));
            HWY_DYNAMIC_DISPATCH(FollowGuides)
            ({children, guide_rows_.data(), rest_rows_.data(), per_second, &points[0].x, &velocities[0].x, stream},
             of_group);
        }
        hwy::FlushStream();
    });
}

}  // namespace tendril
#endif
