// Debug colours of strands.
#include "tendril/overlay.h"

#include <gtest/gtest.h>

#include <set>

namespace tendril::test {
namespace {

/// Two hanging strands of three points each.
struct Pair {
    std::vector<Vec3f> points{{0, 0, 0}, {0, -1, 0}, {0, -2, 0}, {1, 0, 0}, {1, -1, 0}, {1, -2, 0}};
    std::vector<Vec3f> velocities{6, Vec3f{0, 0, 0}};
    std::vector<uint32_t> first_point{0, 3, 6};
    std::vector<float> rest_lengths{0, 1, 1, 0, 1, 1};

    OverlayInput input() const
    {
        OverlayInput in;
        in.curves = {points, velocities, first_point, {0, 0, 0}};
        in.rest_lengths = rest_lengths;
        in.gravity = {0, -10, 0};
        return in;
    }
};

bool is_red(const Vec3f& c)
{
    return c.x > 3 * c.y && c.x > 3 * c.z;
}
bool is_blue(const Vec3f& c)
{
    return c.z > 2 * c.x && c.z > 2 * c.y;
}

TEST(Overlay, StrandsHaveDifferentColours)
{
    const Pair pair;
    const auto colours = overlay_colours(Overlay::kId, pair.input());
    ASSERT_EQ(colours.size(), 6u);
    EXPECT_EQ(colours[0], colours[2]);
    EXPECT_FALSE(colours[0] == colours[3]);
}

TEST(Overlay, SpeedAndStretchGoFromBlueToRed)
{
    Pair pair;
    pair.velocities[4] = {0, 3, 0};
    pair.points[5].y = -2.001f;
    const auto speeds = overlay_colours(Overlay::kSpeed, pair.input());
    EXPECT_TRUE(is_blue(speeds[0]));
    EXPECT_TRUE(is_red(speeds[4]));
    const auto stretches = overlay_colours(Overlay::kStretch, pair.input());
    EXPECT_TRUE(is_blue(stretches[4]));
    EXPECT_TRUE(is_red(stretches[5]));
}

// At rest, each point supports the part of the strand below it. In free fall, there is no tension.
TEST(Overlay, TensionIsTheSupportedWeight)
{
    const Pair pair;
    std::vector<Vec3f> accelerations(6, Vec3f{0, 0, 0});
    for (size_t i = 3; i < 6; ++i) accelerations[i] = {0, -10, 0};
    OverlayInput in = pair.input();
    in.accelerations = accelerations;
    const auto weights = carried_weight(in);
    EXPECT_FLOAT_EQ(weights[0], 1);
    EXPECT_FLOAT_EQ(weights[1], 2.0f / 3);
    EXPECT_FLOAT_EQ(weights[2], 1.0f / 3);
    for (size_t i = 3; i < 6; ++i) EXPECT_FLOAT_EQ(weights[i], 0);
}

TEST(Overlay, ContactIsRed)
{
    const Pair pair;
    const std::vector<uint8_t> touching{0, 0, 1, 0, 0, 0};
    OverlayInput in = pair.input();
    in.touching = touching;
    const auto colours = overlay_colours(Overlay::kContact, in);
    EXPECT_TRUE(is_red(colours[2]));
    EXPECT_FALSE(is_red(colours[1]));
}

}  // namespace
}  // namespace tendril::test
