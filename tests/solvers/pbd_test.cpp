// Position based dynamics, with and without compliance. [Boercsoek20], [Macklin16]
#include "support/ropes.h"
#include "support/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tendril::test {
namespace {

WorldSettings with_pbd(SolverType type, int iterations)
{
    WorldSettings settings = paper_settings();
    settings.solver.type = type;
    settings.solver.pbd.iterations = iterations;
    return settings;
}

RopeStyle one_segment()
{
    RopeStyle style;
    style.particles = 2;
    style.length = 0.1f;
    return style;
}

double stretch_after(int steps, const WorldSettings& settings)
{
    World world = make_world(paper_rope(), settings);
    double worst = 0;
    for (int i = 0; i < steps; ++i) {
        world.step();
        worst = std::max(worst, world.measure().stretch_max);
    }
    return worst;
}

TEST(Pbd, MoreIterationsStretchLess)
{
    double last = 1e9;
    for (const int iterations : {1, 5, 25, 125}) {
        const double stretch = stretch_after(100, with_pbd(SolverType::kPbd, iterations));
        EXPECT_LT(stretch, 0.7 * last) << iterations;
        last = stretch;
    }
    EXPECT_LT(last, 0.03);  // it converges slowly: an iteration passes information from one particle to the next only
}

// A particle that hangs on one segment falls by g dt^2 in a step, which then removes the share k of its error e:
// e = (e + g dt^2)(1 - k), for any number of iterations.
TEST(Pbd, StiffnessDoesNotDependOnIterations)
{
    for (const float k : {0.1f, 0.5f, 0.9f})
        for (const int iterations : {1, 4, 20}) {
            WorldSettings settings = with_pbd(SolverType::kPbd, iterations);
            settings.solver.pbd.stiffness = k;
            settings.air = {20, 20};
            World world = make_world(one_segment(), settings);
            for (int i = 0; i < 400; ++i) world.step();
            const double stretch = world.measure().stretch_max * 0.1;
            const double fall = 10 * 0.01 * 0.01;
            EXPECT_NEAR(stretch, fall * (1 - k) / k, 0.02 * fall) << k << ' ' << iterations;
        }
}

// A segment with stiffness K over the mass of its particle carries the particle at an elongation of g / K.
TEST(Xpbd, ElongationIsThatOfTheSpringForAnyStepAndIterations)
{
    for (const double dt : {0.002, 0.01, 0.03})
        for (const int iterations : {1, 10}) {
            WorldSettings settings = with_pbd(SolverType::kXpbd, iterations);
            settings.dt = dt;
            settings.air = {10, 10};
            settings.solver.pbd.stretch_stiffness = 2000;
            World world = make_world(one_segment(), settings);
            while (world.time() < 6) world.step();
            EXPECT_NEAR(world.measure().stretch_max * 0.1, 10.0 / 2000, 2e-5) << dt << ' ' << iterations;
        }
}

// In a hanging chain of springs, segment i carries the weight below it.
TEST(Xpbd, ConvergedChainCarriesTheWeightBelow)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    WorldSettings settings = with_pbd(SolverType::kXpbd, 400);
    settings.air = {10, 10};
    settings.solver.pbd.stretch_stiffness = 20000;
    RopeStyle style = paper_rope();
    style.particles = 11;
    style.length = 0.2f;
    World world = make_world(style, settings);
    while (world.time() < 8) world.step();
    const auto p = positions(world);
    for (size_t i = 1; i < p.size(); ++i) {
        const double below = static_cast<double>(p.size() - i);
        EXPECT_NEAR(length(p[i] - p[i - 1]) - 0.02, below * 10 / 20000, 2e-5) << i;
    }
}

TEST(Pbd, ConvergedRopeHangsInACatenary)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const RopeStyle style = hanging_rope(41, 0.8f);
    WorldSettings settings = with_pbd(SolverType::kPbd, 100);
    settings.dt = 0.005;
    settings.substeps = 4;
    settings.air = {2, 1};
    World world = make_world(style, settings);
    while (world.time() < 8) world.step();
    double sag = 0;
    for (const Vec3d& p : positions(world)) sag = std::max(sag, -p.y);
    EXPECT_NEAR(sag, 0.265438, 0.005 * 0.265438);
}

