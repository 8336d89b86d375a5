// [Mueller12] M. Mueller, T.J. Kim, N. Chentanez: Fast Simulation of Inextensible Hair and Fur, VRIPHYS 2012, section
// 3.6. docs/interaction.md lists the equations and the departures from the paper.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interaction/grid_kernels.cpp"
#include <hwy/foreach_target.h>

#include "interaction/grid_kernels.h"

#include "interaction/node_pair-inl.h"
#include "interaction/walk-inl.h"

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

using F = Lanes<1>;
static_assert(kNodePadding >= kLanes);

/// Calls `visit(walk, block, level)` for all levels of all blocks of a range. Strands in the same lane of consecutive
/// blocks are neighbours in space, so a few blocks are walked abreast, level by level, while their nodes are in the L1
/// cache.
template <WalkFor kFor, class Visit>
HWY_INLINE void walk_abreast(const GriddedGroom& groom, const BlockRange& range, const Visit& visit)
{
    constexpr size_t kAbreast = 4;
    const int levels = groom.strands->buckets()[range.bucket].levels;
    for (size_t first = range.begin; first < range.end; first += kAbreast) {
        const size_t count = std::min(kAbreast, range.end - first);
        const auto walk = [&](size_t k) HWY_ATTR {
            return Walk<kFor, kAbreast>(*groom.strands, groom.frame, range.bucket, first + std::min(k, count - 1));
        };
        Walk<kFor, kAbreast> walks[kAbreast] = {walk(0), walk(1), walk(2), walk(3)};
        for (int i = 0; i < levels; ++i)
            for (size_t k = 0; k < count; ++k) {
                walks[k].to(i);
                visit(walks[k], first + k, i);
            }
    }
}

/// The cells of the particles of a level: the first float of the lowest node, and the position within the cell, [0, 1].
struct Cells {
    IntLanes<1> node;
    Vec3<F> t;
};

class CellFinder {
public:
    HWY_INLINE CellFinder(const GriddedGroom& groom, const GridSize& size)
        : origin_(groom.origin), per_metre_(groom.per_metre), size_(size)
    {
    }
    HWY_INLINE Cells find(const Vec3<F>& position) const
    {
        const Vec3<F> p = position * splat<F>(per_metre_) + splat<F>(origin_);
        const Vec3<F> cell{cell_of(p.x, size_.x), cell_of(p.y, size_.y), cell_of(p.z, size_.z)};
        const IntLanes<1> row = to_int(cell.z) * splat_int<F>(size_.y) + to_int(cell.y);
        const IntLanes<1> node = row * splat_int<F>(size_.x) + to_int(cell.x);
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        const Vec3<F> t = p - cell;
        return {node * splat_int<F>(kNodeFloats),
                {max(zero, min(t.x, one)), max(zero, min(t.y, one)), max(zero, min(t.z, one))}};
    }

private:
    /// Clamps to cells inside the grid, also for NaN.
    static HWY_INLINE F cell_of(const F& p, int32_t nodes)
    {
        const F low = splat<F>(1.0f), high = splat<F>(static_cast<float>(nodes - 3));
        const F cell = floor(p);
        return min(select(low < cell, cell, low), high);
    }
    Vec3f origin_;
    float per_metre_;
    GridSize size_;
};

HWY_INLINE void store_ints(const IntLanes<1>& a, int32_t* to)
{
    for (int i = 0; i < kBlockRegisters; ++i) hn::Store(a.v[i], IntTag(), to + i * kRegisterLanes);
}

/// Stores four numbers per lane, contiguous for each lane.
HWY_INLINE void store_by_lane(const F& a, const F& b, const F& c, const F& d, float* to)
{
    for (int i = 0; i < kBlockRegisters; ++i)
        hn::StoreInterleaved4(a.v[i], b.v[i], c.v[i], d.v[i], LaneTag(), to + i * kRegisterLanes * 4);
}
HWY_INLINE void load_by_lane(const float* from, F& a, F& b, F& c, F& d)
{
    for (int i = 0; i < kBlockRegisters; ++i)
        hn::LoadInterleaved4(LaneTag(), from + i * kRegisterLanes * 4, a.v[i], b.v[i], c.v[i], d.v[i]);
}

