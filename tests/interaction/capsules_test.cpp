// Segments as capsules: closest points, continuous collision, and the search for pairs.
#include "interaction/capsules.h"

#include "math/random.h"
#include "support/sanitized.h"
#include "support/thread_executor.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

namespace tendril::test {
namespace {

/// A sequence of random numbers in [0, 1).
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

using Four = std::array<Vec3d, 4>;  // the ends of two segments

double distance(const Four& p)
{
    const SegmentPoints near = nearest_points(p[0], p[1], p[2], p[3]);
    return length(p[0] + (p[1] - p[0]) * near.s - p[2] - (p[3] - p[2]) * near.t);
}

TEST(Capsules, NearestPointsAreTheNearestOfMany)
{
    Draws draws(1);
    for (int k = 0; k < 300; ++k) {
        Four p{draws.in_cube(1), draws.in_cube(1), draws.in_cube(1), draws.in_cube(1)};
        if (k % 5 == 1) p[3] = p[2] + (p[1] - p[0]) * 0.7;  // parallel
        if (k % 5 == 2) p[1] = p[0];                        // one segment is a point
        if (k % 5 == 3) p = {p[0], p[0], p[1], p[1]};
        if (k % 5 == 4) p = {p[0], p[1], p[0], p[1]};  // identical
        double least = 10;
        for (int i = 0; i <= 20; ++i)
            for (int j = 0; j <= 20; ++j)
                least = std::min(least, length(p[0] + (p[1] - p[0]) * (i / 20.0) - p[2] - (p[3] - p[2]) * (j / 20.0)));
        EXPECT_LE(distance(p), least + 1e-12);
        EXPECT_GE(distance(p), least - 0.1);
    }
}

TEST(Capsules, SegmentsMeetWhenTheyGoThroughEachOther)
{
    const MovingSegment still{{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}};
    const auto falling = [](double x, double from, double to) {
        return MovingSegment{{{x, from, -1}, {x, from, 1}}, {{x, to, -1}, {x, to, 1}}};
    };
    const auto met = first_hit(still, falling(0.5, 1, -3));
    ASSERT_TRUE(met);
    EXPECT_NEAR(met->time, 0.25, 1e-12);
    EXPECT_NEAR(met->points.s, 0.75, 1e-9);
    EXPECT_NEAR(met->points.t, 0.5, 1e-9);
    EXPECT_FALSE(first_hit(still, falling(0.5, 1, 0.1)));
    EXPECT_FALSE(first_hit(still, falling(1.5, 1, -3)));  // passes beyond its end
    const MovingSegment point{{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
    const auto at_rest = first_hit(point, point);
    EXPECT_TRUE(!at_rest || std::isfinite(at_rest->points.s + at_rest->points.t + at_rest->time));
}

/// Draws touching segments of length 1 with this radius, uniformly from all such pairs; with radius 0, they cross.
std::vector<Four> touching_pairs(double radius, size_t count, Draws& draws)
{
    std::vector<Four> pairs;
    while (pairs.size() < count) {
        const Vec3d u = draws.direction(), v = draws.direction();
        Vec3d middle = draws.in_cube(2 * (1 + 2 * radius));
        if (radius == 0) {
            // The limit of a thin layer: the smaller the angle, the fewer pairs touch.
            if (length(cross(u, v)) < draws.next()) continue;
            middle = u * (draws.next() - 0.5) + v * (draws.next() - 0.5);
        }
        const Four pair{u * -0.5, u * 0.5, middle - v * 0.5, middle + v * 0.5};
        if (radius == 0 || distance(pair) < 2 * radius) pairs.push_back(pair);
    }
    return pairs;
}

/// Pairs that are far from each other, so that one search covers many.
struct Field {
    std::vector<Vec3d> positions;
    std::vector<uint8_t> whole;

    void add(const Four& pair, Draws& draws)
    {
        const size_t k = positions.size() / 4;
        const auto site = [](size_t i) { return static_cast<double>(i) * 7; };
        const Vec3d at = Vec3d{site(k % 32), site(k / 32 % 32), site(k / 1024)} + draws.in_cube(2);
        for (const Vec3d& p : pair) {
            positions.push_back(p + at);
            whole.push_back(whole.size() % 2 == 0);
        }
    }
    size_t pairs() const { return positions.size() / 4; }
    /// Number of its pairs among those found.
    size_t found(std::span<const SegmentPair> all) const
    {
        size_t count = 0;
        for (const SegmentPair& pair : all) count += pair.a % 4 == 0 && pair.b == pair.a + 2;
        return count;
    }
};

constexpr double kRadii[] = {0, 1.0 / 16, 1.0 / 8, 1.0 / 4}, kVoxels[] = {1, 1.25, 1.5, 2};

/// Prints the share of touching pairs that the seven voxels of [Rungjiratananon11] section 6 miss, and checks that the
/// exact search misses none.
void compare_searches(size_t pair_count, size_t placements)
{
    const auto executor = make_thread_executor();
    CapsulePairs search;
    std::printf("pairs missed by seven voxels, of %zu each\nradius", pair_count * placements);
    for (const double voxel : kVoxels) std::printf("  voxel %-5g", voxel);
    std::printf("  exact\n");
    for (const double radius : kRadii) {
        Draws draws(7 + static_cast<uint64_t>(radius * 16));
        const double reach = std::max(2 * radius, 1e-9);
        size_t missed[4] = {}, missed_exactly = 0;
        const std::vector<Four> touching = touching_pairs(radius, pair_count, draws);
        for (size_t first = 0; first < placements; ++first) {
            Field field;
            for (const Four& pair : touching) field.add(pair, draws);
            for (int v = 0; v < 4; ++v)
                missed[v] += field.pairs() - field.found(search.find({field.positions, field.whole}, reach,
                                                                     PairSearch::kSevenVoxels, *executor, kVoxels[v]));
            missed_exactly += field.pairs() - field.found(search.find({field.positions, field.whole}, reach,
                                                                      PairSearch::kExact, *executor));
        }
        std::printf("%-6g", radius);
        for (const size_t m : missed)
            std::printf("  %8.5f %%", 100.0 * static_cast<double>(m) / static_cast<double>(pair_count * placements));
        std::printf("  %zu\n", missed_exactly);
        EXPECT_EQ(missed_exactly, 0u);
        EXPECT_TRUE(radius < 0.25 || missed[0] > 0);  // contrary to the claim of the paper
    }
}

// The claim rungjiratananon11/voxels of the lab compares the searches on more pairs.
TEST(Capsules, SevenVoxelsMissSomeOfAMillionPairsTheExactSearchNone)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    compare_searches(62500, 4);
}

TEST(Capsules, ExactSearchMissesNoPair)
{
    compare_searches(1000, 2);
}

/// Strings with segments of many lengths, some of them 0; one string is far away, and one has very long segments.
Field tangle(size_t strings)
{
    Field field;
    Draws draws(3);
    for (size_t k = 0; k < strings; ++k) {
        Vec3d p = draws.in_cube(4);
        if (k == 1) p.x += 1e4;
        for (int i = 0; i < 20; ++i) {
            field.positions.push_back(p);
            field.whole.push_back(i < 19);
            if (i % 7 != 3) p += draws.direction() * (k == 2 ? 3 : 0.2 * draws.next());
        }
    }
    return field;
}

/// Short segments along one axis, crossed by long ones along another: the short ones are longer than the long ones
/// along their own axis.
Field crossed_segments()
{
    Field field;
    const auto add = [&](const Vec3d& from, const Vec3d& to) {
        field.positions.insert(field.positions.end(), {from, to});
        field.whole.insert(field.whole.end(), {1, 0});
    };
    for (int i = 0; i < 2000; ++i) add({10.0 * i, 0, 0}, {10.0 * i, 1, 0});
    for (int i = 0; i < 50; ++i) add({10.0 * i - 1.5, 0.99, 0.01}, {10.0 * i + 1.5, 0.99, 0.01});
    return field;
}

TEST(Capsules, ExactSearchMatchesBruteForce)
{
    for (const Field& field : {tangle(3), tangle(80), crossed_segments()}) {
        const Vec3d* p = field.positions.data();
        for (const double reach : {1e-9, 0.05, 0.4}) {
            std::vector<SegmentPair> all;
            for (uint32_t a = 0; a < field.positions.size(); ++a)
                for (uint32_t b = a + 2; b < field.positions.size(); ++b)
                    if (field.whole[a] && field.whole[b] && distance({p[a], p[a + 1], p[b], p[b + 1]}) < reach)
                        all.push_back({a, b});
            for (const unsigned threads : {1u, 3u}) {
                HostExecutor executor(threads);
                CapsulePairs search;
                const auto found = search.find({field.positions, field.whole}, reach, PairSearch::kExact, executor);
                EXPECT_EQ(std::vector<SegmentPair>(found.begin(), found.end()), all);
            }
        }
    }
}

}  // namespace
}  // namespace tendril::test
