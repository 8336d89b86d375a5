#include "interaction/capsules.h"

#include "math/chunks.h"
#include "math/vectors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace tendril {
namespace {

constexpr size_t kBoxesAtOnce = 512;  // size of a chunk, independent of the number of threads
/// Size limit of the first level, in units of the mean longest side, and the factor from one level to the next.
constexpr double kFirstLevel = 2, kNextLevel = 4;
/// With fewer segments than this, every box is compared with all others.
constexpr size_t kFewSegments = 1024;
constexpr size_t kBlock = 16;

double clamped_share(double share)
{
    return std::clamp(share, 0.0, 1.0);
}

/// Returns the point of the segment from p to p + d that is closest to x, as a share of the segment.
double share_nearest(const Vec3d& p, const Vec3d& d, const Vec3d& x)
{
    const double d2 = dot(d, d);
    return d2 > 0 ? clamped_share(dot(x - p, d) / d2) : 0;
}

double determinant(const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
    return dot(a, cross(b, c));
}

/// Roots of c[0] + c[1] x + c[2] x^2 + c[3] x^3 in [0, 1], in ascending order. There is at most one root between
/// neighbouring stationary points, and bisection finds it.
class CubicRoots {
public:
    explicit CubicRoots(const std::array<double, 4>& c) : c_(c)
    {
        double ends[4] = {0, 1, 1, 1};
        int count = 1;
        for (const double x : stationary_points())
            if (x > 0 && x < 1) ends[count++] = x;
        if (count == 3 && ends[2] < ends[1]) std::swap(ends[1], ends[2]);
        ends[count] = 1;
        for (int i = 0; i < count; ++i) find_between(ends[i], ends[i + 1]);
    }
    std::span<const double> roots() const { return {roots_, count_}; }

private:
    double at(double x) const { return ((c_[3] * x + c_[2]) * x + c_[1]) * x + c_[0]; }
    std::array<double, 2> stationary_points() const
    {
        const double a = 3 * c_[3], b = 2 * c_[2], c = c_[1], inner = b * b - 4 * a * c;
        if (inner < 0) return {-1, -1};
        const double q = -(b + std::copysign(std::sqrt(inner), b)) / 2;
        return {a != 0 ? q / a : -1, q != 0 ? c / q : -1};
    }
    void find_between(double low, double high)
    {
        double at_low = at(low);
        if (at_low == 0) return add(low);
        const double at_high = at(high);
        if (at_high == 0) return add(high);
        if ((at_low < 0) == (at_high < 0)) return;
        for (int i = 0; i < 40; ++i) {
            const double middle = (low + high) / 2, value = at(middle);
            if ((value < 0) == (at_low < 0))
                low = middle;
            else
                high = middle;
        }
        add(low);  // the side on which the segments have not met yet
    }
    void add(double x) { roots_[count_++] = x; }

    std::array<double, 4> c_;
    double roots_[6];
    size_t count_ = 0;
};

}  // namespace

SegmentPoints nearest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1)
{
    const Vec3d u = a1 - a0, v = b1 - b0, r = a0 - b0;
    const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
    // Closest point of the infinite lines; if they are parallel, start from any point of the first.
    const double inner = uu * vv - uv * uv;
    double s = inner > 1e-14 * uu * vv ? clamped_share((uv * vr - ur * vv) / inner) : 0;
    const double t = share_nearest(b0, v, a0 + u * s);
    s = share_nearest(a0, u, b0 + v * t);
    return {s, t};
}

std::optional<SegmentHit> first_hit(const MovingSegment& a, const MovingSegment& b)
{
    // Segments can intersect only when their four ends are coplanar. The volume that the ends span is a cubic in time.
    const Vec3d p = a.from[1] - a.from[0], q = b.from[1] - b.from[0], r = b.from[0] - a.from[0];
    const Vec3d dp = a.to[1] - a.to[0] - p, dq = b.to[1] - b.to[0] - q, dr = b.to[0] - a.to[0] - r;
    const std::array<double, 4> volume = {
        determinant(p, q, r), determinant(dp, q, r) + determinant(p, dq, r) + determinant(p, q, dr),
        determinant(dp, dq, r) + determinant(dp, q, dr) + determinant(p, dq, dr), determinant(dp, dq, dr)};
    const double scale = std::max({dot(p, p), dot(q, q), 1e-300});
    const CubicRoots cubic(volume);
    for (const double time : cubic.roots()) {
        const Vec3d a0 = a.at(0, time), a1 = a.at(1, time), b0 = b.at(0, time), b1 = b.at(1, time);
        const SegmentPoints near = nearest_points(a0, a1, b0, b1);
        const Vec3d apart = a0 + (a1 - a0) * near.s - b0 - (b1 - b0) * near.t;
        if (dot(apart, apart) < 1e-12 * scale) return SegmentHit{time, near};
    }
    return std::nullopt;
}

