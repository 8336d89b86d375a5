#include "math/elementary.h"

#include "math/random.h"
#include "tendril/vec3.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

TEST(Elementary, SineAndCosineMatchTheCLibrary)
{
    for (double x = -400; x < 400; x += 0.0371) {
        EXPECT_NEAR(sin_cos(x).sin, std::sin(x), 3e-16 + 1e-15);
        EXPECT_NEAR(sin_cos(x).cos, std::cos(x), 3e-16 + 1e-15);
    }
}

TEST(Elementary, AnglesMatchTheCLibrary)
{
    for (double x = -3.2; x < 3.2; x += 0.00371)
        for (const double r : {1e-200, 1.0, 1e200})
            EXPECT_NEAR(angle_of(r * std::sin(x), r * std::cos(x)), std::atan2(r * std::sin(x), r * std::cos(x)),
                        5e-16);
    EXPECT_EQ(angle_of(0, 0), 0);
    EXPECT_EQ(angle_of(0, 2), 0);
    EXPECT_NEAR(angle_of(-1, 0), std::atan2(-1, 0), 5e-16);
    EXPECT_NEAR(angle_of(0, -1), std::atan2(0.0, -1), 5e-16);
}

TEST(Elementary, ExponentialAndRootMatchTheCLibrary)
{
    for (double x = 0; x < 50; x += 0.173) EXPECT_NEAR(exp_minus(x), std::exp(-x), 1e-14 * std::exp(-x) + 1e-16);
    EXPECT_EQ(exp_minus(1e6), 0);
    for (const double x : {0.0, 1e-6, 0.1, 0.5, 0.9, 1.0})
        for (const int n : {1, 2, 8, 64, 1000})
            EXPECT_NEAR(nth_root(x, n), std::pow(x, 1.0 / n), 1e-12) << x << ' ' << n;
}

TEST(Elementary, LogarithmMatchesTheCLibrary)
{
    for (double x = 1e-12; x < 1e12; x *= 1.037)
        EXPECT_NEAR(natural_log(x), std::log(x), 4e-16 * std::max(1.0, std::abs(std::log(x)))) << x;
    EXPECT_EQ(natural_log(1), 0);
    EXPECT_NEAR(natural_log(1e-300), std::log(1e-300), 2e-13);
}

TEST(Pose, RotationsRotateAndCompose)
{
    const Quat quarter = rotation_about({0, 0, 1}, 3.14159265358979323846 / 2);
    const Vec3d up = rotate(quarter, {1, 0, 0});
    EXPECT_NEAR(up.x, 0, 1e-15);
    EXPECT_NEAR(up.y, 1, 1e-15);
    const Vec3d back = rotate(quarter * quarter, {1, 0, 0});
    EXPECT_NEAR(back.x, -1, 1e-15);
    const Vec3d same = rotate(conjugate(quarter) * quarter, {1, 2, 3});
    EXPECT_NEAR(length(same - Vec3d{1, 2, 3}), 0, 1e-14);
}

TEST(Random, UniformIsUniformAndRepeats)
{
    double mean = 0;
    for (uint64_t i = 0; i < 100000; ++i) {
        const double x = uniform(7, i);
        ASSERT_GE(x, 0);
        ASSERT_LT(x, 1);
        mean += x / 100000;
    }
    EXPECT_NEAR(mean, 0.5, 0.005);
    EXPECT_EQ(uniform(7, 3), uniform(7, 3));
    EXPECT_NE(uniform(7, 3), uniform(8, 3));
}

}  // namespace
}  // namespace tendril