// ---------------------------------------------------------------------------------------------------------------------

/// Minimum of the first `count` lanes.
HWY_INLINE float least(const F& a, size_t count)
{
    HWY_ALIGN float lanes[kLanes];
    LaneTraits<F>::store(a, lanes, 0);
    return *std::min_element(lanes, lanes + count);
}

BlockBox BoundParticles(const GriddedGroom& groom, const BlockRange& range)
{
    constexpr float kFar = std::numeric_limits<float>::max();
    const Bucket& bucket = groom.strands->buckets()[range.bucket];
    BlockBox box{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    for (size_t block = range.begin; block < range.end; ++block) {
        Walk<WalkFor::kPositions> walk(*groom.strands, groom.frame, range.bucket, block);
        F low[3], high[3];
        for (int i = 0; i < walk.levels(); ++i) {
            walk.to(i);
            const F p[3] = {walk.position().x, walk.position().y, walk.position().z};
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = i == 0 ? p[axis] : min(low[axis], p[axis]);
                high[axis] = i == 0 ? p[axis] : max(high[axis], p[axis]);
            }
        }
        const size_t count = strands_in(bucket, block);
        for (int axis = 0; axis < 3; ++axis) {
            box.low[axis] = std::min(box.low[axis], least(low[axis], count));
            box.high[axis] = std::max(box.high[axis], -least(splat<F>(0.0f) - high[axis], count));
        }
    }
    return box;
}

// ---------------------------------------------------------------------------------------------------------------------

/// Nodes and weights of the particles of a level, for loops over lanes.
struct LevelWeights {
    HWY_ALIGN float weights[4][kLanes];  ///< of the four node pairs: y and z low, y high, z high, both high
    HWY_ALIGN int32_t node[kLanes];
};

HWY_INLINE void store_weights(const Cells& cells, LevelWeights& level)
{
    using T = LaneTraits<F>;
    const F one = splat<F>(1.0f), y = cells.t.y, z = cells.t.z;
    T::store((one - y) * (one - z), level.weights[0], 0);
    T::store(y * (one - z), level.weights[1], 0);
    T::store((one - y) * z, level.weights[2], 0);
    T::store(y * z, level.weights[3], 0);
    store_ints(cells.node, level.node);
}

/// The contributions of the particles of one level, to be added one by one.
struct AddedLevel : LevelWeights {
    HWY_ALIGN float low[kLanes * 4];   ///< (1, displacement) times the weight of the nodes of lower x
    HWY_ALIGN float high[kLanes * 4];  ///< and of higher x
};

HWY_INLINE void prepare(const Cells& cells, const Vec3<F>& moved, AddedLevel& level)
{
    const F high = cells.t.x, low = splat<F>(1.0f) - high;
    store_by_lane(low, low * moved.x, low * moved.y, low * moved.z, level.low);
    store_by_lane(high, high * moved.x, high * moved.y, high * moved.z, level.high);
    store_weights(cells, level);
}

HWY_INLINE void add_pair(const NodePair& share, float weight, float* at)
{
    store_pair(load_pair(at) + share * splat_pair(weight), at);
}

void AddParticles(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, float* nodes)
{
    const Bucket& bucket = groom.strands->buckets()[range.bucket];
    const CellFinder finder(groom, size);
    const size_t up = size.row() * kNodeFloats, back = up * static_cast<size_t>(size.y);
    AddedLevel level;
    walk_abreast<WalkFor::kMotion>(groom, range, [&](const auto& walk, size_t block, int) HWY_ATTR {
        prepare(finder.find(walk.position()), walk.moved(), level);
        const size_t count = strands_in(bucket, block);
        for (size_t lane = 0; lane < count; ++lane) {
            const NodePair share =
                make_pair(hn::Load(NodeTag(), level.low + lane * 4), hn::Load(NodeTag(), level.high + lane * 4));
            float* at = nodes + level.node[lane];
            add_pair(share, level.weights[0][lane], at);
            add_pair(share, level.weights[1][lane], at + up);
            add_pair(share, level.weights[2][lane], at + back);
            add_pair(share, level.weights[3][lane], at + back + up);
        }
    });
}

