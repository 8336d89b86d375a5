#include "voxels_bench.h"

#include "interaction/capsules.h"
#include "math/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril::bench {
namespace {

using Ends = std::array<Vec3d, 4>;

class Draws {
public:
    explicit Draws(uint64_t seed) : seed_(seed) {}
    double next() { return static_cast<double>(uniform(seed_, count_++)); }
    Vec3d in_cube(double side) { return Vec3d{next() - 0.5, next() - 0.5, next() - 0.5} * side; }
    Vec3d direction()
    {
        const double z = 2 * next() - 1, phi = 2 * std::numbers::pi * next(), r = std::sqrt(1 - z * z);
        return {r * std::cos(phi), r * std::sin(phi), z};
    }

private:
    uint64_t seed_, count_ = 0;
};

/// Draws two touching segments of length 1 with this radius, uniformly from all such pairs; with radius 0, they cross.
Ends touching_pair(double radius, Draws& draws)
{
    while (true) {
        const Vec3d u = draws.direction(), v = draws.direction();
        Vec3d middle = draws.in_cube(2 * (1 + 2 * radius));
        if (radius == 0) {
            // The limit of a thin layer: the smaller the angle, the fewer pairs touch.
            if (length(cross(u, v)) < draws.next()) continue;
            middle = u * (draws.next() - 0.5) + v * (draws.next() - 0.5);
        }
        const Ends ends{u * -0.5, u * 0.5, middle - v * 0.5, middle + v * 0.5};
        if (radius == 0) return ends;
        const SegmentPoints near = nearest_points(ends[0], ends[1], ends[2], ends[3]);
        if (length(ends[0] + u * near.s - ends[2] - v * near.t) < 2 * radius) return ends;
    }
}

/// Pairs that are far from each other, so that one search covers many.
struct Field {
    std::vector<Vec3d> points;
    std::vector<uint8_t> whole;

    void add(const Ends& ends, const Vec3d& at)
    {
        for (const Vec3d& p : ends) {
            points.push_back(p + at);
            whole.push_back(whole.size() % 2 == 0);
        }
    }
    size_t missed(CapsulePairs& search, double radius, PairSearch method, double voxel, Executor& executor) const
    {
        const double reach = std::max(2 * radius, 1e-9);
        size_t count = points.size() / 4;
        for (const SegmentPair& pair : search.find({points, whole}, reach, method, executor, voxel))
            count -= pair.a % 4 == 0 && pair.b == pair.a + 2;
        return count;
    }
};

Vec3d site(size_t k, Draws& draws)
{
    constexpr double kApart = 7;
    const auto at = [](size_t i) { return kApart * static_cast<double>(i); };
    return Vec3d{at(k % 32), at(k / 32 % 32), at(k / 1024)} + draws.in_cube(2);
}

/// Draws pairs that are missed even without others nearby and returns the deepest, which shows best.
VoxelFigures::Pair missed_pair(double radius, CapsulePairs& search, Executor& executor)
{
    constexpr int kTries = 20000;
    Draws draws(11);
    VoxelFigures::Pair worst{{}, radius};
    double nearest = 2 * radius;
    for (int i = 0; i < kTries; ++i) {
        const Ends ends = touching_pair(radius, draws);
        const SegmentPoints near = nearest_points(ends[0], ends[1], ends[2], ends[3]);
        const double distance = length(ends[0] + (ends[1] - ends[0]) * near.s - ends[2] - (ends[3] - ends[2]) * near.t);
        if (distance >= nearest) continue;
        Field alone;
        alone.add(ends, {0, 0, 0});
        if (alone.missed(search, 2 * radius, PairSearch::kSevenVoxels, 1, executor) == 0) continue;
        nearest = distance;
        worst.ends = ends;
    }
    return worst;
}

}  // namespace

VoxelFigures measure_voxels(size_t pair_count, size_t placements)
{
    const auto executor = make_thread_executor();
    CapsulePairs search;
    VoxelFigures figures;
    figures.voxels = {1, 1.25, 1.5, 2};
    figures.pairs = pair_count * placements;
    for (const double radius : {0.0, 1.0 / 16, 1.0 / 8, 1.0 / 4}) {
        Draws draws(7 + static_cast<uint64_t>(radius * 16));
        std::vector<Ends> pairs;
        for (size_t k = 0; k < pair_count; ++k) pairs.push_back(touching_pair(radius, draws));
        VoxelFigures::Row row{radius, std::vector<size_t>(figures.voxels.size()), 0};
        for (size_t k = 0; k < placements; ++k) {
            Field field;
            for (size_t p = 0; p < pair_count; ++p) field.add(pairs[p], site(p, draws));
            for (size_t v = 0; v < figures.voxels.size(); ++v)
                row.missed[v] += field.missed(search, radius, PairSearch::kSevenVoxels, figures.voxels[v], *executor);
            row.missed_exactly += field.missed(search, radius, PairSearch::kExact, 1, *executor);
        }
        figures.rows.push_back(std::move(row));
    }
    figures.example = missed_pair(1.0 / 8, search, *executor);
    return figures;
}

}  // namespace tendril::bench
