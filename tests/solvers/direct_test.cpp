// The direct method: all lengths of a strand at once.
#include "support/ropes.h"
#include "support/sanitized.h"
#include "support/strand_bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <vector>

namespace tendril::test {
namespace {

constexpr int kLinks = 20;

WorldSettings directly(double dt)
{
    WorldSettings settings;
    settings.dt = dt;
    settings.solver.type = SolverType::kDirect;
    return settings;
}

/// A chain of one metre that starts straight, at an angle from the vertical.
World released(double angle, const WorldSettings& settings, int links = kLinks)
{
    RopeStyle style;
    style.particles = links + 1;
    style.length = 1;
    style.direction = {static_cast<float>(std::sin(angle)), static_cast<float>(-std::cos(angle)), 0};
    return make_world(style, settings);
}

/// L_n(x), by its recurrence.
double laguerre(int n, double x)
{
    double last = 1, now = 1 - x;
    if (n == 0) return last;
    for (int k = 1; k < n; ++k) {
        const double next = ((2 * k + 1 - x) * now - k * last) / (k + 1);
        last = now, now = next;
    }
    return now;
}

/// A chain in one of its modes: with x = omega^2 l / g, the k-th particle from below swings with the amplitude L_k(x).
World in_mode(double omega, const WorldSettings& settings)
{
    const double x = omega * omega / kLinks;
    GroomData data;
    data.first_point = {0, kLinks + 1};
    for (int i = 0; i <= kLinks; ++i)
        data.points.push_back({static_cast<float>(1e-3 * laguerre(kLinks - i, x)), -static_cast<float>(i) / kLinks, 0});
    World world(settings, make_serial_executor());
    const BodyId body = world.add_body({.name = "hand"});
    EXPECT_TRUE(world.add_groom(std::move(*make_groom(std::move(data))), {.body = body}));
    return world;
}

// The exact frequencies, in units of sqrt(g/L), follow from the roots of L_20.
TEST(Direct, SmallSwingsHaveTheExactFrequencies)
{
    for (const double exact : {1.187770, 2.728101}) {
        WorldSettings settings = directly(1.0 / 240);
        World world = in_mode(exact, settings);
        const double omega = exact * std::sqrt(9.81);
        // Measures from one downward zero crossing to the tenth after it.
        double first = 0, last = 0, before = world.position({kRope, 0, kLinks}).x;
        int falls = 0;
        while (falls < 11) {
            world.step();
            const double x = world.position({kRope, 0, kLinks}).x;
            if (before > 0 && x <= 0) {
                last = world.time() - settings.dt * x / (x - before);
                if (falls++ == 0) first = last;
            }
            before = x;
            ASSERT_LT(world.time(), 60);
        }
        EXPECT_NEAR(20 * std::numbers::pi / (last - first), omega, 0.01 * omega);
    }
}

struct Kept {
    double least, most;  ///< energy over that at the start, relative to the hanging chain
    double stretch;
};

/// Velocities at a step are central differences of positions. With velocities half a step off, the kinetic energy of a
/// chain that is jerked would not belong to the same positions as its potential energy.
Kept energy_kept(double angle, double dt, double seconds, int links = kLinks, int substeps = 1)
{
    WorldSettings settings = directly(dt);
    settings.substeps = substeps;
    World world = released(angle, settings, links);
    const double g = 9.81;
    double lowest = 0;
    for (int i = 0; i <= links; ++i) lowest -= g * i / links;
    const auto potential = [&](const std::vector<Vec3d>& x) {
        double sum = -lowest;
        for (const Vec3d& p : x) sum += g * p.y;
        return sum;
    };
    std::vector<Vec3d> last = positions(world), now = last;
    const double start = potential(last);
    Kept kept{1e9, 0, 0};
    while (world.time() < seconds) {
        world.step();
        const std::vector<Vec3d> next = positions(world);
        if (world.steps() > 1) {
            double energy = potential(now);
            for (size_t i = 0; i < now.size(); ++i) {
                const Vec3d v = (next[i] - last[i]) * (0.5 / dt);
                energy += 0.5 * dot(v, v);
            }
            kept.least = std::min(kept.least, energy / start);
            kept.most = std::max(kept.most, energy / start);
        }
        kept.stretch = std::max(kept.stretch, world.measure().stretch_max);
        last = now;
        now = next;
    }
    return kept;
}

TEST(Direct, SwingsKeepTheirEnergy)
{
    for (const double degrees : {10.0, 30.0, 60.0}) {
        const Kept kept = energy_kept(degrees * std::numbers::pi / 180, 1.0 / 120, 10);
        EXPECT_GT(kept.least, 0.99) << degrees;
        EXPECT_LT(kept.most, 1.01) << degrees;
        EXPECT_LE(kept.stretch, 1e-4) << degrees;
    }
}

TEST(Direct, AWhipNeverGainsEnergy)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const double dt : {1.0 / 60, 1.0 / 120, 1.0 / 240}) {
        const Kept kept = energy_kept(std::numbers::pi / 2, dt, 10);
        EXPECT_LT(kept.most, 1.01) << dt << ' ' << kept.least;
        EXPECT_LE(kept.stretch, 1e-4) << dt;
        RecordProperty("dt_" + std::to_string(dt), std::to_string(kept.least) + " to " + std::to_string(kept.most));
    }
    const Kept fine = energy_kept(std::numbers::pi / 2, 1.0 / 960, 10);
    EXPECT_GT(fine.least, 0.95);
    EXPECT_LT(fine.most, 1.01);
}

