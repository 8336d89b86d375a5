// The search for neighbours, 16 candidates at a time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interaction/neighbours.cpp"
#include <hwy/foreach_target.h>

#include "interaction/neighbours.h"

#include "interaction/compress-inl.h"
#include "interaction/quads-inl.h"
#include "math/bits.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <atomic>
#include <limits>

#ifndef TENDRIL_INTERACTION_NEIGHBOURS_ONCE
#define TENDRIL_INTERACTION_NEIGHBOURS_ONCE
namespace tendril {

/// Input and output of the kernel.
struct SearchView {
    const PointMass* particles;
    const uint32_t* cell_begin;
    uint32_t cells;
    std::array<uint32_t, 9> rows;
    float per_radius2;
    uint32_t max_neighbours;
    Surroundings* surroundings;
    uint32_t* lists;
    size_t stride;
    uint32_t* counts;
};

/// A range of particles in sorted order.
struct IndexRange {
    uint32_t begin, end;
};

/// Candidates for all particles of a cell, copied to contiguous memory: one loop instead of nine short ones.
inline constexpr uint32_t kTile = 1024;
struct Tile {
    alignas(64) float x[kTile + 16], y[kTile + 16], z[kTile + 16], mass[kTile + 16];
    alignas(64) uint32_t index[kTile + 16];
    uint32_t count = 0;
};

/// If a cell has at least this many particles, candidates are first tested against the bounding box of these.
inline constexpr uint32_t kMinForBox = 4;
/// Squared distance from that box beyond which candidates are left out, in units of h^2. The slack is for rounding.
inline constexpr float kBoxReach2 = 1 + 1e-5f;

/// Neighbours found so far for one particle. It holds more than any list, because the nearest are known only at the
/// end.
inline constexpr uint32_t kMaxFound = 1024;
static_assert(kMaxFound >= 2 * kMaxListed);
struct Found {
    alignas(64) uint32_t index[kMaxFound + 32];
    alignas(64) float distance2[kMaxFound + 32];  // in units of h^2; filled only by keep_nearest
    uint32_t count = 0;
    float reach = 1;
};

}  // namespace tendril
#endif

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {
namespace {

using F = Lanes<1>;

HWY_INLINE F scaled_distance2(const F& dx, const F& dy, const F& dz, const F& per_radius2)
{
    return (dx * dx + dy * dy + dz * dz) * per_radius2;
}

/// Writes those of 16 numbers that a mask selects, followed by unspecified values. Returns how many it selects.
HWY_INLINE uint32_t keep(const uint32_t* from, const LanesMask<1>& mask, uint32_t* to)
{
    uint32_t count = 0;
    for (int i = 0; i < kBlockRegisters; ++i) {
        const Chosen chosen(mask.m[i]);
        chosen.store(hn::Load(IndexTag(), from + i * kRegisterLanes), to + count);
        count += chosen.count();
    }
    return count;
}

HWY_INLINE uint32_t count_below(const Found& found, float limit)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < found.count; k += kBlockLanes)
        for (int i = 0; i < kBlockRegisters; ++i)
            count += static_cast<uint32_t>(hn::CountTrue(
                LaneTag(),
                hn::Lt(hn::Load(LaneTag(), found.distance2 + k + i * kRegisterLanes), hn::Set(LaneTag(), limit))));
    return count;
}

/// The smallest distance that is not below a limit.
HWY_INLINE float least_from(const Found& found, float limit)
{
    const LaneTag tag;
    auto least = hn::Set(tag, std::numeric_limits<float>::infinity());
    for (uint32_t k = 0; k < found.count; k += kRegisterLanes) {
        const auto d2 = hn::Load(tag, found.distance2 + k);
        least = hn::Min(least, hn::IfThenElse(hn::Lt(d2, hn::Set(tag, limit)), least, d2));
    }
    return hn::GetLane(hn::MinOfLanes(tag, least));
}

/// Returns the distance of the first neighbour beyond the cap. Non-negative floats are ordered like their bits, so this
/// is a bisection over bits until as many neighbours as allowed are below.
HWY_INLINE float reach_for(const Found& found, uint32_t max_neighbours)
{
    uint32_t enough = 0, too_many = bit_cast<uint32_t>(found.reach);
    // Most neighbours are in the outer part of the ball.
    for (float inner = 0.25f; inner > 0.01f && enough == 0; inner *= inner)
        if (inner < found.reach && count_below(found, inner) <= max_neighbours) enough = bit_cast<uint32_t>(inner);
    while (too_many - enough > 1) {
        const uint32_t middle = enough + (too_many - enough) / 2;
        const float limit = bit_cast<float>(middle);
        const uint32_t below = count_below(found, limit);
        if (below == max_neighbours) return least_from(found, limit);
        (below > max_neighbours ? too_many : enough) = middle;
    }
    return bit_cast<float>(enough);
}

