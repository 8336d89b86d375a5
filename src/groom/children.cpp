// Children follow their guides. A kernel processes the segments of one child side by side, because neighbouring
// children have other guides, whose segments would have to be gathered one by one. It sums them up for sixteen children
// side by side.

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
// How far ahead the rows of guides [children], and of children [floats], are prefetched.
inline constexpr size_t kAhead = 3, kRestAhead = 1024;
/// Number of consecutive children that are sorted by position together. If all were, writing their points would miss
/// the caches of addresses.
inline constexpr size_t kSortedTogether = 16384;
/// A larger output does not stay in the caches of a core [bytes].
inline constexpr size_t kCachedBytes = 4 << 20;

inline size_t row_length(size_t points)
{
    return (points + kGroup - 1) / kGroup * kGroup;
}

/// The first children of a list, up to 16.
struct ChildGroup {
    std::span<const ChildTask> children;  ///< those that follow are only prefetched
    const float *guides, *rest;           ///< rows of all guides and children
    float per_second;                     ///< 1 over the length of the step [1/s]
    float *points, *velocities;           ///< of all children: x, y, z of each point
    bool stream;                          ///< whether these are too large to stay in a cache
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

HWY_INLINE Vec3<F> blended(const ChildTask& child, const float* guides, size_t row, size_t at)
{
    const auto share = [&](size_t k) HWY_ATTR {
        return load_vector(guides + child.guides[k], row, at) * splat<F>(child.weights[k]);
    };
    return share(0) + share(1) + share(2);
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
    for (const size_t guide : child.guides)
        for (size_t at = 0; at < kGuideRows * row; at += kFloatsPerLine) hwy::Prefetch(group.guides + guide + at);
    // The rows of following children follow each other; they come from memory, and therefore take longer.
    for (size_t at = 0; at < kRestRows * row; at += kFloatsPerLine)
        hwy::Prefetch(group.rest + child.rest + (kRestAhead + at));
}

/// Sixteen rows of sixteen floats.
using Tile = float[kGroup][kGroup];

/// Loads four floats of each of the rows 0, 4, 8, 12 below `from`, as many as fit into a register.
template <class Tag>
HWY_INLINE hn::Vec<Tag> load_fours(Tag tag, const float* from)
{
    constexpr size_t kCount = hn::MaxLanes(Tag());
    if constexpr (kCount == 4) {
        return hn::Load(tag, from);
    } else {
        const hn::Half<Tag> half;
        return hn::Combine(tag, load_fours(half, from + kCount / 2 * kGroup), load_fours(half, from));
    }
}

HWY_INLINE void transpose(const Tile& from, float* to, size_t to_row)
{
    const LaneTag tag;
    const hn::Repartition<double, LaneTag> pairs;
    const auto pair = [&](LaneVector v) HWY_ATTR { return hn::BitCast(pairs, v); };
    for (size_t column = 0; column < kGroup; column += 4)
        for (size_t row = 0; row < kGroup; row += kRegisterLanes) {
            const float* at = &from[row][column];
            const LaneVector a = load_fours(tag, at), b = load_fours(tag, at + kGroup),
                             c = load_fours(tag, at + 2 * kGroup), d = load_fours(tag, at + 3 * kGroup);
            const auto ab = pair(hn::InterleaveLower(tag, a, b)), cd = pair(hn::InterleaveLower(tag, c, d)),
                       ab2 = pair(hn::InterleaveUpper(tag, a, b)), cd2 = pair(hn::InterleaveUpper(tag, c, d));
            float* out = to + column * to_row + row;
            hn::Store(hn::BitCast(tag, hn::InterleaveLower(pairs, ab, cd)), tag, out);
            hn::Store(hn::BitCast(tag, hn::InterleaveUpper(pairs, ab, cd)), tag, out + to_row);
            hn::Store(hn::BitCast(tag, hn::InterleaveLower(pairs, ab2, cd2)), tag, out + 2 * to_row);
            hn::Store(hn::BitCast(tag, hn::InterleaveUpper(pairs, ab2, cd2)), tag, out + 3 * to_row);
        }
}

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

/// Vectors at sixteen points of sixteen children.
struct VectorTile {
    HWY_ALIGN Tile x, y, z;

