#include "tendril/groom.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tendril {
namespace {

const float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Groom, CountsItsRepairs)
{
    GroomData data;
    data.points = {{0, 0, 0}, {0, 1, 0},    {0, 1, 0}, {0, 2, 0},  // a repeated point
                   {0, 0, 0}, {kNan, 1, 0},                        // not finite
                   {1, 1, 1}, {1, 1, 1},                           // without length
                   {5, 0, 0},                                      // one point
                   {1, 0, 0}, {2, 0, 0}};
    data.first_point = {0, 4, 6, 8, 9, 11};
    const auto groom = make_groom(data);
    ASSERT_TRUE(groom) << groom.error();
    EXPECT_EQ(groom->strand_count(), 2u);
    ASSERT_EQ(groom->repairs().size(), 3u);
    EXPECT_EQ(groom->repairs()[0].count, 1u);
    EXPECT_EQ(groom->repairs()[1].count, 2u);
    EXPECT_EQ(groom->repairs()[2].count, 1u);
    EXPECT_EQ(groom->source(1), 4u);
    EXPECT_FALSE(make_groom(data, RepairPolicy::kRefuse));
    for (float l : groom->rest_lengths(0).subspan(1)) EXPECT_GT(l, 0);
}

TEST(Groom, RejectsInconsistentData)
{
    EXPECT_FALSE(make_groom({}));
    EXPECT_FALSE(make_groom({{{0, 0, 0}}, {0, 5}, {}}));
    EXPECT_FALSE(make_groom({{{0, 0, 0}, {1, 0, 0}}, {0, 2, 1, 2}, {}}));
    EXPECT_FALSE(make_groom({{{kNan, 0, 0}, {1, 0, 0}}, {0, 2}, {}}));
    EXPECT_FALSE(make_groom({{{0, 0, 0}, {1, 0, 0}}, {0, 2}, {Ends::kFree, Ends::kFree}}));
}

TEST(Groom, ArcHasTheRequestedLengthAndSpan)
{
    for (const float span : {0.2f, 0.5f, 0.9f, 0.999f}) {
        RopeStyle style;
        style.particles = 21;
        style.length = 2;
        style.span = span;
        const auto groom = make_groom(*make_ropes(style));
        ASSERT_TRUE(groom);
        double total = 0;
        for (float l : groom->rest_lengths(0)) total += l;
        EXPECT_NEAR(total, 2, 1e-5);
        EXPECT_NEAR(length(groom->points(0).back() - groom->points(0).front()), 2 * span, 1e-5);
        EXPECT_LT(groom->points(0)[10].y, 0);
    }
}

TEST(Groom, SteepArcHasTheRequestedLength)
{
    RopeStyle style;
    style.span = 0.5f;
    style.direction = {0.1f, -1, 0};
    for (const Vec3f direction : {Vec3f{0, -1, 0}, Vec3f{0.1f, -1, 0}, Vec3f{1, 1, 0}}) {
        style.direction = direction;
        const auto groom = make_groom(*make_ropes(style));
        ASSERT_TRUE(groom);
        double total = 0;
        for (float l : groom->rest_lengths(0)) total += l;
        EXPECT_NEAR(total, style.length, 1e-5);
    }
    EXPECT_FALSE(make_ropes({.particles = 2, .span = 0.5f}));
}

TEST(Groom, SphereHairIsRootedOnTheSphere)
{
    SphereStyle style;
    style.strands = 500;
    style.length_spread = 0.3f;
    const auto groom = make_groom(*make_sphere_hair(style));
    ASSERT_TRUE(groom);
    float shortest = 1e9f, longest = 0;
    for (size_t s = 0; s < groom->strand_count(); ++s) {
        EXPECT_NEAR(length(groom->points(s)[0]), style.radius, 1e-6);
        const float l = length(groom->points(s).back() - groom->points(s)[0]);
        shortest = std::min(shortest, l);
        longest = std::max(longest, l);
    }
    EXPECT_LT(shortest, 0.23f);
    EXPECT_GT(longest, 0.37f);
}

TEST(Groom, GeneratorsRejectInvalidSettings)
{
    EXPECT_FALSE(make_ropes({.strands = 0}));
    EXPECT_FALSE(make_ropes({.particles = 1}));
    EXPECT_FALSE(make_ropes({.length = -1}));
    EXPECT_FALSE(make_ropes({.length = kNan}));
    EXPECT_FALSE(make_ropes({.direction = {0, 0, 0}}));
    EXPECT_FALSE(make_ropes({.span = 1.5f}));
    EXPECT_FALSE(make_sphere_hair({.strands = 4000000000u, .particles = 4000000000u}));
    EXPECT_FALSE(make_sphere_hair({.radius = 0}));
}

}  // namespace
}  // namespace tendril
