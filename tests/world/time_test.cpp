// Time: hosts with any frame rate, pushed poses, interpolation between steps, pauses.
#include "support/head.h"
#include "support/ropes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::test {
namespace {

// A host that pushes the pose of each frame and then advances by that frame gets the same motion as with a function of
// time.
TEST(World, PushThenAdvanceEqualsAFunction)
{
    WorldSettings settings = paper_settings();
    settings.substeps = 4;
    const PoseFunction motion = [](double t, std::span<Pose> bones) {
        bones[0].position = {0.3 * std::sin(4 * t), 0, 0};
    };
    World function = make_world(paper_rope(), settings, motion), pushed = make_world(paper_rope(), settings);
    const Pose start;
    ASSERT_TRUE(pushed.push_poses(BodyId{0}, {&start, 1}, 0));
    for (int i = 1; i <= 200; ++i) {
        Pose pose;
        motion(0.01 * i, {&pose, 1});
        ASSERT_TRUE(pushed.push_poses(BodyId{0}, {&pose, 1}));
        EXPECT_FALSE(function.push_poses(BodyId{0}, {&pose, 1}));  // a function moves this body
        function.advance(0.01);
        pushed.advance(0.01);
    }
    EXPECT_LT(deviation(function, pushed), 5e-3 * 0.58);
}

// --- Time

std::vector<Vec3d> tips_at_five_seconds(const std::vector<double>& frame_times, bool pushed)
{
    WorldSettings settings;
    settings.dt = 1.0 / 120;
    settings.air = {1, 0.5f};
    World world(settings, make_serial_executor());
    BodyDescription head{.name = "head"};
    if (!pushed) head.function = shake_head;
    const BodyId body = world.add_body(head);
    SphereStyle style;
    style.strands = 32;
    style.particles = 24;
    if (pushed) {
        Pose pose;
        shake_head(0, {&pose, 1});
        EXPECT_TRUE(world.push_poses(body, {&pose, 1}, 0));
    }
    EXPECT_TRUE(world.add_groom(std::move(*make_groom(*make_sphere_hair(style))), {.body = body}));
    double t = 0;
    for (const double frame : frame_times) {
        t += frame;
        if (pushed) {
            Pose pose;
            shake_head(t, {&pose, 1});
            EXPECT_TRUE(world.push_poses(body, {&pose, 1}, t));
        }
        world.advance(frame);
    }
    const CurvesView curves = world.curves(kRope);
    std::vector<Vec3d> tips;
    for (size_t s = 0; s + 1 < curves.first_point.size(); ++s)
        tips.push_back(curves.origin + to_double(curves.points[curves.first_point[s + 1] - 1]));
    return tips;
}

std::vector<double> steady(double rate)
{
    return std::vector<double>(static_cast<size_t>(5 * rate + 0.5), 1 / rate);
}

std::vector<double> jittery()
{
    std::vector<double> frames;
    double t = 0;
    for (int i = 0; t < 5; ++i) {
        const double frame = std::min(0.004 + 0.03 * std::abs(std::sin(12.9898 * i)), 5 - t);
        frames.push_back(frame);
        t += frame;
    }
    return frames;
}

double worst_distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b)
{
    double worst = 0;
    for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, length(a[i] - b[i]));
    return worst;
}

TEST(World, FrameRateDoesNotChangeTheMotion)
{
    const auto reference = tips_at_five_seconds(steady(60), false);
    for (const auto& frames : {steady(30), steady(144), jittery()})
        EXPECT_LT(worst_distance(tips_at_five_seconds(frames, false), reference), 1e-3 * kStrandLength);
}

TEST(World, FrameRateOfPushedPosesDoesNotChangeTheMotion)
{
    const auto reference = tips_at_five_seconds(steady(60), true);
    for (const auto& frames : {steady(30), steady(144), jittery()})
        EXPECT_LT(worst_distance(tips_at_five_seconds(frames, true), reference), 5e-3 * kStrandLength);
    EXPECT_LT(worst_distance(tips_at_five_seconds(steady(60), false), reference), 5e-3 * kStrandLength);
}