// A step that is too coarse for its number of segments may lose energy, but never gains any.
TEST(Direct, ManySegmentsNeverGainEnergy)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const struct {
        int links;
        double dt, seconds;
        int substeps;
    } cases[] = {{99, 0.01, 3, 1}, {299, 0.01, 3, 1}, {299, 1.0 / 30, 3, 1}, {999, 0.01, 1.5, 1}, {999, 0.01, 0.6, 4}};
    for (const auto& c : cases) {
        const Kept kept = energy_kept(std::numbers::pi / 2, c.dt, c.seconds, c.links, c.substeps);
        EXPECT_LT(kept.most, 1.01) << c.links << " links, " << c.dt << " s, " << c.substeps << " substeps";
        EXPECT_LE(kept.stretch, 1e-4) << c.links;
    }
    // With finer steps it also keeps most of its energy.
    EXPECT_GT(energy_kept(std::numbers::pi / 2, 0.01, 1.5, 299, 16).least, 0.6);
}

// A dragged strand moves about as fast as the hand, not ten times as fast.
TEST(Direct, ManyDraggedSegmentsGainNoExtraSpeed)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    RopeStyle style;
    style.particles = 1000;
    style.length = 0.58f;
    style.direction = {0, -1, 0};
    const auto sway = [](double t, std::span<Pose> bones) { bones[0].position = {0.3 * std::sin(4 * t), 0, 0}; };
    World world = make_world(style, directly(0.01), sway);
    double fastest = 0;
    for (int i = 1; i <= 60; ++i) {
        world.step();
        fastest = std::max(fastest, world.measure().fastest);
    }
    EXPECT_LT(fastest, 6);  // the hand moves at 1.2 m/s
    EXPECT_LE(world.measure().stretch_max, 1e-4);
}

TEST(Direct, HeldAtBothEndsSettlesIntoTheCatenary)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const struct {
        float span;
        double sag;
    } cases[] = {{0.5f, 0.398194}, {0.8f, 0.265438}, {0.9f, 0.190709}};
    for (const auto& c : cases) {
        const RopeStyle style = hanging_rope(61, c.span);
        WorldSettings settings = directly(1.0 / 120);
        settings.air = {3, 3};
        World world = make_world(style, settings);
        while (world.time() < 10) world.step();
        double sag = 0;
        for (const Vec3d& p : positions(world)) sag = std::max(sag, -p.y);
        EXPECT_NEAR(sag, c.sag, 0.005 * c.sag) << c.span;
        EXPECT_LE(world.measure().stretch_max, 1e-4) << c.span;
    }
}

TEST(Direct, FreeFlightKeepsMomentumAndAngularMomentum)
{
    RopeStyle style;
    style.particles = kLinks + 1;
    style.length = 1;
    style.ends = Ends::kFree;
    SolverSettings settings;
    settings.type = SolverType::kDirect;
    StrandBench bench(std::move(*make_groom(*make_ropes(style))), make_solver(settings), 1.0 / 240, 1, {0, 0, 0});
    // It spins about its middle and flies, and a wave runs along it.
    const double h = 1.0 / 240;
    for (int i = 0; i <= kLinks; ++i) {
        const double s = static_cast<double>(i) / kLinks;
        const Vec3d v{1, 2 + 6 * (s - 0.5), 0.5 * std::sin(7 * s)};
        bench.strands.set_drift(0, i, to_float(v * h));
    }
    const auto momentum = [&] {
        Vec3d sum{0, 0, 0};
        for (int i = 0; i <= kLinks; ++i) sum += to_double(bench.strands.drift(0, i));
        return sum * (1 / h);
    };
    const auto angular = [&] {
        Vec3d sum{0, 0, 0}, x = bench.strands.root(0);
        for (int i = 0; i <= kLinks; ++i) {
            if (i > 0) x += to_double(bench.strands.edge(0, i));
            // Positions are those at the end of the step, velocities those at its middle.
            const Vec3d v = to_double(bench.strands.drift(0, i)) * (1 / h);
            sum += cross(x - v * (0.5 * h), v);
        }
        return sum;
    };
    bench.step();
    const Vec3d p = momentum(), l = angular();
    for (int i = 0; i < 480; ++i) bench.step();
    EXPECT_LT(length(momentum() - p), 1e-5 * length(p));
    EXPECT_LT(length(angular() - l), 5e-4 * length(l));
}