    HWY_INLINE void store(size_t child, const Vec3<F>& v)
    {
        store_anywhere(v.x, x[child]), store_anywhere(v.y, y[child]), store_anywhere(v.z, z[child]);
    }
    HWY_INLINE Vec3f at(size_t child, size_t i) const { return {x[child][i], y[child][i], z[child][i]}; }
    HWY_INLINE void set(size_t child, size_t i, const Vec3f& v)
    {
        x[child][i] = v.x, y[child][i] = v.y, z[child][i] = v.z;
    }
};

/// Computes sixteen segments of a child from point `at` on, and their change per second. Segments whose guides cancel
/// out, and which therefore have no direction, are zero; returns whether there are any.
HWY_INLINE bool follow(const ChildGroup& group, const ChildRoots& roots, size_t lane, size_t at, VectorTile& edges,
                       VectorTile& changes)
{
    const ChildTask& child = group.children[lane];
    const float* rest = group.rest + child.rest;
    const size_t row = row_length(child.points);
    const Rotation turn(roots.turn, lane), turn_before(roots.turn_before, lane);
    const F zero = splat<F>(0.0f);
    const Vec3<F> own = load_vector(rest, row, at);
    const F length = load_anywhere(rest + 3 * row + at);
    const Vec3<F> e = blended(child, group.guides, row, at) + turn(own),
                  before = blended(child, group.guides + 3 * row, row, at) + turn_before(own);
    const F n2 = dot(e, e), before2 = dot(before, before);
    const auto is = has_direction(n2), was = has_direction(before2);
    const Vec3<F> edge = select(is, e * scale_to_length(length, n2), splat<F>(0.0f, 0.0f, 0.0f));
    const Vec3<F> edge_before = select(was, before * scale_to_length(length, before2), edge);
    edges.store(lane, edge);
    changes.store(lane, (edge - edge_before) * splat<F>(group.per_second));
    return any(zero < select(is, zero, length));
}

/// Lets segments without a direction continue the one before them, without a velocity of their own.
HWY_NOINLINE void fill_gaps(const ChildGroup& group, size_t lane, size_t at, VectorTile& edges, VectorTile& changes)
{
    const ChildTask& child = group.children[lane];
    const float* lengths = group.rest + child.rest + 3 * row_length(child.points) + at;
    Vec3f direction{0, 1, 0};
    if (at > 1) {
        const float* last = group.points + 3 * (child.first_point + at - 1);
        const Vec3f e{last[0] - last[-3], last[1] - last[-2], last[2] - last[-1]};
        if (dot(e, e) > 0) direction = e * (1 / length(e));
    }
    for (size_t i = 0; i < kGroup; ++i) {
        const Vec3f e = edges.at(lane, i);
        if (e.x != 0 || e.y != 0 || e.z != 0) {
            direction = e * (1 / lengths[i]);
            continue;
        }
        edges.set(lane, i, direction * lengths[i]);
        changes.set(lane, i, {0, 0, 0});
    }
}

/// Sums up the segments of sixteen children from `sum` on, the end of the last one. Leaves x, y, z of every point,
/// child by child.
class PointSums {
public:
    static constexpr size_t kFloats = 3 * kGroup;

    HWY_INLINE void add_up(const VectorTile& segments, Vec3<F>& sum)
    {
        transpose(segments.x, by_level_.x[0], kGroup);
        transpose(segments.y, by_level_.y[0], kGroup);
        transpose(segments.z, by_level_.z[0], kGroup);
        for (size_t i = 0; i < kGroup; ++i) {
            sum += Vec3<F>{load_anywhere(by_level_.x[i]), load_anywhere(by_level_.y[i]), load_anywhere(by_level_.z[i])};
            store_anywhere(sum.x, row(3 * i)), store_anywhere(sum.y, row(3 * i + 1)),
                store_anywhere(sum.z, row(3 * i + 2));
        }
        for (size_t k = 0; k < 3; ++k) transpose(interleaved_[k], by_child_ + k * kGroup, kFloats);
    }
    HWY_INLINE const float* of(size_t child) const { return by_child_ + child * kFloats; }

private:
    HWY_INLINE float* row(size_t i) { return interleaved_[i / kGroup][i % kGroup]; }

    VectorTile by_level_;
    HWY_ALIGN Tile interleaved_[3];  // x, y, z of the first level, of the second, and so on
    HWY_ALIGN float by_child_[kGroup * kFloats];
};

}  // namespace

void FollowGuides(const ChildGroup& group, const ChildRoots& roots)
{
    const size_t count = std::min(kGroup, group.children.size());
    size_t most = 0;
    for (const ChildTask& child : group.children.first(count)) most = std::max<size_t>(most, child.points);
    const auto load_roots = [](const std::array<ChildRoots::Row, 3>& rows) HWY_ATTR {
        return Vec3<F>{load_anywhere(rows[0].data()), load_anywhere(rows[1].data()), load_anywhere(rows[2].data())};
    };
    Vec3<F> point = load_roots(roots.position), velocity = load_roots(roots.moved) * splat<F>(group.per_second);
    VectorTile edges, changes;  // rows beyond the children or their points have any values; so have their sums
    PointSums points, velocities;
    for (size_t at = 0; at < most; at += kGroup) {
        for (size_t lane = 0; lane < count; ++lane) {
            if (at == 0 && lane + kAhead < group.children.size()) prefetch(group.children[lane + kAhead], group);
            if (at >= group.children[lane].points) continue;
            if (HWY_UNLIKELY(follow(group, roots, lane, at, edges, changes)))
                fill_gaps(group, lane, at, edges, changes);
        }
        points.add_up(edges, point);
        velocities.add_up(changes, velocity);
        for (size_t lane = 0; lane < count; ++lane) {
            const ChildTask& child = group.children[lane];
            if (at >= child.points) continue;
            const size_t first = 3 * (child.first_point + at), floats = 3 * std::min(kGroup, child.points - at);
            copy_out(points.of(lane), floats, group.points + first, group.stream);
            copy_out(velocities.of(lane), floats, group.velocities + first, group.stream);
        }
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
            const auto found = std::lower_bound(keys.begin(), keys.end(), key(s, k));
            task.guides[k] = resampled_[static_cast<size_t>(found - keys.begin())].first_row;
            task.weights[k] = guides_[s].weights[k];
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
            HWY_DYNAMIC_DISPATCH(FollowGuides)
            ({std::span(tasks_).subspan(first), guide_rows_.data(), rest_rows_.data(), per_second, &points[0].x,
              &velocities[0].x, stream},
             of_group);
        }
        hwy::FlushStream();
    });
}

}  // namespace tendril
#endif
