// Styles: lengths, curls, clumps; resampling; binding to the nearest triangle.
#include "groom/polyline.h"
#include "support/meshes.h"
#include "tendril/hair_style.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tendril::test {
namespace {

std::vector<MeshPoint> some_roots(const Mesh& mesh, uint32_t count = 200)
{
    ScatterSettings settings;
    settings.count = count;
    return *scatter_roots(mesh, settings);
}

std::span<const Vec3f> strand(const GroomData& data, size_t s)
{
    return std::span(data.points).subspan(data.first_point[s], data.first_point[s + 1] - data.first_point[s]);
}

HairStyle style_of(CurlPattern curl)
{
    HairStyle style;
    style.curl = curl;
    style.length_spread = 0;
    style.particles = 64;
    return style;
}

TEST(Grow, EveryStyleHasTheRequestedLength)
{
    const Mesh square = make_square(8);
    const auto roots = some_roots(square);
    for (CurlPattern curl : {CurlPattern::kStraight, CurlPattern::kWavy, CurlPattern::kCurly}) {
        HairStyle style = style_of(curl);
        style.lie = 0.5f;
        style.droop = 1;
        style.clump = 0.8f;
        style.frizz = 0.5f;
        const auto hair = grow_hair(square, roots, style);
        ASSERT_TRUE(hair);
        for (double l : strand_lengths(hair->data)) EXPECT_NEAR(l, 0.25, 0.25 * 1e-3);
        EXPECT_TRUE(make_groom(hair->data, RepairPolicy::kRefuse));
    }
}

// A helix of radius r and pitch p has a curvature of 4 pi^2 r / (p^2 + 4 pi^2 r^2).
TEST(Grow, CurlsAreHelices)
{
    const Mesh square = make_square(2);
    HairStyle style = style_of(CurlPattern::kCurly);
    style.particles = 400;
    const auto hair = grow_hair(square, some_roots(square, 1), style);
    ASSERT_TRUE(hair);
    const auto points = strand(hair->data, 0);
    const double r = 0.006, p = 0.03, four_pi2 = 4 * std::numbers::pi * std::numbers::pi;
    const double curvature = four_pi2 * r / (p * p + four_pi2 * r * r);
    for (size_t i = 200; i + 1 < points.size(); i += 20) {
        const Vec3d a = to_double(points[i] - points[i - 1]), b = to_double(points[i + 1] - points[i]);
        const double bend = length(cross(a, b)) / (length(a) * length(b) * (length(a) + length(b)) / 2);
        EXPECT_NEAR(bend, curvature, 0.03 * curvature);
    }
}

TEST(Grow, StandsUpOrLiesFlat)
{
    const Mesh square = make_square(2);
    HairStyle style = style_of(CurlPattern::kStraight);
    style.direction = {1, -0.2f, 0};
    auto tip = [&](float lie) {
        style.lie = lie;
        const auto hair = grow_hair(square, some_roots(square, 1), style);
        const auto points = strand(hair->data, 0);
        return to_double(points.back() - points.front());
    };
    EXPECT_NEAR(tip(0).y, 0.25, 1e-4);
    EXPECT_GT(tip(1).x, 0.24);
    EXPECT_GT(tip(1).y, 0.005);  // it does not enter the skin
}

TEST(Grow, ClumpsDrawTipsTogether)
{
    const Mesh square = make_square(8);
    const auto roots = some_roots(square, 2000);
    HairStyle style = style_of(CurlPattern::kStraight);
    style.clump_size = 0.1f;
    auto spread_of_tips = [&](float clump) {
        style.clump = clump;
        const auto hair = grow_hair(square, roots, style);
        double sum = 0;
        std::vector<Vec3d> tips;
        for (size_t s = 0; s < roots.size(); ++s) tips.push_back(to_double(strand(hair->data, s).back()));
        for (size_t s = 0; s < roots.size(); ++s) {
            double nearest = 1e9;
            for (size_t o = 0; o < roots.size(); ++o)
                if (o != s) nearest = std::min(nearest, length(tips[s] - tips[o]));
            sum += nearest;
        }
        return sum;
    };
    EXPECT_LT(spread_of_tips(0.9f), 0.5 * spread_of_tips(0));
}

TEST(Grow, AppliesLengthMapWidthsAndColours)
{
    const Mesh square = make_square(8);
    auto map = std::make_shared<Map>();
    *map = {1, 1, {0.5f}};
    HairStyle style = style_of(CurlPattern::kStraight);
    style.length_map = map;
    const auto hair = grow_hair(square, some_roots(square), style);
    for (double l : strand_lengths(hair->data)) EXPECT_NEAR(l, 0.125, 1e-4);
    EXPECT_FLOAT_EQ(hair->data.widths.front(), style.root_width);
    EXPECT_FLOAT_EQ(hair->data.widths.back(), style.tip_width);
    EXPECT_FLOAT_EQ(hair->data.colours.back().y, style.tip_colour.y);
    EXPECT_EQ(hair->data.root_uvs.size(), 200u);
}

TEST(Grow, RootsMustBeOnTheMesh)
{
    const auto roots = some_roots(make_square(4));
    EXPECT_FALSE(grow_hair(Mesh{}, roots, HairStyle{}));
    EXPECT_FALSE(grow_hair(make_square(1), roots, HairStyle{}));
    EXPECT_FALSE(grow_hair(make_square(4), {}, HairStyle{}));
    EXPECT_FALSE(scatter_roots(Mesh{}, ScatterSettings{}));
    EXPECT_FALSE(bind_to_nearest(GroomData{}, Mesh{}));
}

TEST(Resample, KeepsLengthAndRoot)
{
    const Mesh square = make_square(8);
    HairStyle style = style_of(CurlPattern::kCurly);
    const auto hair = grow_hair(square, some_roots(square), style);
    for (uint32_t count : {2u, 5u, 16u, 64u, 200u}) {
        const GroomData other = resampled(hair->data, count);
        ASSERT_EQ(other.points.size(), 200u * count);
        ASSERT_EQ(other.widths.size(), 200u * count);
        for (size_t s = 0; s < 200; ++s) {
            EXPECT_NEAR(polyline_length(strand(other, s)), 0.25, 0.25 * 1e-3);
            EXPECT_EQ(strand(other, s).front(), strand(hair->data, s).front());
        }
        EXPECT_TRUE(make_groom(other, RepairPolicy::kRefuse));
    }
}

TEST(Resample, EvenPointsOfTheSameCountStayUnchanged)
{
    GroomData data;
    data.first_point = {0, 4};
    data.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    EXPECT_EQ(resampled(data, 4).points, data.points);
}

TEST(Bind, FindsTheTriangleUnderTheRoot)
{
    const Mesh square = make_square(16);
    const auto hair = grow_hair(square, some_roots(square), style_of(CurlPattern::kStraight));
    const auto bound = bind_to_nearest(hair->data, square);
    ASSERT_TRUE(bound);
    for (size_t s = 0; s < 200; ++s) {
        Vec3d p{0, 0, 0};
        const Vec3d w = to_double(bound->weights[s]);
        p += to_double(square.vertices[bound->triangles[s][0]]) * w.x;
        p += to_double(square.vertices[bound->triangles[s][1]]) * w.y;
        p += to_double(square.vertices[bound->triangles[s][2]]) * w.z;
        EXPECT_LT(length(p - to_double(strand(hair->data, s).front())), 1e-6);
    }
}

}  // namespace
}  // namespace tendril::test
