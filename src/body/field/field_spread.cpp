// Nodes far from the surface find their nearest surface point through their neighbours, which have nearly the same one.
// Sweeps propagate nearest points as in vector distance transforms [Danielsson80], together with the triangle on which
// each lies; in the end every node computes the exact nearest point on its triangle.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "body/field/field_spread.cpp"
#include <hwy/foreach_target.h>

#include "body/field/field_parts.h"
#include "body/triangle-inl.h"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

using F = Lanes<1>;

HWY_INLINE F count_up()
{
    HWY_ALIGN float n[16];
    for (int i = 0; i < 16; ++i) n[i] = static_cast<float>(i);
    return LaneTraits<F>::load(n, 16);
}

/// Loads a different triangle into each lane.
HWY_INLINE FlatTriangle<F> gather_triangle(const FieldTriangles& triangles, const F& indices)
{
    constexpr int kNumbers = sizeof(tendril::FlatTriangle<float>) / sizeof(float);
    const float* base = &triangles.flat[0].a.x;
    const IntLanes<1> at = to_int(indices) * splat_int<F>(kNumbers);
    return {{gather(base, at), gather(base + 1, at), gather(base + 2, at)},
            {gather(base + 3, at), gather(base + 4, at), gather(base + 5, at)},
            {gather(base + 6, at), gather(base + 7, at), gather(base + 8, at)},
            {gather(base + 9, at), gather(base + 10, at), gather(base + 11, at)},
            gather(base + 12, at),
            gather(base + 13, at),
            gather(base + 14, at),
            gather(base + 15, at),
            gather(base + 16, at),
            gather(base + 17, at),
            gather(base + 18, at)};
}

/// Stores the first `count` of sixteen numbers.
HWY_INLINE void store_first(const F& values, int count, float* to)
{
    if (count == 16) return store_anywhere(values, to);
    HWY_ALIGN float line[16];
    LaneTraits<F>::store(values, line, 16);
    for (int n = 0; n < count; ++n) to[n] = line[n];
}

/// Stores the first `count` of sixteen vectors, each as four numbers.
HWY_INLINE void store_first(const Vec3<F>& v, int count, float* to)
{
    HWY_ALIGN float line[64];
    float* whole = count == 16 ? to : line;
    for (int r = 0; r < kBlockRegisters; ++r)
        hn::StoreInterleaved4(v.x.v[r], v.y.v[r], v.z.v[r], hn::Zero(LaneTag()), LaneTag(),
                              whole + 4 * kRegisterLanes * r);
    for (int n = 0; n < 4 * count && whole == line; ++n) to[n] = line[n];
}

/// Positions of sixteen nodes of a row.
HWY_INLINE Vec3<F> node_positions(const FieldGrid& grid, int i, int j, int k, const F& lanes)
{
    const F cell = splat<F>(grid.cell);
    return {(splat<F>(static_cast<float>(i)) + lanes) * cell, splat<F>(static_cast<float>(j)) * cell,
            splat<F>(static_cast<float>(k)) * cell};
}

/// Computes the nearest surface point of all nodes with a known triangle.
void ResolveRow(const FieldGrid& grid, const FieldTriangles& triangles, int j, int k, NearestPoints& nearest)
{
    const F lanes = count_up(), zero = splat<F>(0.0f);
    for (int i = 0; i < grid.nodes[0]; i += 16) {
        const size_t at = nearest.row(grid, j, k) + static_cast<size_t>(i);
        const F indices = load_anywhere(nearest.triangle.data() + at);
        const auto none = indices < zero;
        const F far = splat<F>(NearestPoints::kFar);
        Vec3<F> point = {far, far, far};
        F distance2 = splat<F>(NodeBlocks::kNone2);
        if (any(splat<F>(-0.5f) < indices)) {
            const FlatTriangle<F> t = gather_triangle(triangles, max(indices, zero));
            const NearestOnTriangle<F> on = nearest_on(t, node_positions(grid, i, j, k, lanes));
            point = select(none, point, t.a + t.axis_x * on.x + t.axis_y * on.y);
            distance2 = select(none, distance2, on.distance2);
        }
        store_anywhere(point.x, nearest.x.data() + at);
        store_anywhere(point.y, nearest.y.data() + at);
        store_anywhere(point.z, nearest.z.data() + at);
        store_anywhere(distance2, nearest.distance2.data() + at);
    }
}

/// The nearest surface points of 16 nodes, in registers.
struct NearestLanes {
    Vec3<F> point;
    F distance2, triangle;