// Shown at 1000 Hz, a world with steps of 60 Hz moves smoothly: no frame stands still or jumps, and segments keep their
// lengths.
TEST(World, PicturesBetweenStepsAreInterpolated)
{
    WorldSettings settings;
    World world = make_head(settings, 16, make_serial_executor());
    for (int i = 0; i < 60; ++i) world.advance(1.0 / 60);
    std::vector<Vec3d> path;
    for (int i = 0; i < 500; ++i) {
        world.advance(0.001);
        const CurvesView c = world.curves(kRope);
        path.push_back(c.origin + to_double(c.points[c.first_point[1] - 1]));
        for (size_t k = c.first_point[3] + 1; k < c.first_point[4]; ++k) {
            const double rest = world.groom(kRope).rest_lengths(3)[k - c.first_point[3]];
            EXPECT_NEAR(length(to_double(c.points[k]) - to_double(c.points[k - 1])), rest, 2e-5 * rest + 1e-7);
        }
    }
    double fastest = 0, sharpest = 0;
    for (size_t i = 2; i < path.size(); ++i) {
        fastest = std::max(fastest, length(path[i] - path[i - 1]));
        sharpest = std::max(sharpest, length(path[i] - path[i - 1] * 2.0 + path[i - 2]));
    }
    EXPECT_GT(fastest, 1e-4);
    EXPECT_LT(sharpest, 0.5 * fastest);  // without interpolation, jumps would be 16 times the mean speed
}

// The roots are on the current pose of the body, which the host draws, not on its pose of the last step.
TEST(World, RootsOfTheCurvesAreOnTheBody)
{
    WorldSettings settings;
    World world = make_head(settings, 16, make_serial_executor());
    double t = 0;
    for (int i = 0; i < 100; ++i) {
        t += 0.0071;
        world.advance(0.0071);
        Pose pose;
        shake_head(t, {&pose, 1});
        const CurvesView c = world.curves(kRope);
        for (size_t s = 0; s < 16; ++s) {
            const Vec3d expected = transform_point(pose, to_double(world.groom(kRope).points(s)[0]));
            EXPECT_LT(length(c.origin + to_double(c.points[c.first_point[s]]) - expected), 1e-6);
        }
    }
}

TEST(World, AdvanceDropsTimeAfterAStallAndReportsIt)
{
    WorldSettings settings;
    World world = make_head(settings, 4, make_serial_executor());
    const StepReport report = world.advance(10);
    EXPECT_NEAR(report.dropped_time, 10 - 0.25, 1e-9);
    EXPECT_EQ(report.steps, 15);
    EXPECT_EQ(world.advance(std::numeric_limits<double>::quiet_NaN()).steps, 0);
    EXPECT_EQ(world.advance(-1).steps, 0);
}

TEST(World, PauseStopsAdvanceButNotStep)
{
    World world = make_head({}, 4, make_serial_executor());
    world.set_paused(true);
    EXPECT_EQ(world.advance(0.1).steps, 0);
    EXPECT_EQ(world.step().steps, 1);
    world.set_paused(false);
    EXPECT_GT(world.advance(0.1).steps, 0);
}

// When the step changes, the correction in the stored velocity is rescaled, so a strand at rest stays at rest.
TEST(World, ChangingTheStepDoesNotKick)
{
    RopeStyle style = paper_rope();
    style.direction = {0, -1, 0};
    WorldSettings settings = paper_settings();
    settings.solver.dftl.velocity_correction = 1;
    World world = make_world(style, settings);
    for (int i = 0; i < 200; ++i) world.step();
    for (const double dt : {0.005, 0.02, 0.01}) {
        for (int i = 0; i < 20; ++i) {
            world.step(dt);
            EXPECT_LT(world.measure().fastest, 1e-3) << dt;
        }
    }
}

}  // namespace
}  // namespace tendril::test
