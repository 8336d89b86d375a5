#include "interaction/capsules.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tendril {
namespace {

constexpr size_t kChunk = 512;

double clamped_share(double share)
{
    return std::clamp(share, 0.0, 1.0);
}

/// The share of a segment from p along d whose point is nearest to x.
double share_nearest(const Vec3d& p, const Vec3d& d, const Vec3d& x)
{
    const double d2 = dot(d, d);
    return d2 > 0 ? clamped_share(dot(x - p, d) / d2) : 0;
}

double determinant(const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
    return dot(a, cross(b, c));
}

/// Roots of c[0] + c[1] x + c[2] x^2 + c[3] x^3 in [0, 1], in rising order: between each two places where the slope
/// changes its sign there is one at most, and it is found by halving.
class CubicRoots {
public:
    explicit CubicRoots(const std::array<double, 4>& c) : c_(c)
    {
        double ends[4] = {0, 1, 1, 1};
        int count = 1;
        for (const double x : turns())
            if (x > 0 && x < 1) ends[count++] = x;
        std::sort(ends + 1, ends + count);
        ends[count] = 1;
        for (int i = 0; i < count; ++i) look_between(ends[i], ends[i + 1]);
    }
    std::span<const double> roots() const { return {roots_, count_}; }

private:
    double at(double x) const { return ((c_[3] * x + c_[2]) * x + c_[1]) * x + c_[0]; }
    std::array<double, 2> turns() const
    {
        const double a = 3 * c_[3], b = 2 * c_[2], c = c_[1], inner = b * b - 4 * a * c;
        if (inner < 0) return {-1, -1};
        const double q = -(b + std::copysign(std::sqrt(inner), b)) / 2;
        return {a != 0 ? q / a : -1, q != 0 ? c / q : -1};
    }
    void look_between(double low, double high)
    {
        double at_low = at(low);
        if (at_low == 0) return add(low);
        const double at_high = at(high);
        if (at_high == 0) return add(high);
        if ((at_low < 0) == (at_high < 0)) return;
        for (int i = 0; i < 60; ++i) {
            const double middle = (low + high) / 2, value = at(middle);
            if ((value < 0) == (at_low < 0))
                low = middle;
            else
                high = middle;
        }
        add(low);  // from this side, they have not yet met
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
    // Of the lines, in general position; else from any point of the first.
    const double inner = uu * vv - uv * uv;
    double s = inner > 1e-14 * uu * vv ? clamped_share((uv * vr - ur * vv) / inner) : 0;
    const double t = share_nearest(b0, v, a0 + u * s);
    s = share_nearest(a0, u, b0 + v * t);
    return {s, t};
}

std::optional<Meeting> first_meeting(const MovingSegment& a, const MovingSegment& b)
{
    // Two segments meet when their four ends lie in one plane: the volume that they span is a cubic of time.
    const Vec3d p = a.from[1] - a.from[0], q = b.from[1] - b.from[0], r = b.from[0] - a.from[0];
    const Vec3d dp = a.to[1] - a.to[0] - p, dq = b.to[1] - b.to[0] - q, dr = b.to[0] - a.to[0] - r;
    const std::array<double, 4> volume = {
        determinant(p, q, r), determinant(dp, q, r) + determinant(p, dq, r) + determinant(p, q, dr),
        determinant(dp, dq, r) + determinant(dp, q, dr) + determinant(p, dq, dr), determinant(dp, dq, dr)};
    const double scale = std::max({dot(p, p), dot(q, q), 1e-300});
    for (const double time : CubicRoots(volume).roots()) {
        const Vec3d a0 = a.at(0, time), a1 = a.at(1, time), b0 = b.at(0, time), b1 = b.at(1, time);
        const SegmentPoints near = nearest_points(a0, a1, b0, b1);
        const Vec3d apart = a0 + (a1 - a0) * near.s - b0 - (b1 - b0) * near.t;
        if (dot(apart, apart) < 1e-12 * scale) return Meeting{time, near};
    }
    return std::nullopt;
}

std::span<const SegmentPair> CapsulePairs::find(const SegmentsView& segments, double reach, PairSearch search,
                                                Executor& executor, double voxel)
{
    double longest2 = 0;
    for (size_t i = 0; i + 1 < segments.places.size(); ++i) {
        const Vec3d e = segments.places[i + 1] - segments.places[i];
        if (segments.whole[i]) longest2 = std::max(longest2, dot(e, e));
    }
    const double longest = std::sqrt(longest2);
    points_.clear(), owner_.clear(), pairs_.clear();
    if (search == PairSearch::kExact)
        find_exact(segments, reach, longest, executor);
    else
        find_by_voxels(segments, reach, longest * std::max(voxel, 1.0), executor);
    for (std::vector<SegmentPair>& found : found_) {
        pairs_.insert(pairs_.end(), found.begin(), found.end());
        found.clear();
    }
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    return pairs_;
}

namespace {

bool within(const SegmentsView& segments, const SegmentPair& pair, double reach)
{
    const Vec3d* p = segments.places.data();
    const SegmentPoints near = nearest_points(p[pair.a], p[pair.a + 1], p[pair.b], p[pair.b + 1]);
    const Vec3d apart =
        p[pair.a] + (p[pair.a + 1] - p[pair.a]) * near.s - p[pair.b] - (p[pair.b + 1] - p[pair.b]) * near.t;
    return dot(apart, apart) < reach * reach;
}

}  // namespace

void CapsulePairs::find_exact(const SegmentsView& segments, double reach, double longest, Executor& executor)
{
    // Segments nearer than `reach` have middles nearer than that and half of each of them.
    const Vec3d origin = segments.places.empty() ? Vec3d{0, 0, 0} : segments.places[0];
    for (size_t i = 0; i + 1 < segments.places.size(); ++i) {
        if (!segments.whole[i]) continue;
        points_.push_back(to_float((segments.places[i] + segments.places[i + 1]) * 0.5 - origin));
        owner_.push_back(static_cast<uint32_t>(i));
    }
    if (points_.empty()) return;
    const double side = (longest + reach) * 1.0001 + 1e-6;
    const auto side2 = static_cast<float>(side * side);
    grid_.build(points_, side, executor);
    const auto rows = grid_.row_offsets();
    const auto order = grid_.order(), begin = grid_.cell_begin();
    const uint32_t mask = static_cast<uint32_t>(grid_.cell_count()) - 1;
    found_.resize(grid_.cell_count() / kChunk + 1);
    parallel_for(executor, found_.size(), 1, [&](size_t first, size_t last) {
        for (size_t chunk = first; chunk < last; ++chunk)
            for (size_t cell = chunk * kChunk; cell < std::min((chunk + 1) * kChunk, grid_.cell_count()); ++cell)
                for (uint32_t i = begin[cell]; i < begin[cell + 1]; ++i)
                    for (const uint32_t row : rows)
                        for (uint32_t k = 0; k < 3; ++k) {
                            const uint32_t other = (static_cast<uint32_t>(cell) + row + k) & mask;
                            for (uint32_t j = begin[other]; j < begin[other + 1]; ++j) {
                                const uint32_t a = owner_[order[i]], b = owner_[order[j]];
                                const Vec3f d = points_[order[i]] - points_[order[j]];
                                if (b <= a + 1 || !(dot(d, d) < side2)) continue;
                                if (within(segments, {a, b}, reach)) found_[chunk].push_back({a, b});
                            }
                        }
    });
}

void CapsulePairs::find_by_voxels(const SegmentsView& segments, double reach, double side, Executor& executor)
{
    const Vec3d origin = segments.places.empty() ? Vec3d{0, 0, 0} : segments.places[0];
    for (const Vec3d& p : segments.places) points_.push_back(to_float(p - origin));
    if (points_.empty()) return;
    grid_.build(points_, std::max(side, 1e-6), executor);
    const auto rows = grid_.row_offsets();
    const auto order = grid_.order(), begin = grid_.cell_begin();
    const uint32_t mask = static_cast<uint32_t>(grid_.cell_count()) - 1;
    // The middle one of the rows has all its three cells among the seven, its four neighbours one each.
    std::vector<uint32_t> cells;
    for (const uint32_t row : {1u, 3u, 5u, 7u}) cells.push_back(rows[row] + 1);
    for (uint32_t k = 0; k < 3; ++k) cells.push_back(rows[4] + k);
    const auto take = [&](std::vector<SegmentPair>& found, size_t p, size_t q) {
        for (const size_t a : {p - 1, p})
            for (const size_t b : {q - 1, q}) {
                if (a >= segments.whole.size() || b >= segments.whole.size()) continue;  // before the first
                if (!segments.whole[a] || !segments.whole[b]) continue;
                const SegmentPair pair{static_cast<uint32_t>(std::min(a, b)), static_cast<uint32_t>(std::max(a, b))};
                if (pair.b > pair.a + 1 && within(segments, pair, reach)) found.push_back(pair);
            }
    };
    found_.resize(grid_.cell_count() / kChunk + 1);
    parallel_for(executor, found_.size(), 1, [&](size_t first, size_t last) {
        for (size_t chunk = first; chunk < last; ++chunk)
            for (size_t cell = chunk * kChunk; cell < std::min((chunk + 1) * kChunk, grid_.cell_count()); ++cell)
                for (uint32_t i = begin[cell]; i < begin[cell + 1]; ++i)
                    for (const uint32_t offset : cells) {
                        const uint32_t other = (static_cast<uint32_t>(cell) + offset) & mask;
                        for (uint32_t j = begin[other]; j < begin[other + 1]; ++j)
                            if (order[i] < order[j]) take(found_[chunk], order[i], order[j]);
                    }
    });
}

}  // namespace tendril
