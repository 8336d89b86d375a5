// Gravity, drag and wind, against closed forms.
#include "solvers/air.h"
#include "support/ropes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tendril::test {
namespace {

double falling_speed(const Vec3f& direction, const AirSettings& air)
{
    RopeStyle style = paper_rope();
    style.ends = Ends::kFree;
    style.direction = direction;
    WorldSettings settings = paper_settings();
    settings.dt = 0.002;
    settings.air = air;
    World world = make_world(style, settings);
    for (int i = 0; i < 3000; ++i) world.step();
    const double y = world.position({kRope, 0, 15}).y;
    world.step();
    return (y - world.position({kRope, 0, 15}).y) / settings.dt;
}

// Terminal speed is g / k: along the strand with one rate, across it with the other.
TEST(Air, TerminalSpeedAlongAndAcross)
{
    const AirSettings air{.drag_normal = 4, .drag_tangential = 2};
    EXPECT_NEAR(falling_speed({1, 0, 0}, air), 10.0 / 4, 0.02 * 2.5);
    EXPECT_NEAR(falling_speed({0, -1, 0}, air), 10.0 / 2, 0.02 * 5);
}

// In steady wind a hanging strand is straight, with tan(angle) = k v / g: only the wind across the strand pushes it.
TEST(Air, StrandLeansIntoSteadyWind)
{
    RopeStyle style = paper_rope();
    style.direction = {0, -1, 0};
    WorldSettings settings = paper_settings();
    settings.air = {.drag_normal = 5, .drag_tangential = 0.5f};
    settings.wind.velocity = {1.5f, 0, 0};
    settings.solver.dftl.velocity_correction = 1;
    World world = make_world(style, settings);
    for (int i = 0; i < 3000; ++i) world.step();
    const auto p = positions(world);
    EXPECT_LT(world.measure().fastest, 1e-3);
    EXPECT_NEAR(p[29].x / -p[29].y, 5 * 1.5 / 10, 0.02);
}

TEST(Air, WithoutDragWindDoesNothing)
{
    WorldSettings calm = paper_settings(), storm = paper_settings();
    storm.wind.velocity = {50, 0, 0};
    storm.wind.turbulence = 20;
    World a = make_world(paper_rope(), calm), b = make_world(paper_rope(), storm);
    for (int i = 0; i < 50; ++i) {
        a.step();
        b.step();
    }
    EXPECT_EQ(a.state_hash(), b.state_hash());
}

// A strand is accelerated by wind and then left in still air: its speed across its direction decays as exp(-k t).
TEST(Air, MotionDiesAwayExponentially)
{
    RopeStyle style = paper_rope();
    style.ends = Ends::kFree;
    WorldSettings settings = paper_settings();
    settings.gravity = {0, 0, 0};
    settings.air = {3, 1};
    settings.wind.velocity = {0, 2, 0};
    World world = make_world(style, settings);
    for (int i = 0; i < 100; ++i) world.step();
    world.settings().wind.velocity = {0, 0, 0};
    world.step();
    const double start = world.measure().fastest;
    EXPECT_GT(start, 1.5);
    for (int i = 0; i < 50; ++i) world.step();
    EXPECT_NEAR(world.measure().fastest, start * std::exp(-3 * 0.5), 0.02 * start);
}

TEST(Wind, TurbulenceHasItsStrengthAndIsSmooth)
{
    WindSettings wind;
    wind.turbulence = 2;
    wind.turbulence_size = 0.5f;
    double mean2 = 0, jump = 0, jump_in_time = 0;
    int n = 0;
    for (int i = 0; i < 40; ++i)
        for (int j = 0; j < 40; ++j)
            for (int k = 0; k < 5; ++k, ++n) {
                const Vec3d p{0.31 * i, 0.17 * j, 0.23 * (i + j)};
                const double t = 1.7 * k;
                const Vec3d v = wind_at(wind, p, t);
                mean2 += dot(v, v);
                jump = std::max(jump, length(wind_at(wind, p + Vec3d{1e-4, 1e-4, 0}, t) - v));
                jump_in_time = std::max(jump_in_time, length(wind_at(wind, p, t + 1e-4) - v));
            }
    EXPECT_NEAR(std::sqrt(mean2 / n), 2, 0.2);
    EXPECT_LT(jump, 0.05);
    EXPECT_LT(jump_in_time, 0.05);
}

// The eddies have no sources: the divergence by central differences vanishes.
TEST(Wind, TurbulenceHasNoSources)
{
    WindSettings wind;
    wind.turbulence = 1;
    const double h = 1e-4;
    for (int i = 0; i < 20; ++i) {
        const Vec3d p{0.1 * i, 0.37 * i, -0.2 * i};
        const double divergence = (wind_at(wind, p + Vec3d{h, 0, 0}, 1).x - wind_at(wind, p - Vec3d{h, 0, 0}, 1).x +
                                   wind_at(wind, p + Vec3d{0, h, 0}, 1).y - wind_at(wind, p - Vec3d{0, h, 0}, 1).y +
                                   wind_at(wind, p + Vec3d{0, 0, h}, 1).z - wind_at(wind, p - Vec3d{0, 0, h}, 1).z) /
                                  (2 * h);
        EXPECT_NEAR(divergence, 0, 1e-3);
    }
}

TEST(Wind, GustsStayWithinTheirShare)
{
    WindSettings wind;
    wind.velocity = {4, 0, 0};
    wind.gust = 0.5f;
    double smallest = 1e9, largest = 0;
    for (double t = 0; t < 100; t += 0.05) {
        const double x = wind_at(wind, {0, 0, 0}, t).x;
        smallest = std::min(smallest, x);
        largest = std::max(largest, x);
    }
    EXPECT_GE(smallest, 2 - 1e-9);
    EXPECT_LE(largest, 6 + 1e-9);
    EXPECT_GT(largest - smallest, 2);
}

// The wind of the kernel is `wind_at`: with strong drag, a short free strand moves with the air.
TEST(Wind, KernelBlowsAsTheFieldSays)
{
    WorldSettings settings;
    settings.dt = 0.001;
    settings.gravity = {0, 0, 0};
    settings.air = {1e4f, 1e4f};
    settings.wind.velocity = {1, 0.5f, 0};
    settings.wind.turbulence = 0.5f;
    RopeStyle style;
    style.particles = 2;
    style.length = 0.001f;
    style.ends = Ends::kFree;
    World world = make_world(style, settings, [](double, std::span<Pose> bones) { bones[0].position = {30, -7, 12}; });
    for (int i = 0; i < 20; ++i) world.step();
    const Vec3d p = world.position({kRope, 0, 0});
    const double t = world.time();
    world.step();
    const Vec3d moved = (world.position({kRope, 0, 0}) - p) * (1 / settings.dt);
    EXPECT_LT(length(moved - wind_at(settings.wind, p, t)), 0.05);
}

}  // namespace
}  // namespace tendril::test