    HWY_INLINE void consider(const NearestPoints& nearest, size_t from, const Vec3<F>& position)
    {
        const Vec3<F> q = {load_anywhere(nearest.x.data() + from), load_anywhere(nearest.y.data() + from),
                           load_anywhere(nearest.z.data() + from)};
        const Vec3<F> node_distance = position - q;
        const F d2 = dot(node_distance, node_distance);
        const auto nearer = d2 < distance2;
        point = select(nearer, q, point);
        triangle = select(nearer, load_anywhere(nearest.triangle.data() + from), triangle);
        distance2 = min(d2, distance2);
    }
};

HWY_INLINE NearestLanes load_nearest(const NearestPoints& nearest, size_t at)
{
    return {{load_anywhere(nearest.x.data() + at), load_anywhere(nearest.y.data() + at),
             load_anywhere(nearest.z.data() + at)},
            load_anywhere(nearest.distance2.data() + at),
            load_anywhere(nearest.triangle.data() + at)};
}

HWY_INLINE void store_nearest(const NearestLanes& nearest16, size_t at, NearestPoints& nearest)
{
    store_anywhere(nearest16.point.x, nearest.x.data() + at);
    store_anywhere(nearest16.point.y, nearest.y.data() + at);
    store_anywhere(nearest16.point.z, nearest.z.data() + at);
    store_anywhere(nearest16.distance2, nearest.distance2.data() + at);
    store_anywhere(nearest16.triangle, nearest.triangle.data() + at);
}

/// Propagates within a row from nodes 1, 2, 4, 8, 16 and 32 away, then in further steps of 32 for long rows.
void SpreadAlongRow(const FieldGrid& grid, int j, int k, NearestPoints& nearest)
{
    const F lanes = count_up();
    const float* triangle_row = nearest.triangle.data() + nearest.row(grid, j, k);
    if (std::all_of(triangle_row, triangle_row + grid.nodes[0], [](float name) { return name < 0; })) return;
    for (int step = 1, reach = 0; reach < grid.nodes[0]; reach += step, step = std::min(2 * step, 32))
        for (int i = 0; i < grid.nodes[0]; i += 16) {
            const size_t at = nearest.row(grid, j, k) + static_cast<size_t>(i);
            const Vec3<F> position = node_positions(grid, i, j, k, lanes);
            NearestLanes nearest16 = load_nearest(nearest, at);
            nearest16.consider(nearest, at - static_cast<size_t>(step), position);
            nearest16.consider(nearest, at + static_cast<size_t>(step), position);
            store_nearest(nearest16, at, nearest);
        }
}

/// Propagates to a row from an adjacent one: each node considers three nodes there.
void SpreadToRow(const FieldGrid& grid, int j, int k, size_t from, NearestPoints& nearest)
{
    const F lanes = count_up();
    for (int i = 0; i < grid.nodes[0]; i += 16) {
        const size_t at = nearest.row(grid, j, k) + static_cast<size_t>(i), neighbour = from + static_cast<size_t>(i);
        const Vec3<F> position = node_positions(grid, i, j, k, lanes);
        NearestLanes nearest16 = load_nearest(nearest, at);
        nearest16.consider(nearest, neighbour - 1, position);
        nearest16.consider(nearest, neighbour, position);
        nearest16.consider(nearest, neighbour + 1, position);
        store_nearest(nearest16, at, nearest);
    }
}

/// The last pass: exact distance and interpolated motion.
void StoreRow(const FieldGrid& grid, const FieldTriangles& triangles, const Surface& surface,
              std::span<const Vec3f> motion, int j, int k, const NearestPoints& nearest, const FieldOutput& out)
{
    const F lanes = count_up(), zero = splat<F>(0.0f);
    const auto* corner_vertices = reinterpret_cast<const int32_t*>(surface.triangles().data());
    for (int i = 0; i < grid.nodes[0]; i += 16) {
        const size_t at = nearest.row(grid, j, k) + static_cast<size_t>(i),
                     node = grid.row(j, k) + static_cast<size_t>(i);
        const int count = std::min(16, grid.nodes[0] - i);
        const F indices = max(load_anywhere(nearest.triangle.data() + at), zero);
        const FlatTriangle<F> t = gather_triangle(triangles, indices);
        const NearestOnTriangle<F> on = nearest_on(t, node_positions(grid, i, j, k, lanes));
        store_first(sqrt(on.distance2) * load_anywhere(nearest.side.data() + at), count, out.values.data() + node);
        if (motion.empty()) continue;

        const Vec3<F> weights = barycentrics(t, on.x, on.y);
        const IntLanes<1> first = to_int(indices) * splat_int<F>(3);
        Vec3<F> sum = {zero, zero, zero};
        for (int c = 0; c < 3; ++c) {
            const IntLanes<1> v = gather(corner_vertices + c, first), three = v * splat_int<F>(3);
            const float* base = &motion[0].x;
            const F weight = c == 0 ? weights.x : c == 1 ? weights.y : weights.z;
            sum += Vec3<F>{gather(base, three), gather(base + 1, three), gather(base + 2, three)} * weight;
        }
        store_first(sum, count, out.motion.data() + 4 * node);
    }
}