TEST(Direct, IsMirrorSymmetricAndMovesWithItsHolds)
{
    RopeStyle style;
    style.particles = 31;
    style.length = 0.6f;
    World world = make_world(style, directly(1.0 / 120));
    const auto hold = world.hold({kRope, 0, 30}, BodyId{0}, 0, {0.3, 0, 0});
    ASSERT_TRUE(hold);
    world.settings().air = {3, 3};
    while (world.time() < 8) world.step();
    const auto p = positions(world);
    EXPECT_LT(length(p.back() - Vec3d{0.3, 0, 0}), 1e-4);
    for (size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i].y, p[p.size() - 1 - i].y, 1e-3) << i;
    EXPECT_LE(world.measure().stretch_max, 1e-4);
}

// At rest, every segment carries the weight below it.
TEST(Direct, TensionIsTheWeightBelow)
{
    WorldSettings settings = directly(1.0 / 240);
    settings.solver.direct.keep_tensions = true;
    World world = released(0, settings);
    EXPECT_TRUE(world.tensions(kRope).empty());
    for (int i = 0; i < 20; ++i) world.step();
    const std::vector<float> tensions = world.tensions(kRope);
    ASSERT_EQ(tensions.size(), static_cast<size_t>(kLinks + 1));
    EXPECT_EQ(tensions[0], 0);
    for (int i = 1; i <= kLinks; ++i) {
        const double below = 0.01 * 9.81 * (kLinks + 1 - i);
        EXPECT_NEAR(static_cast<double>(tensions[static_cast<size_t>(i)]), below, 1e-3 * below) << i;
    }
    world.settings().solver.direct.keep_tensions = false;
    world.step();
    EXPECT_TRUE(world.tensions(kRope).empty());
}

/// The distance that a rope over a thin cylinder slides down on its longer side in 0.3 s. It hangs by `shorter` on one
/// side and by `longer` on the other.
double slide_over_cylinder(float friction, double shorter, double longer)
{
    constexpr double kPostRadius = 0.01, kSegment = 0.005;
    WorldSettings settings;
    settings.dt = 1.0 / 60;
    settings.substeps = 16;
    settings.solver.type = SolverType::kDirect;
    settings.contact = {.friction = friction, .static_friction = friction, .ease = 0, .margin = 0};
    World world(settings, make_serial_executor());
    const BodyId post = world.add_body({.name = "post"});
    const double around = std::numbers::pi * kPostRadius, length = shorter + around + longer;
    GroomData data;
    const int segments = static_cast<int>(length / kSegment);
    for (int i = 0; i <= segments; ++i) {
        const double s = length * i / segments - shorter, angle = std::clamp(s, 0.0, around) / kPostRadius;
        const double below = s < 0 ? -s : std::max(0.0, s - around);
        data.points.push_back(
            to_float(Vec3d{-kPostRadius * std::cos(angle), kPostRadius * std::sin(angle) - below, 0}));
    }
    data.first_point = {0, static_cast<uint32_t>(data.points.size())};
    data.ends = {Ends::kFree};
    EXPECT_TRUE(world.add_groom(std::move(*make_groom(std::move(data))), {.body = post}));
    EXPECT_TRUE(world.add_collider({.body = post,
                                    .a = {0, 0, -1},
                                    .b = {0, 0, 1},
                                    .radius_a = static_cast<float>(kPostRadius),
                                    .radius_b = static_cast<float>(kPostRadius)}));
    const double start = positions(world).front().y;
    for (int i = 0; i < 18; ++i) world.step();
    EXPECT_LT(world.measure().stretch_max, 1e-4);
    return positions(world).front().y - start;
}

// Friction holds a rope over a post while its longer side weighs at most exp(mu pi) times as much as the other.
TEST(Direct, HoldsOnACylinderByTheCapstanRule)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const float friction : {0.1f, 0.2f, 0.3f, 0.5f}) {
        const double capstan = std::exp(static_cast<double>(friction) * std::numbers::pi);
        EXPECT_NEAR(slide_over_cylinder(friction, 0.3, 0.9 * capstan * 0.3), 0, 2e-4) << friction;
        EXPECT_GT(slide_over_cylinder(friction, 0.3, 1.1 * capstan * 0.3), 0.004) << friction;
    }
}

}  // namespace
}  // namespace tendril::test