// All constraints push equally on both sides, so a thrown rope keeps its momentum.
TEST(Pbd, FreeRopeKeepsItsMomentum)
{
    for (const SolverType type : {SolverType::kPbd, SolverType::kXpbd}) {
        WorldSettings settings = with_pbd(type, 10);
        settings.gravity = {0, 0, 0};
        settings.solver.pbd.bend_stiffness = settings.solver.pbd.angle_stiffness =
            type == SolverType::kPbd ? 0.5f : 1e4f;
        settings.solver.pbd.bend_distance = 0.7f;
        settings.solver.pbd.angle = 0.5f;
        RopeStyle style = paper_rope();
        style.ends = Ends::kFree;
        World world = make_world(style, settings);
        const auto middle = [&] {
            Vec3d sum{0, 0, 0};
            for (const Vec3d& p : positions(world)) sum += p;
            return sum * (1.0 / 30);
        };
        const Vec3d before = middle();
        for (int i = 0; i < 200; ++i) world.step();
        EXPECT_GT(length(positions(world)[0] - positions(world)[29]), 0.01);
        EXPECT_LT(length(positions(world)[0] - positions(world)[29]), 0.55);  // it has curled
        EXPECT_LT(length(middle() - before), 1e-4);                           // rounding, a random walk of 200 steps
    }
}

double mean_angle(const World& world)
{
    const auto p = positions(world);
    double sum = 0;
    for (size_t i = 2; i < p.size(); ++i) {
        const Vec3d a = p[i - 1] - p[i - 2], b = p[i] - p[i - 1];
        sum += std::acos(std::clamp(dot(a, b) / (length(a) * length(b)), -1.0, 1.0));
    }
    return sum / static_cast<double>(p.size() - 2);
}

TEST(Pbd, BendingByAngleTurnsSegmentsToIt)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    WorldSettings settings = with_pbd(SolverType::kPbd, 50);
    settings.gravity = {0, -0.01, 0};  // gives the bend a direction
    settings.solver.pbd.angle = 0.3f;
    settings.solver.pbd.angle_stiffness = 0.9f;
    settings.solver.pbd.damping = 5;
    World world = make_world(paper_rope(), settings);
    for (int i = 0; i < 500; ++i) world.step();
    EXPECT_NEAR(mean_angle(world), 0.3, 0.02);
}

TEST(Pbd, BendingByDistanceStraightensOrCurls)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    double angle[2];
    for (const int curls : {0, 1}) {
        WorldSettings settings = with_pbd(SolverType::kPbd, 50);
        settings.solver.pbd.bend_stiffness = 0.9f;
        settings.solver.pbd.bend_offset = 3;
        settings.solver.pbd.bend_distance = curls ? 0.9f : 1.0f;
        settings.solver.pbd.damping = 5;
        World world = make_world(paper_rope(), settings);
        for (int i = 0; i < 500; ++i) world.step();
        angle[curls] = mean_angle(world);
    }
    EXPECT_LT(angle[0], 0.05);
    EXPECT_GT(angle[1], 0.2);
}

TEST(Pbd, MassesThatVaryMoveStrandsApart)
{
    RopeStyle style = paper_rope();
    style.strands = 2;
    const auto apart = [&](float variation) {
        WorldSettings settings = with_pbd(SolverType::kPbd, 5);
        settings.solver.pbd.mass_variation = variation;
        World world = make_world(style, settings);
        for (int i = 0; i < 60; ++i) world.step();
        const auto a = positions(world, 0), b = positions(world, 1);
        return length((a.back() - a.front()) - (b.back() - b.front()));
    };
    EXPECT_LT(apart(0), 1e-6);
    EXPECT_GT(apart(0.3f), 1e-3);
}

}  // namespace
}  // namespace tendril::test
