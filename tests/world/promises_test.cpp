// The guarantees of the world for any input: no stretch, only finite values, rest stays at rest.
#include "support/head.h"
#include "support/ropes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>

namespace tendril::test {
namespace {

TEST(World, NonFiniteSettingsHaveNoEffect)
{
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    WorldSettings settings;
    settings.dt = std::numeric_limits<double>::quiet_NaN();
    settings.substeps = -3;
    settings.gravity.y = std::numeric_limits<double>::quiet_NaN();
    settings.air = {3, nan};
    settings.wind = {{nan, 0, 0}, nan, nan, inf, nan, 1};
    settings.solver.dftl = {.velocity_correction = nan, .bend_limit = nan};
    World world = make_head(settings, 20, make_serial_executor());
    EXPECT_TRUE(std::isfinite(world.measure().energy()));
    for (int i = 0; i < 50; ++i) world.step();
    EXPECT_EQ(world.measure().nonfinite, 0u);
    EXPECT_LE(world.measure().stretch_max, 1e-6);
    World again = make_head(settings, 20, make_serial_executor());
    EXPECT_TRUE(again.load(world.save()));
}

// Conditions under which the world guarantees no stretch and no NaN.
struct Abuse {
    const char* name;
    WorldSettings settings;
    PoseFunction motion = shake_head;
};

void PrintTo(const Abuse& abuse, std::ostream* out)
{
    *out << abuse.name;
}

class WorldAbuse : public testing::TestWithParam<Abuse> {};

TEST_P(WorldAbuse, NoStretchAndNothingNonFinite)
{
    World world = make_head(GetParam().settings, 100, make_serial_executor(), GetParam().motion, 30);
    for (int i = 0; i < 200; ++i) {
        world.step();
        const Metrics m = world.measure();
        ASSERT_EQ(m.nonfinite, 0u) << "step " << i;
        ASSERT_LE(m.stretch_max, 1e-4) << "step " << i;
        ASSERT_TRUE(std::isfinite(m.energy())) << "step " << i;
    }
}

WorldSettings with(double dt, double gravity, int substeps = 1)
{
    WorldSettings settings;
    settings.dt = dt;
    settings.gravity = {0, -gravity, 0};
    settings.substeps = substeps;
    return settings;
}

WorldSettings hurricane()
{
    WorldSettings settings = windy();
    settings.wind.velocity = {1e9f, 0, 0};
    settings.wind.turbulence = 1e9f;
    settings.air = {1e9f, 1e9f};
    return settings;
}

WorldSettings all_options()
{
    WorldSettings settings = windy();
    settings.dt = 0.2;
    settings.solver.dftl = {.velocity_correction = 0, .bend_limit = 1, .backward_pass = true};
    return settings;
}

void jump(double t, std::span<Pose> bones)
{
    shake_head(t, bones);
    if (t > 1) bones[0].position.x += 100;
}

void far_away(double t, std::span<Pose> bones)
{
    shake_head(t, bones);
    bones[0].position.x += 10000;
}

void jump_every_step(double t, std::span<Pose> bones)
{
    bones[0].position = {1e6 * std::sin(1e4 * t), 1e6 * std::cos(3e4 * t), 0};
    bones[0].rotation = rotation_about({0, 1, 0}, 1e3 * t);
}

void not_a_number(double t, std::span<Pose> bones)
{
    shake_head(t, bones);
    if (std::fmod(t, 0.3) < 0.1) bones[0].position.y = std::numeric_limits<double>::quiet_NaN();
}

const Abuse kAbuses[] = {
    {"StepOfOneMillisecond", with(0.001, 9.81)},
    {"StepOf200Milliseconds", with(0.2, 9.81)},
    {"GravityTimes1000", with(1.0 / 60, 9810)},
    {"GravityTimes1000LongStep", with(0.2, 9810)},
    {"GravityTimes1000Substeps", with(0.2, 9810, 8)},
    {"JumpOf100Metres", with(1.0 / 60, 9.81), jump},
    {"TenKilometresAway", with(1.0 / 60, 9.81), far_away},
    {"JumpsEveryStep", with(1.0 / 60, 9.81), jump_every_step},
    {"PosesThatAreNotNumbers", with(1.0 / 60, 9.81), not_a_number},
    {"Hurricane", hurricane()},
    {"AllOptions", all_options()},
};

INSTANTIATE_TEST_SUITE_P(Promises, WorldAbuse, testing::ValuesIn(kAbuses),
                         [](const auto& abuse) { return abuse.param.name; });

// In the input, all particles of a strand except its tip coincide.
TEST(World, CoincidentParticlesAreHarmless)
{
    GroomData data;
    for (int s = 0; s < 20; ++s) {
        for (int i = 0; i < 10; ++i) data.points.push_back({0, i < 9 ? 0.0f : 0.1f * static_cast<float>(s), 0});
        data.first_point.push_back(static_cast<uint32_t>(10 * s));
    }
    data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
    auto groom = make_groom(std::move(data));
    ASSERT_TRUE(groom);
    EXPECT_FALSE(groom->repairs().empty());
    World world(WorldSettings{}, make_serial_executor());
    const BodyId body = world.add_body({.name = "head", .function = shake_head});
    ASSERT_TRUE(world.add_groom(std::move(*groom), {.body = body}));
    for (int i = 0; i < 300; ++i) {
        world.step();
        const Metrics m = world.measure();
        ASSERT_EQ(m.nonfinite, 0u);
        ASSERT_LE(m.stretch_max, 1e-4);
    }
}

// Ten metres of one-millimetre segments: positions stored as floats would not be precise enough.
TEST(World, LongRopeOfShortSegmentsDoesNotStretch)
{
    RopeStyle style;
    style.particles = 10001;
    style.length = 10;
    World world = make_world(style, paper_settings(), [](double t, std::span<Pose> bones) {
        bones[0].position = {12345.6 + std::sin(t), 0, 0};
    });
    for (int i = 0; i < 60; ++i) world.step();
    EXPECT_LE(world.measure().stretch_max, 1e-6);
}

TEST(World, RestStaysAtRest)
{
    WorldSettings settings;
    settings.gravity = {0, 0, 0};
    World world = make_head(settings, 64, make_serial_executor(), [](double, std::span<Pose>) {});
    for (int i = 0; i < 300; ++i) {
        world.step();
        EXPECT_LT(world.measure().fastest, 1e-5);
    }
}

}  // namespace
}  // namespace tendril::test