/// The triangle of the fine node through which the path from a grid node to the surface is shortest; -1 if none of the
/// blocks around the grid node has a triangle. `node_distances` is the result of fine_node_distances.
HWY_INLINE float find_seed(const NodeBlocks& blocks, const int32_t (&around)[8], const float* node_distances)
{
    F best = splat<F>(NodeBlocks::kNone2), name = splat<F>(-1.0f);
    for (int b = 0; b < 8; ++b) {
        if (around[b] < 0) continue;
        // Every other layer of fine nodes suffices: its neighbours have nearly the same triangles.
        for (int slice = 0; slice < blocks.slices[around[b]]; slice += 2) {
            const size_t at = static_cast<size_t>(around[b]) * NodeBlocks::kNodes + static_cast<size_t>(slice) * 16;
            const F indices = load_anywhere(blocks.triangle.data() + at);
            const F node_distance = load_anywhere(node_distances + b * NodeBlocks::kNodes + slice * 16);
            const F length = sqrt(load_anywhere(blocks.distance2.data() + at)) + node_distance;
            const auto better = select(indices < splat<F>(0.0f), splat<F>(NodeBlocks::kNone2), length) < best;
            best = select(better, length, best);
            name = select(better, indices, name);
        }
    }
    HWY_ALIGN float lengths[16], indices[16];
    LaneTraits<F>::store(best, lengths, 16);
    LaneTraits<F>::store(name, indices, 16);
    return indices[std::min_element(lengths, lengths + 16) - lengths];
}