namespace {

bool within(const CapsulesView& segments, const SegmentPair& pair, double reach)
{
    const Vec3d *a = segments.positions.data() + pair.a, *b = segments.positions.data() + pair.b;
    const SegmentPoints near = nearest_points(a[0], a[1], b[0], b[1]);
    const Vec3d apart = a[0] + (a[1] - a[0]) * near.s - b[0] - (b[1] - b[0]) * near.t;
    return dot(apart, apart) < reach * reach;
}

void clear_chunks(std::vector<std::vector<SegmentPair>>& found, size_t count)
{
    found.resize(std::max(found.size(), count / kBoxesAtOnce + 1));
    for (auto& pairs : found) pairs.clear();
}

void concatenate(const std::vector<std::vector<SegmentPair>>& found, std::vector<SegmentPair>& pairs)
{
    pairs.clear();
    for (const auto& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
}

}  // namespace

std::span<const SegmentPair> CapsulePairs::find(const CapsulesView& segments, double reach, PairSearch search,
                                                Executor& executor, double voxel)
{
    const auto [positions, whole] = segments;
    double longest = 0, farthest = 0;
    for (size_t i = 0; i + 1 < positions.size(); ++i) {
        if (!whole[i]) continue;
        longest = std::max(longest, length(positions[i + 1] - positions[i]));
        farthest = std::max(farthest, length(positions[i] - positions[0]));
    }
    if (search == PairSearch::kSevenVoxels) {
        find_by_voxels(segments, reach, longest * std::max(voxel, 1.0), executor);
        return pairs_;
    }
    // The margin covers the rounding to floats.
    const auto wider = static_cast<float>(reach / 2 * 1.00001 + 1e-6 * (longest + farthest));
    const Vec3f corner{wider, wider, wider};
    boxes_.resize(positions.size());
    for (size_t i = 0; i + 1 < positions.size(); ++i) {
        const Vec3f a = to_float(positions[i] - positions[0]), b = to_float(positions[i + 1] - positions[0]);
        boxes_[i] = {component_min(a, b) - corner, component_max(a, b) + corner};
    }
    const auto overlapping = find_overlapping(boxes_, whole, executor);
    clear_chunks(found_, overlapping.size());
    for_chunks(overlapping.size(), kBoxesAtOnce, executor, [&](size_t chunk, size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k)
            if (within(segments, overlapping[k], reach)) found_[chunk].push_back(overlapping[k]);
    });
    near_.clear();
    for (const auto& found : found_) near_.insert(near_.end(), found.begin(), found.end());
    return near_;
}

std::span<const SegmentPair> CapsulePairs::find_overlapping(std::span<const SegmentBox> boxes,
                                                            std::span<const uint8_t> whole, Executor& executor)
{
    sort_by_size(boxes, whole);
    // A segment also queries the levels above its own, where it may be the longest along an axis.
    Vec3f largest{0, 0, 0};
    for (size_t level = 0; level < kLevels; ++level) levels_[level].build(boxes, members_[level], largest, executor);
    build_blocks(boxes, whole);
    clear_chunks(found_, boxes.size());
    clear_chunks(mixed_, boxes.size());
    for_chunks(boxes.size(), kBoxesAtOnce, executor, [&](size_t chunk, size_t begin, size_t end) {
        for (auto a = static_cast<uint32_t>(begin); a < end; ++a)
            if (whole[a] && level_[a] == kLevels)
                find_in_blocks(boxes, whole, a, found_[chunk]);
            else if (whole[a])
                find_in_grids(boxes, a, chunk);
    });
    concatenate(mixed_, mixed_pairs_);
    if (mixed_pairs_.empty()) {
        concatenate(found_, pairs_);
        return pairs_;
    }
    concatenate(found_, near_);
    std::sort(mixed_pairs_.begin(), mixed_pairs_.end());
    pairs_.resize(near_.size() + mixed_pairs_.size());
    std::merge(near_.begin(), near_.end(), mixed_pairs_.begin(), mixed_pairs_.end(), pairs_.begin());
    return pairs_;
}

void CapsulePairs::sort_by_size(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < boxes.size(); ++i) {
        const auto size = static_cast<double>(boxes[i].longest_side());
        if (!whole[i] || !std::isfinite(size)) continue;
        sum += size;
        ++count;
    }
    float limits[kLevels];
    for (size_t level = 0; level < kLevels; ++level)
        limits[level] = static_cast<float>(level == 0 ? kFirstLevel * sum / std::max(count, 1.0)
                                                      : kNextLevel * static_cast<double>(limits[level - 1]));
    level_.assign(boxes.size(), kLevels);
    for (auto& members : members_) members.clear();
    for (size_t i = 0; i < boxes.size(); ++i) {
        if (!whole[i]) continue;
        size_t level = boxes.size() < kFewSegments ? kLevels : 0;
        while (level < kLevels && !(boxes[i].longest_side() <= limits[level])) ++level;
        level_[i] = static_cast<uint8_t>(level);
        members_[level].push_back(static_cast<uint32_t>(i));
    }
}