/// Keeps the nearest `view.max_neighbours` of those found.
HWY_NOINLINE void keep_nearest(const SearchView& view, uint32_t at, Found& found)
{
    for (uint32_t k = found.count; k < found.count + kBlockLanes; ++k) found.index[k] = at;
    const PointMass& self = view.particles[at];
    for (uint32_t k = 0; k < found.count; k += kBlockLanes) {
        const FourLanes other = load_quads(&view.particles->x, 4, found.index + k);
        LaneTraits<F>::store(scaled_distance2(splat<F>(self.x) - other.a, splat<F>(self.y) - other.b,
                                              splat<F>(self.z) - other.c, splat<F>(view.per_radius2)),
                             found.distance2 + k, 0);
    }
    std::fill_n(found.distance2 + found.count, kBlockLanes, std::numeric_limits<float>::infinity());
    found.reach = reach_for(found, view.max_neighbours);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < found.count; k += kBlockLanes)
        kept += keep(found.index + k, LaneTraits<F>::load(found.distance2 + k, 0) < splat<F>(found.reach),
                     found.index + kept);
    found.count = kept;
}

struct Sums {
    F u1, u2, u3;
};

HWY_INLINE LanesMask<1> indices_other_than(uint32_t at, const uint32_t* indices)
{
    LanesMask<1> other;
    for (int i = 0; i < kBlockRegisters; ++i)
        other.m[i] = hn::RebindMask(
            LaneTag(), hn::Ne(hn::Load(IndexTag(), indices + i * kRegisterLanes), hn::Set(IndexTag(), at)));
    return other;
}

HWY_INLINE LanesMask<1> both(const LanesMask<1>& a, const LanesMask<1>& b)
{
    LanesMask<1> r;
    for (int i = 0; i < kBlockRegisters; ++i) r.m[i] = hn::And(a.m[i], b.m[i]);
    return r;
}

HWY_INLINE void scan(const SearchView& view, const Tile& tile, uint32_t at, Found& found, Sums& sums)
{
    const PointMass& self = view.particles[at];
    const F x = splat<F>(self.x), y = splat<F>(self.y), z = splat<F>(self.z);
    const F per_radius2 = splat<F>(view.per_radius2), one = splat<F>(1.0f), zero = splat<F>(0.0f);
    // Local copies stay in registers; the originals would go through memory, because keep_nearest() can change them.
    Sums sum = sums;
    uint32_t count = found.count;
    F reach = splat<F>(found.reach);
    for (uint32_t k = 0; k < tile.count; k += kBlockLanes) {
        const F d2 = scaled_distance2(x - LaneTraits<F>::load(tile.x + k, 0), y - LaneTraits<F>::load(tile.y + k, 0),
                                      z - LaneTraits<F>::load(tile.z + k, 0), per_radius2);
        const F u = max(one - d2, zero);
        const F mu = LaneTraits<F>::load(tile.mass + k, 0) * u, mu2 = mu * u;
        sum.u1 = sum.u1 + mu;
        sum.u2 = sum.u2 + mu2;
        sum.u3 = sum.u3 + mu2 * u;
        const LanesMask<1> near = both(d2 < reach, indices_other_than(at, tile.index + k));
        count += keep(tile.index + k, near, found.index + count);
        if (HWY_UNLIKELY(count > kMaxFound - kBlockLanes)) {
            found.count = count;
            keep_nearest(view, at, found);
            count = found.count;
            reach = splat<F>(found.reach);
        }
    }
    found.count = count;
    sums = sum;
}

HWY_INLINE void write(const SearchView& view, uint32_t at, const Found& found, const Sums& sum)
{
    uint32_t* list = view.lists + at * view.stride;
    for (uint32_t k = 0; k < found.count; k += kBlockLanes)
        for (int i = 0; i < kBlockLanes; i += kRegisterLanes)
            hn::StoreU(hn::Load(IndexTag(), found.index + k + i), IndexTag(), list + k + i);
    view.counts[at] = found.count;
    Surroundings& to = view.surroundings[at];
    hn::Store(sums(sum.u1, sum.u2, sum.u3), QuadTag(), &to.u1);
    to.reach = found.reach;
}

