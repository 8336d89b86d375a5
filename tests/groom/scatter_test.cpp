// Roots on a mesh: how evenly they are spread, and whether they stay where hair may grow.
#include "math/point_tree.h"
#include "support/meshes.h"
#include "tendril/hair_style.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tendril::test {
namespace {

std::vector<Vec3d> scatter(const Mesh& mesh, const ScatterSettings& settings)
{
    const auto points = scatter_roots(mesh, settings);
    EXPECT_TRUE(points) << (points ? "" : points.error());
    std::vector<Vec3d> positions;
    if (points)
        for (const MeshPoint& point : *points) positions.push_back(position_of(mesh, point));
    return positions;
}

ScatterSettings spread(Sequence sequence, uint32_t count = 2000, uint64_t seed = 1)
{
    ScatterSettings settings;
    settings.sequence = sequence;
    settings.count = count;
    settings.seed = seed;
    return settings;
}

/// The largest difference between the share of points in a box at the corner and its area, over many boxes.
double star_discrepancy(const std::vector<Vec3d>& points)
{
    double worst = 0;
    for (int i = 1; i <= 64; ++i)
        for (int k = 1; k <= 64; ++k) {
            const double x = i / 64.0, z = k / 64.0;
            const auto inside =
                std::count_if(points.begin(), points.end(), [&](const Vec3d& p) { return p.x < x && p.z < z; });
            worst = std::max(worst, std::abs(static_cast<double>(inside) / static_cast<double>(points.size()) - x * z));
        }
    return worst;
}

double mean_nearest(const std::vector<Vec3d>& points)
{
    const PointTree tree(points);
    double sum = 0;
    for (const Vec3d& p : points) sum += length(points[tree.nearest(p, 2)[1]] - p);
    return sum / static_cast<double>(points.size());
}

double min_nearest(const std::vector<Vec3d>& points)
{
    const PointTree tree(points);
    double least = 1e9;
    for (const Vec3d& p : points) least = std::min(least, length(points[tree.nearest(p, 2)[1]] - p));
    return least;
}

TEST(Scatter, HaltonHasLessDiscrepancyThanRandom)
{
    const Mesh square = make_square(16);
    double random = 0, halton = 0;
    for (uint64_t seed = 1; seed <= 8; ++seed) {
        random += star_discrepancy(scatter(square, spread(Sequence::kRandom, 2000, seed)));
        halton += star_discrepancy(scatter(square, spread(Sequence::kHalton, 2000, seed)));
    }
    EXPECT_LT(halton, 0.5 * random);
}

TEST(Scatter, BlueNoiseKeepsItsDistance)
{
    const Mesh square = make_square(16);
    const auto random = scatter(square, spread(Sequence::kRandom));
    const auto halton = scatter(square, spread(Sequence::kHalton));
    const auto blue = scatter(square, spread(Sequence::kBlueNoise));
    ASSERT_EQ(blue.size(), 2000u);
    EXPECT_GT(mean_nearest(halton), 1.1 * mean_nearest(random));
    EXPECT_GT(mean_nearest(blue), 1.5 * mean_nearest(random));
    // The densest packing would have sqrt(2 / (sqrt(3) n)) = 0.0240.
    EXPECT_GT(min_nearest(blue), 0.6 * 0.0240);
    EXPECT_LT(min_nearest(random), 0.2 * 0.0240);
}

TEST(Scatter, SpreadsByAreaNotByTriangle)
{
    Mesh square = make_square(8);
    for (Vec3f& v : square.vertices) v.x = v.x * v.x;  // triangles are narrow at x = 0 and wide at x = 1
    for (Sequence sequence : {Sequence::kRandom, Sequence::kHalton, Sequence::kBlueNoise}) {
        const auto points = scatter(square, spread(sequence, 4000));
        const auto left = std::count_if(points.begin(), points.end(), [](const Vec3d& p) { return p.x < 0.25; });
        EXPECT_NEAR(static_cast<double>(left) / 4000, 0.25, 0.03);
    }
}

TEST(Scatter, StaysOnGroupsAndMaterials)
{
    const Mesh square = make_square(8);
    ScatterSettings settings = spread(Sequence::kBlueNoise, 500);
    settings.groups = {"left"};
    for (const Vec3d& p : scatter(square, settings)) EXPECT_LE(p.x, 0.5);
    settings.groups = {};
    settings.materials = {"cloth"};
    for (const Vec3d& p : scatter(square, settings)) EXPECT_GE(p.x, 0.5);
    settings.groups = {"left"};
    EXPECT_FALSE(scatter_roots(square, settings));
    settings.groups = {"lefft"};
    EXPECT_NE(scatter_roots(square, settings).error().find("did you mean 'left'"), std::string::npos);
}

TEST(Scatter, FollowsADensityMap)
{
    const Mesh square = make_square(4);
    auto map = std::make_shared<Map>();
    map->width = 2;
    map->height = 1;
    map->values = {0, 1};  // bare on the left
    ScatterSettings settings = spread(Sequence::kHalton, 4000);
    settings.density = map;
    const auto points = scatter(square, settings);
    // The map is bilinear and repeats: the middle of the left half is bare, that of the right half has full density.
    const auto around = [&](double x) {
        return std::count_if(points.begin(), points.end(), [&](const Vec3d& p) { return std::abs(p.x - x) < 0.02; });
    };
    EXPECT_LT(around(0.25), 0.1 * static_cast<double>(around(0.75)));

    map->values = {0, 0};
    EXPECT_FALSE(scatter_roots(square, settings));
    Mesh bare = square;
    bare.uvs.clear();
    EXPECT_FALSE(scatter_roots(bare, settings));
}

TEST(Scatter, FiltersByTheNormal)
{
    Mesh roof = make_square(8);
    for (Vec3f& v : roof.vertices) v.y = 2 * std::min(v.x, 1 - v.x);  // two slopes, 63 degrees steep
    ScatterSettings settings = spread(Sequence::kRandom, 500);
    settings.direction = {-1, 0.5f, 0};  // along the normal of the slope with x < 0.5
    settings.angle = 0.3f;
    for (const Vec3d& p : scatter(roof, settings)) EXPECT_LT(p.x, 0.55);
    settings.direction = {0, -1, 0};
    EXPECT_FALSE(scatter_roots(roof, settings));
}

TEST(Map, IsBilinearWithItsOriginAtTheLowerLeft)
{
    Map map{2, 2, {0, 1, 2, 3}};  // top row 0 1, bottom row 2 3
    EXPECT_FLOAT_EQ(map.at({0.25f, 0.75f}), 0);
    EXPECT_FLOAT_EQ(map.at({0.75f, 0.75f}), 1);
    EXPECT_FLOAT_EQ(map.at({0.25f, 0.25f}), 2);
    EXPECT_FLOAT_EQ(map.at({0.5f, 0.5f}), 1.5f);
    EXPECT_FLOAT_EQ(map.at({1.25f, -0.75f}), 2);
}

}  // namespace
}  // namespace tendril::test