/// Finds the pairs of `a` with later segments of its own level, and with all larger segments.
void CapsulePairs::find_in_grids(std::span<const SegmentBox> boxes, uint32_t a, size_t chunk)
{
    thread_local std::vector<uint32_t> meeting;
    const size_t own = level_[a];
    for (const uint32_t b : levels_[own].meeting(boxes[a], static_cast<int32_t>(a) + 1, meeting))
        found_[chunk].push_back({a, b});
    const auto add_larger = [&](uint32_t b) {
        const auto [first, last] = std::minmax(a, b);
        if (last > first + 1) mixed_[chunk].push_back({first, last});
    };
    for (size_t level = own + 1; level < kLevels; ++level)
        if (!levels_[level].empty())
            for (const uint32_t b : levels_[level].meeting(boxes[a], -1, meeting)) add_larger(b);
    for (const uint32_t b : members_[kLevels])
        if (b > a && boxes[a].overlaps(boxes[b])) add_larger(b);
}

void CapsulePairs::build_blocks(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole)
{
    if (members_[kLevels].empty()) return;
    constexpr float kFar = std::numeric_limits<float>::infinity();
    blocks_.assign(boxes.size() / kBlock + 1, {{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}});
    for (size_t i = 0; i < boxes.size(); ++i) {
        if (!whole[i]) continue;
        SegmentBox& block = blocks_[i / kBlock];
        block = {component_min(block.low, boxes[i].low), component_max(block.high, boxes[i].high)};
    }
}

void CapsulePairs::find_in_blocks(std::span<const SegmentBox> boxes, std::span<const uint8_t> whole, uint32_t a,
                                  std::vector<SegmentPair>& found) const
{
    const SegmentBox own = boxes[a];
    for (size_t block = (a + 2) / kBlock; block < blocks_.size(); ++block) {
        if (!own.overlaps(blocks_[block])) continue;
        const size_t end = std::min((block + 1) * kBlock, boxes.size());
        for (size_t b = std::max<size_t>(block * kBlock, a + 2); b < end; ++b)
            if (whole[b] && own.overlaps(boxes[b])) found.push_back({a, static_cast<uint32_t>(b)});
    }
}

void CapsulePairs::find_by_voxels(const CapsulesView& segments, double reach, double side, Executor& executor)
{
    const auto positions = segments.positions;
    const auto whole = segments.whole;
    pairs_.clear(), points_.clear();
    for (const Vec3d& p : positions) points_.push_back(to_float(p - positions[0]));
    if (points_.empty()) return;
    side = std::max(side, 1e-6);
    grid_.build(points_, side, executor);
    const auto rows = grid_.row_offsets();
    const auto order = grid_.order(), begin = grid_.cell_begin();
    const uint32_t mask = static_cast<uint32_t>(grid_.cell_count()) - 1;
    // The seven cells: all three of the middle row, and the middle cell of each of its four neighbouring rows.
    const std::array<uint32_t, 7> cells = {rows[1] + 1, rows[3] + 1, rows[4],    rows[4] + 1,
                                           rows[4] + 2, rows[5] + 1, rows[7] + 1};
    // Cells that are far apart may share a number. Points of neighbouring cells are closer than sqrt(6) sides.
    const auto max_distance2 = static_cast<float>(6.1 * side * side);
    const auto near = [&](uint32_t p, uint32_t q) {
        const Vec3f d = points_[p] - points_[q];
        return dot(d, d) <= max_distance2;
    };
    const auto take = [&](std::vector<SegmentPair>& found, size_t p, size_t q) {
        for (const size_t a : {p - 1, p})
            for (const size_t b : {q - 1, q}) {
                if (a >= whole.size() || b >= whole.size() || !whole[a] || !whole[b])
                    continue;  // p - 1 wraps around for p = 0
                const SegmentPair pair{static_cast<uint32_t>(std::min(a, b)), static_cast<uint32_t>(std::max(a, b))};
                if (pair.b > pair.a + 1 && within(segments, pair, reach)) found.push_back(pair);
            }
    };
    clear_chunks(found_, grid_.cell_count());
    for_chunks(grid_.cell_count(), kBoxesAtOnce, executor, [&](size_t chunk, size_t first, size_t last) {
        for (size_t cell = first; cell < last; ++cell)
            for (uint32_t i = begin[cell]; i < begin[cell + 1]; ++i)
                for (const uint32_t offset : cells) {
                    const uint32_t other = (static_cast<uint32_t>(cell) + offset) & mask;
                    for (uint32_t j = begin[other]; j < begin[other + 1]; ++j)
                        if (order[i] < order[j] && near(order[i], order[j])) take(found_[chunk], order[i], order[j]);
                }
    });
    for (const auto& found : found_) pairs_.insert(pairs_.end(), found.begin(), found.end());
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

}  // namespace tendril
