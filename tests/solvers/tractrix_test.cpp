// The tractrix, and the methods based on it. [Zappe20]
#include "solvers/tractrix-inl.h"
#include "support/head.h"
#include "support/ropes.h"
#include "support/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace tendril::test {
namespace {

namespace simd = HWY_NAMESPACE;

/// Kernels use their own vector type.
using Vector = simd::Vec3<float>;
Vector as_kernel(const Vec3d& v)
{
    const Vec3f f = to_float(v);
    return {f.x, f.y, f.z};
}
Vec3d as_double(const Vector& v)
{
    return to_double(Vec3f{v.x, v.y, v.z});
}

Vec3d dragged(const Vec3d& e, const Vec3d& s, double l)
{
    return as_double(simd::dragged(as_kernel(e), as_kernel(s), static_cast<float>(l)));
}

/// As printed: with y the distance of the tail from the line of the pull, p = L arcsech(y/L) + |S|, and the tail is
/// then at |S| - L tanh(p/L) along the pull and L sech(p/L) beside it. Valid for tails behind the head.
Vec3d printed(const Vec3d& e, const Vec3d& s, double l)
{
    const double far = length(s);
    const Vec3d x = s * (1 / far), across = e - x * dot(e, x);
    const double y = length(across), p = l * std::acosh(l / y) + far;
    return x * (-l * std::tanh(p / l)) + across * (l / y / std::cosh(p / l));
}

Vec3d segment(double angle, double turn, double l)
{
    return Vec3d{-std::cos(angle), std::sin(angle) * std::cos(turn), std::sin(angle) * std::sin(turn)} * l;
}

TEST(Tractrix, AgreesWithTheFormInPrintForPulls)
{
    double worst = 0;
    for (const double l : {0.01, 1.0, 30.0})
        for (const double angle : {0.01, 0.3, 0.8, 1.2, 1.55})
            for (const double far : {1e-3, 0.1, 1.0, 5.0, 20.0}) {
                const Vec3d e = segment(angle, 0.7, l), s{far * l, 0, 0};
                worst = std::max(worst, length(dragged(e, s, l) - printed(e, s, l)) / l);
            }
    EXPECT_LT(worst, 1e-5);
    RecordProperty("worst", std::to_string(worst));
}

// The tail moves only along the segment. This defines the curve: it is the limit of many small steps.
TEST(Tractrix, PullsAndPushesAreTheLimitOfSmallSteps)
{
    for (const double angle : {0.2, 1.5, 1.65, 2.5, 3.1})
        for (const double far : {0.1, 1.0, 3.0}) {
            const Vec3d e = segment(angle, 2, 1), s{far, 0, 0};
            Vec3d now = e;
            const int steps = 200000;
            for (int i = 0; i < steps; ++i) {
                const Vec3d step = s * (1.0 / steps), tail = now * dot(step, now);
                now = now + tail - step;
                now = now * (1 / length(now));
            }
            EXPECT_LT(length(dragged(e, s, 1) - now), 2e-5 * std::exp(far)) << angle << ' ' << far;
        }
}

TEST(Tractrix, HasItsLengthWhateverHappens)
{
    double worst = 0;
    for (int i = 0; i <= 200; ++i)
        for (const double far : {0.0, 1e-30, 1e-12, 1e-6, 0.01, 1.0, 50.0, 1e6}) {
            const double angle = std::numbers::pi * i / 200;
            const Vec3d f = dragged(segment(angle, 1, 0.02), {far, 0, 0}, 0.02);
            worst = std::max(worst, std::abs(length(f) / 0.02 - 1));
            if (far == 0) {
                EXPECT_LT(length(f - segment(angle, 1, 0.02)), 1e-8);
            }
        }
    EXPECT_LT(worst, 1e-6);
    // Pushed exactly against its tail, a segment keeps its direction.
    EXPECT_LT(length(dragged({1, 0, 0}, {5, 0, 0}, 1) - Vec3d{1, 0, 0}), 1e-6);
    EXPECT_LT(length(dragged({-1, 0, 0}, {1e6, 0, 0}, 1) - Vec3d{-1, 0, 0}), 1e-6);
}

struct Chain {
    std::vector<Vector> points;
    Vector at(int i) const { return points[static_cast<size_t>(i)]; }
    void set_position(int i, const Vector& p) { points[static_cast<size_t>(i)] = p; }
    float rest_length(int) const { return 0.02f; }
    Vec3d position(size_t i) const { return as_double(points[i]); }
};

/// A coil.
Chain make_chain(int particles)
{
    Chain chain;
    Vec3d position{0, 0, 0};
    for (int i = 0; i < particles; ++i) {
        chain.points.push_back(as_kernel(position));
        position += segment(0.3 + 0.1 * i, 0.5 * i, 0.02);
    }
    return chain;
}

TEST(Tractrix, MotionDiesOutAlongAStrand)
{
    constexpr int kParticles = 40;
    for (const Vec3d& step : {Vec3d{0.03, 0, 0}, Vec3d{0, -0.004, 0.01}, Vec3d{-0.2, 0.1, 0}, Vec3d{3, 0, 1}}) {
        const Chain before = make_chain(kParticles);
        Chain chain = before;
        chain.set_position(0, as_kernel(step));
        simd::drag_after(chain, 0, before.at(0), kParticles - 1, [](int, const Vector& position) { return position; });
        double last = length(step);
        for (size_t i = 1; i < kParticles; ++i) {
            const double moved = length(chain.position(i) - before.position(i));
            EXPECT_LE(moved, last + 1e-6) << i;
            EXPECT_NEAR(length(chain.position(i) - chain.position(i - 1)), 0.02, 1e-6) << i;
            last = moved;
        }
    }
}

WorldSettings with(SolverType type)
{
    WorldSettings settings = paper_settings();
    settings.solver.type = type;
    return settings;
}

/// A hand that drags the rope back and forth.
void sway(double t, std::span<Pose> bones)
{
    bones[0].position = {0.3 * std::sin(6 * t), 0, 0.1 * std::sin(9 * t)};
}

TEST(Tractrix, NoParticleOfADraggedRopeMovesFartherThanItsRoot)
{
    World world = make_world(paper_rope(), with(SolverType::kTractrix), sway);
    std::vector<Vec3d> before = positions(world);
    double most = 0;
    for (int i = 0; i < 300; ++i) {
        world.step();
        const std::vector<Vec3d> now = positions(world);
        double last = length(now[0] - before[0]);
        for (size_t j = 1; j < now.size(); ++j) {
            const double moved = length(now[j] - before[j]);
            most = std::max(most, moved - last);
            last = moved;
        }
        before = now;
    }
    EXPECT_LT(most, 1e-6);  // rounding
}

TEST(Tractrix, LengthsHold)
{
    for (const SolverType type : {SolverType::kTractrix, SolverType::kTractrixEmulation, SolverType::kTractrixSplit,
                                  SolverType::kTractrixFtl}) {
        World world = make_world(paper_rope(), with(type), sway);
        double worst = 0;
        for (int i = 0; i < (kSanitized ? 20 : 300); ++i) {
            world.step();
            worst = std::max(worst, world.measure().stretch_max);
        }
        EXPECT_LT(worst, 1e-6) << kSolverNames[static_cast<size_t>(type)];
    }
}

TEST(Tractrix, HoldsWithinReachAreReached)
{
    for (const SolverType type : {SolverType::kTractrix, SolverType::kTractrixEmulation, SolverType::kTractrixSplit,
                                  SolverType::kTractrixFtl}) {
        RopeStyle style = paper_rope();
        style.span = 0.4f;
        style.ends = Ends::kBothHeld;
        World world = make_world(style, with(type), sway);
        double worst = 0;
        for (int i = 0; i < (kSanitized ? 20 : 200); ++i)
            worst = std::max(worst, static_cast<double>(world.step().worst_gap));
        EXPECT_LT(worst, 1e-3) << kSolverNames[static_cast<size_t>(type)];
        EXPECT_LT(world.measure().stretch_max, 1e-4) << kSolverNames[static_cast<size_t>(type)];
    }
}

using Motion = std::vector<std::vector<Vec3d>>;

/// The rope of [Mueller12] section 4 falls, released from a horizontal pose.
struct TractrixFall {
    Motion positions;  ///< by step
    double gained;     ///< largest energy above that at the start, in units of the energy of the drop
};
TractrixFall fall(SolverType type, int substeps, int steps)
{
    WorldSettings settings = with(type);
    settings.substeps = substeps;
    settings.solver.dftl.velocity_correction = 1;
    World world = make_world(paper_rope(), settings);
    const double start = world.measure().energy();
    TractrixFall fall{{}, 0};
    for (int i = 0; i < steps; ++i) {
        world.step();
        fall.positions.push_back(positions(world));
        fall.gained = std::max(fall.gained, (world.measure().energy() - start) / drop_energy(paper_rope(), 0.01, 10));
    }
    return fall;
}

/// Root mean square distance of corresponding particles over the first half second [m].
double apart(const Motion& a, const Motion& b)
{
    double sum = 0;
    for (size_t i = 0; i < 50; ++i)
        for (size_t j = 0; j < a[i].size(); ++j) sum += dot(a[i][j] - b[i][j], a[i][j] - b[i][j]);
    return std::sqrt(sum / (50.0 * static_cast<double>(a[0].size())));
}

/// Amplitude of the tip after four seconds [m].
double swing_left(const Motion& film)
{
    double most = 0;
    for (size_t i = 400; i < film.size(); ++i) most = std::max(most, std::abs(film[i].back().x));
    return most;
}

// The open question of [Zappe20]: as the projection of follow-the-leader, the tractrix is closer to the reference and
// damps less than the plain one with the same substeps.
TEST(Tractrix, FollowTheLeaderIsNearerToTheReferenceAndDampsLess)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const Motion reference = fall(SolverType::kDirect, 64, 50).positions;
    for (const int substeps : {4, 8}) {
        const TractrixFall plain = fall(SolverType::kDftl, substeps, 600);
        const TractrixFall tractrix = fall(SolverType::kTractrixFtl, substeps, 600);
        EXPECT_LT(apart(tractrix.positions, reference), 0.4 * apart(plain.positions, reference)) << substeps;
        EXPECT_GT(swing_left(tractrix.positions), 1.3 * swing_left(plain.positions)) << substeps;
        EXPECT_LT(tractrix.gained, 0.01) << substeps;
    }
    // With one step of 0.01 s it gains some energy, where the plain one hardly gains any.
    EXPECT_LT(fall(SolverType::kTractrixFtl, 1, 600).gained, 0.05);
    EXPECT_LT(fall(SolverType::kDftl, 1, 600).gained, 0.015);
}