/// Copies particles into the tile, as many as fit, and removes them from the range.
HWY_INLINE void fill(const SearchView& view, IndexRange& range, Tile& tile)
{
    const uint32_t count = std::min(range.end - range.begin, kTile - tile.count);
    for (uint32_t k = 0; k < count; k += kBlockLanes) {
        const FourLanes v = load_consecutive_quads(&view.particles[range.begin + k].x);
        store_anywhere(v.a, tile.x + tile.count + k);
        store_anywhere(v.b, tile.y + tile.count + k);
        store_anywhere(v.c, tile.z + tile.count + k);
        store_anywhere(v.d, tile.mass + tile.count + k);
        for (int i = 0; i < kBlockLanes; i += kRegisterLanes)
            hn::StoreU(hn::Iota(IndexTag(), range.begin + k + static_cast<uint32_t>(i)), IndexTag(),
                       tile.index + tile.count + k + i);
    }
    tile.count += count;
    range.begin += count;
}

/// Bounding box of a range of particles.
struct Bounds {
    Vec3f low, high;

    HWY_INLINE Bounds(const SearchView& view, const IndexRange& range)
    {
        const PointMass& first = view.particles[range.begin];
        low = high = {first.x, first.y, first.z};
        for (uint32_t at = range.begin + 1; at < range.end; ++at) {
            const PointMass& p = view.particles[at];
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
    }
    HWY_INLINE F scaled_distance2_to(const FourLanes& p, const F& per_radius2) const
    {
        const F zero = splat<F>(0.0f);
        const F x = max(max(splat<F>(low.x) - p.a, p.a - splat<F>(high.x)), zero);
        const F y = max(max(splat<F>(low.y) - p.b, p.b - splat<F>(high.y)), zero);
        const F z = max(max(splat<F>(low.z) - p.c, p.c - splat<F>(high.z)), zero);
        return scaled_distance2(x, y, z, per_radius2);
    }
};

/// Like fill(), but omits candidates that are too far from `box`, the bounding box of the cell's particles. The tile
/// must have room for the whole range. The corners of the 27 cells are a third of their volume, and particles seldom
/// fill their cell to its corners.
HWY_INLINE void fill_near(const SearchView& view, const Bounds& box, const IndexRange& range, Tile& tile)
{
    const F limit = splat<F>(kBoxReach2), per_radius2 = splat<F>(view.per_radius2);
    uint32_t count = tile.count;
    for (uint32_t at = range.begin; at < range.end; at += kBlockLanes) {
        const FourLanes v = load_consecutive_quads(&view.particles[at].x);
        const LanesMask<1> near = box.scaled_distance2_to(v, per_radius2) < limit;
        for (int i = 0; i < kBlockRegisters; ++i) {
            const auto index = hn::Iota(IndexTag(), at + static_cast<uint32_t>(i * kRegisterLanes));
            const auto within = hn::RebindMask(LaneTag(), hn::Lt(index, hn::Set(IndexTag(), range.end)));
            const Chosen chosen(hn::And(near.m[i], within));
            chosen.store(v.a.v[i], tile.x + count);
            chosen.store(v.b.v[i], tile.y + count);
            chosen.store(v.c.v[i], tile.z + count);
            chosen.store(v.d.v[i], tile.mass + count);
            chosen.store(index, tile.index + count);
            count += chosen.count();
        }
    }
    tile.count = count;
}

/// Pads the tile with massless candidates at infinity.
HWY_INLINE void close(Tile& tile)
{
    const F far = splat<F>(std::numeric_limits<float>::infinity());
    store_anywhere(far, tile.x + tile.count);
    store_anywhere(far, tile.y + tile.count);
    store_anywhere(far, tile.z + tile.count);
    store_anywhere(splat<F>(0.0f), tile.mass + tile.count);
}

/// The particles in the 27 cells around a cell: nine rows, each in two ranges where the numbers of cells wrap around.
struct CellRows {
    IndexRange range[18];
    int count = 0;
    uint32_t candidates = 0;