// ---------------------------------------------------------------------------------------------------------------------

/// Returns the density, followed by momentum over density; all zero in empty nodes.
HWY_INLINE Node mean_velocity(Node sum)
{
    const NodeTag d;
    const Node density = hn::Broadcast<0>(sum);
    const Node mean = hn::Div(sum, hn::Max(density, hn::Set(d, std::numeric_limits<float>::min())));
    return hn::OddEven(mean, hn::ConcatUpperLower(d, mean, sum));
}

/// Smooths a row by 1/4 1/2 1/4 in place; both ends are zero and stay so.
HWY_INLINE void smooth_row(float* row, size_t n)
{
    float before = 0, here = row[0];
    for (size_t i = 0; i + 1 < n; ++i) {
        const float after = row[i + 1];
        row[i] = 0.25f * (before + after) + 0.5f * here;
        before = here;
        here = after;
    }
    row[n - 1] = 0.25f * before + 0.5f * here;
}

void AddParts(const GridSize& size, const NodeParts& parts, float* field, float* densities, size_t begin, size_t end)
{
    const NodeTag d;
    const size_t n = size.row();
    for (size_t row = begin; row < end; ++row) {
        float* density = densities + row * n;
        for (size_t i = 0; i < n; ++i) {
            const size_t at = (row * n + i) * kNodeFloats;
            Node sum = hn::Load(d, parts.first + at);
            hn::Store(hn::Zero(d), d, parts.first + at);
            for (size_t part = 1; part < parts.count; ++part) {
                sum = hn::Add(sum, hn::Load(d, parts.first + part * parts.stride + at));
                hn::Store(hn::Zero(d), d, parts.first + part * parts.stride + at);
            }
            density[i] = hn::GetLane(sum);
            hn::Store(mean_velocity(sum), d, field + at);
        }
        smooth_row(density, n);
    }
}

/// Weighted sums of three rows, 1/4 1/2 1/4, for 16 nodes.
HWY_INLINE F across(const float* row, ptrdiff_t step)
{
    const F sides = load_anywhere(row - step) + load_anywhere(row + step);
    return splat<F>(0.25f) * sides + splat<F>(0.5f) * load_anywhere(row);
}