TEST(Tractrix, EmulatedRopeComesToRestHanging)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    WorldSettings settings = with(SolverType::kTractrixEmulation);
    settings.dt = 1.0 / 60;
    World world = make_world(paper_rope(), settings);
    while (world.time() < 12) world.step();
    EXPECT_LT(world.measure().fastest, 1e-3);
    EXPECT_NEAR(positions(world).back().y, -0.58, 1e-3);
}

// Dragging alone would only move a straight strand along itself: it must buckle.
TEST(Tractrix, AStrandPushedAlongItselfBuckles)
{
    for (const SolverType type : {SolverType::kTractrix, SolverType::kTractrixSplit, SolverType::kTractrixEmulation,
                                  SolverType::kTractrixFtl, SolverType::kDirect})
        for (const double at : {0.57, 0.4, 0.05}) {
            World world = make_world(paper_rope(), with(type));
            ASSERT_TRUE(world.hold({kRope, 0, 29}, BodyId{0}, 0, {at, 0, 0}));
            double worst = 0;
            for (int i = 0; i < 20; ++i) {
                world.step();
                worst = std::max(worst, length(positions(world).back() - Vec3d{at, 0, 0}));
            }
            EXPECT_LT(worst, 1e-5) << static_cast<int>(type) << ' ' << at;
            EXPECT_LE(world.measure().stretch_max, 1e-4) << static_cast<int>(type) << ' ' << at;
            EXPECT_LT(world.measure().fastest, 5) << static_cast<int>(type) << ' ' << at;
        }
}