    HWY_INLINE CellRows(const SearchView& view, uint32_t cell)
    {
        for (uint32_t offset : view.rows) {
            const uint32_t first = (cell + offset) & (view.cells - 1);
            add({view.cell_begin[first], view.cell_begin[std::min(first + 3, view.cells)]});
            if (first + 3 > view.cells) add({0, view.cell_begin[first + 3 - view.cells]});
        }
    }
    HWY_INLINE void add(const IndexRange& r)
    {
        range[count] = r;
        count += r.end > r.begin ? 1 : 0;
        candidates += r.end - r.begin;
    }
};

/// Searches all rows for one particle, tile by tile, for cells with more candidates than fit into a tile.
HWY_NOINLINE void scan_crowd(const SearchView& view, const CellRows& rows, uint32_t at, Tile& tile, Found& found,
                             Sums& sum)
{
    tile.count = 0;
    for (int r = 0; r < rows.count; ++r)
        for (IndexRange range = rows.range[r]; range.begin < range.end;) {
            fill(view, range, tile);
            if (tile.count < kTile) continue;
            close(tile);
            scan(view, tile, at, found, sum);
            tile.count = 0;
        }
    close(tile);
    scan(view, tile, at, found, sum);
}

/// Searches for all particles of some cells. Returns the number of lists that were cut.
size_t search_cells(const SearchView& view, size_t begin, size_t end)
{
    Tile tile;
    Found found;
    size_t cut = 0;
    for (size_t cell = begin; cell < end; ++cell) {
        const IndexRange own{view.cell_begin[cell], view.cell_begin[cell + 1]};
        if (own.begin == own.end) continue;
        CellRows rows(view, static_cast<uint32_t>(cell));
        const bool crowded = rows.candidates > kTile;
        if (!crowded) {
            tile.count = 0;
            if (own.end - own.begin < kMinForBox) {
                for (int r = 0; r < rows.count; ++r) fill(view, rows.range[r], tile);
            } else {
                const Bounds box(view, own);
                for (int r = 0; r < rows.count; ++r) fill_near(view, box, rows.range[r], tile);
            }
            close(tile);
        }
        for (uint32_t at = own.begin; at < own.end; ++at) {
            Sums sum{splat<F>(0.0f), splat<F>(0.0f), splat<F>(0.0f)};
            found.count = 0;
            found.reach = 1;
            if (crowded)
                scan_crowd(view, rows, at, tile, found, sum);
            else
                scan(view, tile, at, found, sum);
            if (found.count > view.max_neighbours) keep_nearest(view, at, found);
            cut += found.reach < 1 ? 1 : 0;
            for (int i = 0; i < kBlockLanes; i += kRegisterLanes)
                hn::StoreU(hn::Set(IndexTag(), at), IndexTag(), found.index + found.count + i);
            write(view, at, found, sum);
        }
    }
    return cut;
}

}  // namespace

size_t SearchCells(const SearchView& view, size_t begin, size_t end)
{
    return search_cells(view, begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SearchCells);

namespace {
// The kernel always loads 16 particles at once, also at the end.
constexpr size_t kPadding = 16;
// Prefetch distance: particles that are neighbours in space are scattered over the input arrays.
constexpr size_t kAhead = 16;
}  // namespace

void Neighbours::find(std::span<const Vec3f> positions, std::span<const float> masses,
                      const NeighbourSettings& settings, Executor& executor)
{
    // Rounding may make a pair appear closer than it is, by less than this factor.
    constexpr double kSlack = 1 + 1e-5;
    grid_.build(positions, kSlack * static_cast<double>(settings.radius), executor);
    const size_t count = positions.size();
    const uint32_t max_neighbours = std::clamp(settings.max_neighbours, 1u, kMaxListed);
    size_ = count;
    stride_ = (max_neighbours + 15) / 16 * 16;
    per_radius2_ = 1 / (settings.radius * settings.radius);
    particles_.resize(count + kPadding);
    surroundings_.resize(count);
    counts_.resize(count);
    lists_.resize(std::max(lists_.size(), count * stride_));
    parallel_for(executor, count, 8192, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            const uint32_t from = order()[i], later = order()[std::min(i + kAhead, end - 1)];
            hwy::Prefetch(&positions[later]);
            if (!masses.empty()) hwy::Prefetch(&masses[later]);
            const Vec3f& p = positions[from];
            particles_[i] = {p.x, p.y, p.z, masses.empty() ? 1.0f : masses[from]};
        }
    });

    const SearchView view{particles_.data(),
                          grid_.cell_begin().data(),
                          static_cast<uint32_t>(grid_.cell_count()),
                          grid_.row_offsets(),
                          per_radius2_,
                          max_neighbours,
                          surroundings_.data(),
                          lists_.data(),
                          stride_,
                          counts_.data()};
    std::atomic<size_t> cut{0};
    parallel_for(executor, grid_.cell_count(), 512,
                 [&](size_t begin, size_t end) { cut += HWY_DYNAMIC_DISPATCH(SearchCells)(view, begin, end); });
    cut_ = cut;
}

float Neighbours::scaled_distance2(size_t a, size_t b) const
{
    const PointMass &p = particles_[a], &q = particles_[b];
    const float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    return (dx * dx + dy * dy + dz * dz) * per_radius2_;
}

bool Neighbours::mutual(size_t a, size_t b) const
{
    return scaled_distance2(a, b) < std::min(surroundings_[a].reach, surroundings_[b].reach);
}

size_t Neighbours::bytes() const
{
    return grid_.bytes() + particles_.capacity() * sizeof(PointMass) + surroundings_.capacity() * sizeof(Surroundings) +
           (lists_.capacity() + counts_.capacity()) * sizeof(uint32_t);
}

}  // namespace tendril
#endif