void FindSeedsOfRow(const FieldGrid& grid, const NodeBlocks& blocks, const float* node_distances, int j, int k,
                    float* triangles)
{
    const int32_t* rows[4];  // rows of blocks, along y, then z
    for (int r = 0; r < 4; ++r) {
        const int rj = j - (r & 1), rk = k - (r >> 1);
        rows[r] = rj < 0 || rk < 0 ? nullptr : blocks.table.data() + blocks.index(0, rj, rk);
    }
    for (int i = 0; i < grid.nodes[0]; ++i) {
        int32_t around[8], any_block = -1;
        for (int b = 0; b < 8; ++b) {
            const int32_t* row = rows[b >> 1];
            around[b] = row && i >= (b & 1) ? row[i - (b & 1)] : -1;
            any_block = std::max(any_block, around[b]);
        }
        const size_t own = static_cast<size_t>(std::max(around[0], 0)) * NodeBlocks::kNodes;
        if (any_block < 0)
            triangles[i] = -1;
        else if (around[0] >= 0 && blocks.triangle[own] >= 0)
            triangles[i] = blocks.triangle[own];
        else
            triangles[i] = find_seed(blocks, around, node_distances);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(ResolveRow);
HWY_EXPORT(SpreadAlongRow);
HWY_EXPORT(SpreadToRow);
HWY_EXPORT(StoreRow);
HWY_EXPORT(FindSeedsOfRow);

namespace {

/// Distances from a grid node to the fine nodes of the eight blocks around it [m]: those that begin at it and those
/// that end at it, along x, then y, then z.
std::array<float, 8 * NodeBlocks::kNodes> fine_node_distances(float step)
{
    std::array<float, 8 * NodeBlocks::kNodes> node_distances;
    for (int b = 0; b < 8; ++b)
        for (int n = 0; n < NodeBlocks::kNodes; ++n) {
            const int i = n % 4 - 4 * (b & 1), j = n / 4 % 4 - 4 * (b >> 1 & 1), k = n / 16 - 4 * (b >> 2);
            node_distances[b * NodeBlocks::kNodes + n] = step * std::sqrt(static_cast<float>(i * i + j * j + k * k));
        }
    return node_distances;
}

}  // namespace

void NearestPoints::resize(const FieldGrid& grid)
{
    const size_t row_stride = (static_cast<size_t>(grid.nodes[0]) + 15) / 16 * 16 + kGuard;
    const size_t size = row_stride * grid.nodes[1] * grid.nodes[2] + kGuard;
    if (stride == row_stride && x.size() == size) return;  // the padding between rows is never written
    stride = row_stride;
    for (std::vector<float>* list : {&x, &y, &z}) list->assign(size, kFar);
    distance2.assign(size, NodeBlocks::kNone2);
    triangle.assign(size, -1.0f);
    side.assign(size, 1.0f);
}

void seed_from_dense(const FieldGrid& grid, const FieldTriangles& triangles, const NodeBlocks& blocks,
                     NearestPoints& nearest, Executor& executor)
{
    parallel_for(executor, static_cast<size_t>(grid.nodes[2]), 1, [&](size_t begin, size_t end) {
        for (int k = static_cast<int>(begin); k < static_cast<int>(end); ++k)
            for (int j = 0; j < grid.nodes[1]; ++j) {
                const size_t row = nearest.row(grid, j, k);
                std::fill_n(nearest.triangle.begin() + row, nearest.stride - NearestPoints::kGuard, -1.0f);
                for (int i = 0; i < grid.nodes[0]; i += 4) {
                    const size_t from = blocks.index(i / 4, j / 4, k / 4) * NodeBlocks::kNodes +
                                        static_cast<size_t>(16 * (k % 4) + 4 * (j % 4));
                    std::copy_n(blocks.triangle.data() + from, 4, nearest.triangle.data() + row + i);
                    for (int n = 0; n < 4; ++n)
                        nearest.side[row + i + n] = blocks.winding[from + n] > 0.5f ? -1.0f : 1.0f;
                }
                HWY_DYNAMIC_DISPATCH(ResolveRow)(grid, triangles, j, k, nearest);
            }
    });
}

void seed_from_sparse(const FieldGrid& grid, const FieldTriangles& triangles, const NodeBlocks& blocks,
                      std::span<const int16_t> windings, NearestPoints& nearest, Executor& executor)
{
    const auto node_distances = fine_node_distances(blocks.step);
    parallel_for(executor, static_cast<size_t>(grid.nodes[2]), 1, [&](size_t begin, size_t end) {
        for (int k = static_cast<int>(begin); k < static_cast<int>(end); ++k)
            for (int j = 0; j < grid.nodes[1]; ++j) {
                const size_t row = nearest.row(grid, j, k);
                std::fill_n(nearest.triangle.begin() + row, nearest.stride - NearestPoints::kGuard, -1.0f);
                for (int i = 0; i < grid.nodes[0]; ++i)
                    nearest.side[row + i] = windings[grid.row(j, k) + i] > 0 ? -1.0f : 1.0f;
                HWY_DYNAMIC_DISPATCH(FindSeedsOfRow)
                (grid, blocks, node_distances.data(), j, k, nearest.triangle.data() + row);
                HWY_DYNAMIC_DISPATCH(ResolveRow)(grid, triangles, j, k, nearest);
            }
    });
}

/// Propagates along x in every row, then along z in every plane of constant y and along y in every plane of constant z,
/// so that no two threads share a plane. A second round is worth its cost (it reduces the mean error around an
/// ellipsoid from 0.13 to 0.01 cells), a third is not.
void spread_nearest(const FieldGrid& grid, NearestPoints& nearest, Executor& executor)
{
    constexpr int kRounds = 2;
    const int ny = grid.nodes[1], nz = grid.nodes[2];
    const auto sweep = [&](int j, int k, int from_j, int from_k) {
        HWY_DYNAMIC_DISPATCH(SpreadToRow)(grid, j, k, nearest.row(grid, from_j, from_k), nearest);
    };
    for (int round = 0; round < kRounds; ++round) {
        parallel_for(executor, static_cast<size_t>(ny), 1, [&](size_t begin, size_t end) {
            for (int j = static_cast<int>(begin); j < static_cast<int>(end); ++j) {
                for (int k = 0; k < nz && round == 0; ++k) HWY_DYNAMIC_DISPATCH(SpreadAlongRow)(grid, j, k, nearest);
                for (int k = 1; k < nz; ++k) sweep(j, k, j, k - 1);
                for (int k = nz - 2; k >= 0; --k) sweep(j, k, j, k + 1);
            }
        });
        parallel_for(executor, static_cast<size_t>(nz), 1, [&](size_t begin, size_t end) {
            for (int k = static_cast<int>(begin); k < static_cast<int>(end); ++k) {
                for (int j = 1; j < ny; ++j) sweep(j, k, j - 1, k);
                for (int j = ny - 2; j >= 0; --j) sweep(j, k, j + 1, k);
            }
        });
    }
}

void store_nodes(const FieldGrid& grid, const FieldTriangles& triangles, const Surface& surface,
                 std::span<const Vec3f> motion, const NearestPoints& nearest, const FieldOutput& out,
                 Executor& executor)
{
    parallel_for(executor, static_cast<size_t>(grid.nodes[2]), 1, [&](size_t begin, size_t end) {
        for (int k = static_cast<int>(begin); k < static_cast<int>(end); ++k)
            for (int j = 0; j < grid.nodes[1]; ++j)
                HWY_DYNAMIC_DISPATCH(StoreRow)(grid, triangles, surface, motion, j, k, nearest, out);
    });
}

}  // namespace tendril
#endif