TEST(Tractrix, TheOrderDependsOnTheSeed)
{
    const auto tip_after = [](uint64_t seed) {
        WorldSettings settings = with(SolverType::kTractrixEmulation);
        settings.solver.tractrix.seed = seed;
        World world = make_world(paper_rope(), settings, sway);
        for (int i = 0; i < 20; ++i) world.step();
        return positions(world).back();
    };
    EXPECT_EQ(tip_after(1), tip_after(1));
    EXPECT_GT(length(tip_after(1) - tip_after(2)), 1e-5);
}

/// Mean distance of tips from where the head carries them in the rest pose, after a second [m].
double away_from_groom(float style)
{
    WorldSettings settings;
    settings.solver.type = SolverType::kTractrixSplit;
    settings.solver.tractrix.style = style;
    World world = make_head(settings, 40, make_serial_executor());
    for (int i = 0; i < 60; ++i) world.step();
    Pose head[1] = {};
    shake_head(world.time(), head);
    double sum = 0;
    for (size_t s = 0; s < 40; ++s) {
        const auto rest = world.groom({0}).points(s);
        sum += length(world.position({{0}, s, rest.size() - 1}) - transform_point(head[0], to_double(rest.back())));
    }
    return sum / 40;
}

TEST(Tractrix, StyleGoesFromHangingHairToAHelmet)
{
    const double none = away_from_groom(0), half = away_from_groom(0.5f), all = away_from_groom(1);
    EXPECT_GT(none, 1.3 * half);
    EXPECT_GT(half, 0.005);
    EXPECT_LT(all, 1e-5);
}

TEST(Tractrix, ASecondStrandIsNotLeftBehindByAnotherMethod)
{
    WorldSettings settings;
    settings.solver.type = SolverType::kTractrixSplit;
    World world = make_head(settings, 20, make_serial_executor());
    const size_t bytes = world.bytes();
    world.step();
    EXPECT_GT(world.bytes(), bytes);
    world.settings().solver.type = SolverType::kDftl;
    world.step();
    EXPECT_LE(world.bytes(), bytes);
}

}  // namespace
}  // namespace tendril::test
