// The tractrix as printed in [Zappe20], against its formulas and where they fail.
#include "solvers/printed_tractrix.h"

#include "math/random.h"
#include "support/head.h"
#include "support/ropes.h"
#include "support/simd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril::test {
namespace {

using Strand = std::vector<Vec3d>;

/// Steps 7 to 9 in the plane of the move: a segment of length l behind its head at an angle from the direction of the
/// pull. Returns the tail relative to the old head, along the pull and beside it.
struct InPlane {
    double along, beside;
};
InPlane steps_7_to_9(double l, double angle, double far)
{
    const double y = l * std::sin(angle), p = std::min(100.0, l * std::acosh(l / y) + far);
    return {far - l * std::tanh(p / l), l / std::cosh(p / l)};
}

TEST(PrintedTractrix, IsTheFormulaForPulls)
{
    for (const double l : {0.02, 1.0, 250.0})  // the last one reaches the clamp of 100
        for (const double angle : {1e-3, 0.4, 1.2, 1.57})
            for (const double far : {1e-4, 0.3, 2.0}) {
                const Vec3d x{0, 0, 1}, y{0.6, 0.8, 0}, head{3, -2, 1};
                const Vec3d tail = head - x * (l * std::cos(angle)) + y * (l * std::sin(angle));
                const InPlane expected = steps_7_to_9(l, angle, far * l);
                const Vec3d now = printed_tail(head, tail, head + x * (far * l));
                EXPECT_LT(length(now - head - x * expected.along - y * expected.beside), 1e-11 * l)
                    << l << ' ' << angle << ' ' << far;
            }
}

// The handler of 4.1 takes the segment from the wrong end: the tail should be at -0.3.
TEST(PrintedTractrix, AStraightPullPutsTheTailInFrontOfItsHead)
{
    EXPECT_EQ(printed_tail({0, 0, 0}, {-1, 0, 0}, {0.7, 0, 0}), (Vec3d{1.7, 0, 0}));
    EXPECT_EQ(printed_tail({0, 0, 0}, {-1, 0, 0}, {0, 0, 0}), (Vec3d{1, 0, 0}));  // even if nothing moves
}

// The sign of 4.2 is that of a pull. A tail in front of its head, which is pushed by a millionth, goes behind it.
TEST(PrintedTractrix, APushedTailJumps)
{
    const Vec3d tail = printed_tail({0, 0, 0}, {0.6, 0.8, 0}, {1e-6, 0, 0});
    EXPECT_LT(length(tail - Vec3d{-0.6, 0.8, 0}), 1e-5);
}

TEST(PrintedTractrix, KeepsLengths)
{
    for (uint64_t i = 0; i < 2000; ++i) {
        const auto number = [&](uint64_t k) { return 2 * uniform(i, k) - 1; };
        const Vec3d head{number(0), number(1), number(2)}, tail{number(3), number(4), number(5)},
            to{number(6), number(7), number(8)};
        EXPECT_NEAR(length(printed_tail(head, tail, to) - to), length(tail - head), 1e-12);
    }
}

TEST(PrintedTractrix, IsFiniteForAnyInput)
{
    const double sizes[] = {0, 1e-320, 1e-170, 1e-30, 1, 1e10, 1e30};
    for (const double a : sizes)
        for (const double b : sizes)
            for (const double c : sizes)
                for (const Vec3d& tail : {Vec3d{a, b, 0}, Vec3d{-a, b, c}, Vec3d{0, 0, -a}})
                    EXPECT_TRUE(is_finite(printed_tail({0, 0, 0}, tail, {c, 0, b}))) << a << ' ' << b << ' ' << c;
}

Strand arc(size_t particles)
{
    Strand strand{{0, 0, 0}};
    for (size_t i = 1; i < particles; ++i) {
        const double angle = 0.2 * static_cast<double>(i);
        strand.push_back(strand.back() + Vec3d{0.1 * std::cos(angle), -0.1 * std::sin(angle), 0.02});
    }
    return strand;
}

/// Algorithm 2, with lists of the moves instead of a running position.
Strand algorithm_2(const Strand& strand, size_t first, int by, const Vec3d& desired)
{
    Strand now = strand;
    now[first] = desired;
    const auto next = [by](size_t i) { return static_cast<size_t>(static_cast<int>(i) + by); };
    for (size_t i = first; next(i) < strand.size(); i = next(i))
        now[next(i)] = printed_tail(strand[i], strand[next(i)], now[i]);
    return now;
}

TEST(PrintedTractrix, Algorithm2MovesTailAfterTail)
{
    const Vec3d desired{0.05, 0.03, -0.01};
    Strand down = arc(8), up = down;
    printed_drag(down, 0, 7, desired);
    printed_drag(up, 7, 0, desired);
    EXPECT_EQ(down, algorithm_2(arc(8), 0, 1, desired));
    EXPECT_EQ(up, algorithm_2(arc(8), 7, -1, desired));
}

TEST(PrintedTractrix, Algorithm3LetsEveryParticleLeadOnceAndTheRootLast)
{
    const int order[] = {2, 0, 3, 1};
    Strand strand = arc(4), desired = strand;
    for (Vec3d& p : desired) p += Vec3d{0.01, -0.02, 0.005};
    printed_emulation(strand, desired, order, true);
    Strand expected = arc(4);
    for (const int i : {2, 0, 3, 1, 0}) {
        const auto at = static_cast<size_t>(i);
        const Strand ahead = algorithm_2(expected, at, 1, desired[at]),
                     back = algorithm_2(expected, at, -1, desired[at]);
        for (size_t k = 0; k < 4; ++k) expected[k] = k < at ? back[k] : ahead[k];
    }
    EXPECT_EQ(strand, expected);
    EXPECT_EQ(strand[0], desired[0]);
}

// The example of section 3.0.2: a strand that hangs straight, with a velocity downwards. The back move is as long as
// the move, so nothing of the velocity is left. On the way, the handler of 4.1 turns the strand over twice.
TEST(PrintedTractrix, Algorithm4StopsAHangingTip)
{
    Strand strand;
    for (int i = 0; i < 6; ++i) strand.push_back({0, -0.125 * i, 0});
    const Strand hanging = strand;
    EXPECT_LT(length(printed_swing(strand, {0, -0.25, 0}, {0, 0, 0})), 1e-15);
    for (size_t i = 0; i < strand.size(); ++i) EXPECT_LT(length(strand[i] - hanging[i]), 1e-15) << i;
}

TEST(PrintedTractrix, Algorithm4ReducesTheSpeedByTheLengthOfTheBackMove)
{
    Strand strand = arc(8), forth = strand;
    const Vec3d drift{0.02, -0.01, 0.03};
    const Vec3d left = printed_swing(strand, drift, {0, 0, 0});
    printed_drag(forth, 7, 0, forth[7] + drift);
    const double back = length(strand[7] - forth[7]);
    EXPECT_GT(back, 0);
    EXPECT_NEAR(length(left), length(drift) - back, 1e-15);
    EXPECT_LT(length(cross(left, drift)), 1e-18);
}

TEST(PrintedTractrix, TheMixRotatesByAShareOfTheAngle)
{
    const Vec3d edge{0.5, 0, 0}, wanted{std::cos(2.0), std::sin(2.0), 0};
    for (const double share : {0.0, 0.25, 1.0})
        EXPECT_LT(
            length(rotated_towards(edge, wanted, share) - Vec3d{std::cos(2 * share), std::sin(2 * share), 0} * 0.5),
            1e-15);
    EXPECT_LT(length(rotated_towards(edge, {-1, 0, 0}, 1) - Vec3d{-0.5, 0, 0}), 1e-15);
    EXPECT_NEAR(length(rotated_towards(edge, {-1, 0, 0}, 0.5)), 0.5, 1e-15);
    EXPECT_EQ(rotated_towards(edge, {0, 0, 0}, 0.5), edge);
}

WorldSettings printed(SolverType type)
{
    WorldSettings settings = paper_settings();
    settings.solver.type = type;
    settings.solver.form = Form::kPaper;
    return settings;
}

constexpr SolverType kPrintedTypes[] = {SolverType::kTractrix, SolverType::kTractrixEmulation,
                                        SolverType::kTractrixSplit};

void swing_sideways(double t, std::span<Pose> bones)
{
    bones[0].position = {0.3 * t, 0.05 * std::sin(5 * t), 0};
}

// The solver does to a rope what Algorithm 2 does to a list of points.
TEST(PrintedTractrix, TheSolverRunsAlgorithm2)
{
    RopeStyle style = paper_rope();
    style.direction = {0, -1, 0};
    World world = make_world(style, printed(SolverType::kTractrix), swing_sideways);
    Strand strand = positions(world);
    for (int k = 1; k <= 60; ++k) {
        world.step();
        Pose hand[1] = {};
        swing_sideways(0.01 * k, hand);
        printed_drag(strand, 0, strand.size() - 1, hand[0].position);
    }
    const Strand now = positions(world);
    for (size_t i = 0; i < now.size(); ++i) EXPECT_LT(length(now[i] - strand[i]), 2e-6) << i;
    EXPECT_LT(world.measure().stretch_max, 1e-6);
}

// Algorithm 3 for one segment that falls from level: the tip leads the root down, and the root leads it back, both by
// formula. The velocity is that of the displacement.
TEST(PrintedTractrix, TheSolverRunsAlgorithm3)
{
    RopeStyle style;
    style.particles = 2;
    style.length = 0.1f;
    WorldSettings settings = printed(SolverType::kTractrixEmulation);
    World world = make_world(style, settings);
    Strand strand = positions(world), desired = strand;
    Vec3d velocity{0, 0, 0};
    const int orders[2][2] = {{0, 1}, {1, 0}};
    Strand reached[2];
    for (int first = 0; first < 2; ++first) {  // the order of the first step is one of the two
        Strand one = strand;
        desired[1] = strand[1] + (velocity + Vec3d{0, -10, 0} * 0.01) * 0.01;
        printed_emulation(one, desired, orders[first], true);
        reached[first] = one;
    }
    world.step();
    const Vec3d tip = positions(world)[1];
    EXPECT_LT(std::min(length(tip - reached[0][1]), length(tip - reached[1][1])), 1e-8);
}

TEST(PrintedTractrix, SameBitsForAnyInstructionSetAndFinite)
{
    for (const SolverType type : kPrintedTypes) {
        const auto hash = [&] {
            WorldSettings settings = windy();
            settings.solver.type = type;
            settings.solver.form = Form::kPaper;
            settings.shape.local = 200;
            settings.shape.global = 5;
            World world = make_head(settings, 20, make_serial_executor(), shake_head, 8);
            for (int i = 0; i < 20; ++i) {
                world.step();
                EXPECT_EQ(world.measure().nonfinite, 0u);
            }
            return world.state_hash();
        };
        const uint64_t native = hash();
        for (const int64_t target : instruction_sets()) {
            UseInstructionSet use(target);
            EXPECT_EQ(hash(), native) << static_cast<int>(type) << ' ' << target;
        }
    }
}

TEST(PrintedTractrix, HeldParticlesAreAtTheirHoldsAndFiniteOutOfReach)
{
    for (const SolverType type : kPrintedTypes) {
        World world = make_world(paper_rope(), printed(type), swing_sideways);
        ASSERT_TRUE(world.hold({kRope, 0, 20}, BodyId{0}, 0, {50, 0.1, 0}));
        for (int i = 0; i < 20; ++i) {
            EXPECT_LT(world.step().worst_gap, 1e-4);
            ASSERT_EQ(world.measure().nonfinite, 0u);
        }
    }
}

}  // namespace
}  // namespace tendril::test