void SmoothDensities(const GridSize& size, const float* densities, float* field, size_t begin, size_t end)
{
    const size_t n = size.row(), rows = static_cast<size_t>(size.y), layers = static_cast<size_t>(size.z);
    const auto up = static_cast<ptrdiff_t>(n), back = up * size.y;
    for (size_t row = begin; row < end; ++row) {
        const size_t y = row % rows, z = row / rows;
        if (y == 0 || z == 0 || y + 1 == rows || z + 1 == layers) continue;  // empty, like the rows beside it
        for (size_t i = 0; i < n; i += kLanes) {
            const float* at = densities + row * n + i;
            const F sides = across(at - back, up) + across(at + back, up);
            HWY_ALIGN float smooth[kLanes];
            LaneTraits<F>::store(splat<F>(0.25f) * sides + splat<F>(0.5f) * across(at, up), smooth, 0);
            float* to = field + (row * n + i) * kNodeFloats;
            for (size_t k = 0; k < std::min(kLanes, n - i); ++k) to[k * kNodeFloats] = smooth[k];
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------

/// Field values at the particles of a level.
struct ReadLevel : LevelWeights {
    HWY_ALIGN float x[kLanes];
    HWY_ALIGN float value[kLanes * 4] = {};  ///< density and displacement
    HWY_ALIGN float low[kLanes * 4] = {};    ///< densities of the four nodes of lower x, in the order of the weights
    HWY_ALIGN float high[kLanes * 4] = {};   ///< and of higher x
};

HWY_INLINE void read_lane(const float* at, size_t up, size_t back, size_t lane, ReadLevel& level)
{
    const auto weight = [&](int k) HWY_ATTR { return splat_pair(level.weights[k][lane]); };
    const NodePair a = load_pair(at), b = load_pair(at + up), c = load_pair(at + back), e = load_pair(at + back + up);
    const NodePair value = (a * weight(0) + b * weight(1)) + (c * weight(2) + e * weight(3));
    const NodePair densities = densities_of(a, b, c, e);
    const NodeTag d;
    const Node along_x = hn::Mul(hn::Set(d, level.x[lane]), hn::Sub(value.high(), value.low()));
    hn::Store(hn::Add(value.low(), along_x), d, level.value + lane * 4);
    hn::Store(densities.low(), d, level.low + lane * 4);
    hn::Store(densities.high(), d, level.high + lane * 4);
}

/// Velocity and density around the particles of a level, without their own contribution to the density. Along one axis,
/// that contribution is 1/2 - t (1 - t) / 2 with the slope t/2 - 1/4: trilinear weights, smoothed by 1/4 1/2 1/4 and
/// read at the same position.
class Surroundings {
public:
    /// Reads the first `count` lanes. `level` is scratch memory.
    HWY_INLINE Surroundings(const Cells& cells, const float* field, const GridSize& size, size_t count,
                            ReadLevel& level)
        : t_(cells.t), level_(level)
    {
        store_weights(cells, level_);
        LaneTraits<F>::store(t_.x, level_.x, 0);
        const size_t up = size.row() * kNodeFloats, back = up * static_cast<size_t>(size.y);
        for (size_t lane = 0; lane < count; ++lane) read_lane(field + level_.node[lane], up, back, lane, level_);
        F sum;
        load_by_lane(level_.value, sum, moved.x, moved.y, moved.z);
        own_ = {own(t_.x), own(t_.y), own(t_.z)};
        density = sum - own_.x * own_.y * own_.z;
    }

    Vec3<F> moved;  ///< mean displacement over the last step [m]
    F density;      ///< [particles per cell]

    /// Gradient of the density [per cell].
    HWY_INLINE Vec3<F> gradient() const
    {
        F l[4], h[4];
        load_by_lane(level_.low, l[0], l[1], l[2], l[3]);
        load_by_lane(level_.high, h[0], h[1], h[2], h[3]);
        Vec3<F> g{splat<F>(0.0f), splat<F>(0.0f), splat<F>(0.0f)};
        for (int k = 0; k < 4; ++k) {
            const F along = h[k] - l[k];
            g.x = g.x + along * LaneTraits<F>::load(level_.weights[k], 0);
            l[k] = l[k] + along * t_.x;
        }
        const F y0 = l[1] - l[0], y1 = l[3] - l[2], z0 = l[2] - l[0], z1 = l[3] - l[1];
        g.y = y0 + (y1 - y0) * t_.z;
        g.z = z0 + (z1 - z0) * t_.y;
        const Vec3<F>& k = own_;
        return g - Vec3<F>{slope(t_.x) * k.y * k.z, k.x * slope(t_.y) * k.z, k.x * k.y * slope(t_.z)};
    }

private:
    static HWY_INLINE F own(const F& t) { return splat<F>(0.5f) - splat<F>(0.5f) * (t * (splat<F>(1.0f) - t)); }
    static HWY_INLINE F slope(const F& t) { return splat<F>(0.5f) * t - splat<F>(0.25f); }

    Vec3<F> t_, own_;
    ReadLevel& level_;
};

/// Direction of repulsion, against the gradient. Its length grows from 0 at the density `rest` towards 1 far above it.
/// Where the density is nearly uniform, noise would determine a normalised gradient as in [Mueller12] Eq. 14; below a
/// quarter of the density per cell, the vector fades out instead.
HWY_INLINE Vec3<F> crowding(const Surroundings& s, const F& rest)
{
    constexpr float kEven = 0.25f;
    const Vec3<F> g = s.gradient();
    // Uncrowded lanes may have any density; raising it to `rest` makes their push zero.
    const F density = max(s.density, rest), even = splat<F>(kEven) * density;
    return g * ((rest - density) / (density * sqrt(dot(g, g) + even * even)));
}

/// Returns `a` in the first `count` lanes and zero in the others.
HWY_INLINE F in_first_lanes(float a, size_t count)
{
    HWY_ALIGN float lanes[kLanes] = {};
    std::fill_n(lanes, count, a);
    return LaneTraits<F>::load(lanes, 0);
}

void ActOnParticles(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, const float* field)
{
    const Bucket& bucket = groom.strands->buckets()[range.bucket];
    const CellFinder finder(groom, size);
    const int first = bucket.roots == RootKind::kFree ? 0 : 1;  // the body moves held roots
    const GridForces& forces = groom.forces;
    const F tolerance = splat<F>(forces.tolerance);
    ReadLevel level;
    walk_abreast<WalkFor::kDrift>(groom, range, [&](auto& walk, size_t block, int i) HWY_ATTR {
        if (i < first) return;
        const size_t count = strands_in(bucket, block);
        const Surroundings s(finder.find(walk.position()), field, size, count, level);
        Vec3<F> change = (s.moved - walk.moved()) * in_first_lanes(forces.friction, count);
        const float* at_rest = groom.density->data() + bucket.first_row(block, i, 1);
        hwy::Prefetch(at_rest + BlockCursor<F>::kAhead * kLanes);
        const F rest = LaneTraits<F>::load(at_rest, 0) * tolerance;
        if (any(rest < s.density)) change += crowding(s, rest) * in_first_lanes(forces.push, count);
        walk.add_drift(i, change);
    });
}

void KeepDensities(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, const float* field)
{
    const Bucket& bucket = groom.strands->buckets()[range.bucket];
    const CellFinder finder(groom, size);
    ReadLevel level;
    walk_abreast<WalkFor::kPositions>(groom, range, [&](const auto& walk, size_t block, int i) HWY_ATTR {
        float* rest = groom.density->data() + bucket.first_row(block, i, 1);
        const Surroundings s(finder.find(walk.position()), field, size, strands_in(bucket, block), level);
        LaneTraits<F>::store(max(LaneTraits<F>::load(rest, 0), s.density), rest, 0);
    });
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(BoundParticles);
HWY_EXPORT(AddParticles);
HWY_EXPORT(AddParts);
HWY_EXPORT(SmoothDensities);
HWY_EXPORT(ActOnParticles);
HWY_EXPORT(KeepDensities);

BlockBox bound_particles(const GriddedGroom& groom, const BlockRange& range)
{
    return HWY_DYNAMIC_DISPATCH(BoundParticles)(groom, range);
}

void add_particles(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, float* nodes)
{
    HWY_DYNAMIC_DISPATCH(AddParticles)(groom, range, size, nodes);
}

void add_parts(const GridSize& size, const NodeParts& parts, float* field, float* densities, size_t begin, size_t end)
{
    HWY_DYNAMIC_DISPATCH(AddParts)(size, parts, field, densities, begin, end);
}

void smooth_densities(const GridSize& size, const float* densities, float* field, size_t begin, size_t end)
{
    HWY_DYNAMIC_DISPATCH(SmoothDensities)(size, densities, field, begin, end);
}

void act_on_particles(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, const float* field)
{
    HWY_DYNAMIC_DISPATCH(ActOnParticles)(groom, range, size, field);
}

void keep_densities(const GriddedGroom& groom, const BlockRange& range, const GridSize& size, const float* field)
{
    HWY_DYNAMIC_DISPATCH(KeepDensities)(groom, range, size, field);
}

}  // namespace tendril
#endif
