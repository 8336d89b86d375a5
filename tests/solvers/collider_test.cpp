// Strands against every kind of collider: sharp edges, thick strands, fast bodies.
#include "solvers/contact/contact.h"
#include "support/ropes.h"
#include "support/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril::test {
namespace {

/// Strands side by side along z, held at their roots, and one collider.
struct Curtain {
    Vec3d root{0, 0, 0};
    Vec3f direction{0, -1, 0};
    float length = 0.4f, spacing = 0.01f, width = 0;
    uint32_t particles = 41, strands = 1;
    Collider collider;
    PoseFunction motion = {};
    WorldSettings world = {};
};

World make(const Curtain& c)
{
    World world(c.world, make_serial_executor());
    const BodyId hand = world.add_body(
        {.name = "hand", .function = [root = c.root](double, std::span<Pose> bones) { bones[0].position = root; }});
    Collider collider = c.collider;
    collider.body = world.add_body({.name = "thing", .function = c.motion});
    RopeStyle style;
    style.strands = c.strands;
    style.spacing = c.spacing;
    style.particles = c.particles;
    style.length = c.length;
    style.direction = c.direction;
    style.width = c.width;
    EXPECT_TRUE(world.add_groom(std::move(*make_groom(*make_ropes(style))), {.body = hand}));
    EXPECT_TRUE(world.add_collider(collider));
    return world;
}

WorldSettings in_air()
{
    WorldSettings w;
    w.substeps = 8;
    w.air = {3, 3};
    w.contact.margin = 0;
    return w;
}

/// The largest penetration of a strand, including its segments, beyond the first segment [m].
double deepest_of(const World& world, const PosedCollider& collider, size_t strand)
{
    const auto p = positions(world, strand);
    double depth = -1;
    for (size_t i = 2; i < p.size(); ++i)
        for (int k = 0; k <= 50; ++k)
            depth = std::max(depth, collider.depth(p[i - 1] + (p[i] - p[i - 1]) * (k / 50.0)));
    return depth;
}

Collider box(const Vec3d& half, const Quat& turn = {}, float round = 0)
{
    return {.radius_a = round, .kind = ColliderKind::kBox, .turn = turn, .half = half};
}

// The penetration that the metrics use, against closed forms.
TEST(Colliders, DepthOfBoxPlaneAndTorus)
{
    const PosedCollider b(box({1, 2, 3}), {});
    EXPECT_NEAR(b.depth({0, 0, 0}), 1, 1e-12);
    EXPECT_NEAR(b.depth({1.5, 0, 0}), -0.5, 1e-12);
    EXPECT_NEAR(b.depth({4, 6, 3}), -5, 1e-12);
    EXPECT_NEAR(PosedCollider(box({1, 1, 1}, {}, 0.5f), {}).depth({1, 1, 0}), 0.5 - std::sqrt(0.5), 1e-7);
    const PosedCollider plane(
        {.a = {0, 1, 0}, .kind = ColliderKind::kPlane, .turn = rotation_about({0, 0, 1}, std::numbers::pi / 2)}, {});
    EXPECT_NEAR(plane.depth({0.3, 7, 7}), 0.3, 1e-12);
    const PosedCollider torus({.radius_a = 1, .radius_b = 0.25f, .kind = ColliderKind::kTorus}, {});
    EXPECT_NEAR(torus.depth({1, 0, 0}), 0.25, 1e-12);
    EXPECT_NEAR(torus.depth({0, 0.75, 0}), 0.25 - 1.25, 1e-12);
}

// A strand hangs over the sharp edge of a table, with segments of 2 and of 5 cm.
TEST(Colliders, SegmentsDoNotCutASharpEdge)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const uint32_t particles : {9u, 21u}) {
        for (const double turn : {0.0, 0.3, std::numbers::pi / 4}) {
            Curtain c;
            c.root = {-0.055, 0.16, 0};
            c.direction = {1, 0.4f, 0};
            c.particles = particles;
            c.collider = box({0.1, 0.1, 0.5}, rotation_about({0, 0, 1}, turn));
            c.world = in_air();
            c.world.contact.margin = 0.0002f;
            World world = make(c);
            double stretch = 0, depth = -1;
            for (int i = 0; i < 300; ++i) {
                world.step();
                stretch = std::max(stretch, world.measure().stretch_max);
                depth = std::max(depth, deepest_of(world, PosedCollider(c.collider, {}), 0));
            }
            EXPECT_LT(stretch, 1e-6);
            EXPECT_LT(depth, 1e-4) << particles << " particles, turned by " << turn;
            EXPECT_GT(depth, -0.001) << "nothing was touched";
            double lowest = 1;
            for (const Vec3d& p : positions(world)) lowest = std::min(lowest, p.y);
            EXPECT_LT(lowest, 0.09) << "it does not hang over the edge: " << particles << " " << turn;
        }
    }
}

TEST(Colliders, StrandRestsOnATorus)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    Curtain c;
    c.root = {0.1, 0.05, 0};
    c.direction = {1, 0.2f, 0};
    c.collider = {.radius_a = 0.1f, .radius_b = 0.03f, .kind = ColliderKind::kTorus};
    c.world = in_air();
    World world = make(c);
    for (int i = 0; i < 400; ++i) {
        world.step();
        ASSERT_LT(world.measure().penetration_max, 2e-5);
    }
    EXPECT_NEAR(positions(world).back().x, 0.13, 0.002);
    EXPECT_LT(world.measure().fastest, 1e-3);
}

// A thick strand on a floor lies with its centre line at the height of its radius.
TEST(Colliders, ThickStrandsLieHigher)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    Curtain c;
    c.root = {0, 0.1, 0};
    c.direction = {1, -0.2f, 0};
    c.width = 0.02f;
    c.collider = {.kind = ColliderKind::kPlane};
    c.world = in_air();
    World world = make(c);
    for (int i = 0; i < 300; ++i) world.step();
    const auto p = positions(world);
    for (size_t i = p.size() / 2; i < p.size(); ++i) EXPECT_NEAR(p[i].y, 0.01, 1e-4) << i;
}

// A tip falls onto a floor and bounces with the share of its speed that the settings ask for.
TEST(Colliders, RestitutionGivesSpeedBack)
{
    for (const float restitution : {0.0f, 0.5f, 1.0f}) {
        Curtain c;
        c.root = {0, 0.3, 0};
        c.direction = {1, 0, 0};
        c.particles = 2;
        c.length = 0.5f;
        c.collider = {.kind = ColliderKind::kPlane};
        c.world = in_air();
        c.world.dt = 0.002;
        c.world.substeps = 1;
        c.world.air = {};
        c.world.contact.restitution = restitution;
        World world = make(c);
        double before = 0, after = 0;
        for (int i = 0; i < 400 && after == 0; ++i) {
            const double y = positions(world)[1].y;
            world.step();
            const double speed = (positions(world)[1].y - y) / c.world.dt;
            if (y < 1e-5)
                after = std::max(speed, 1e-9);
            else if (positions(world)[1].y > 1e-5)
                before = -speed;
        }
        EXPECT_GT(before, 1.5);
        EXPECT_NEAR(after / before, static_cast<double>(restitution), 0.03) << restitution;
    }
}

/// A ball with a radius of 5 cm that flies along x into strands and stops 10 cm behind them.
Curtain shot(double phase, int strands, float friction)
{
    Curtain c;
    c.root = {0, 0.2, 0};
    c.spacing = 0.005f;
    c.strands = static_cast<uint32_t>(strands);
    c.particles = 61;
    c.length = 0.6f;
    c.collider = {.radius_a = 0.05f, .radius_b = 0.05f};
    c.motion = [phase](double t, std::span<Pose> bones) {
        constexpr double kTravelSpeed = 20, kFrom = -0.5, kTo = 0.1;
        bones[0].position = {std::min(kFrom + kTravelSpeed * std::max(0.0, t - 0.05 - phase), kTo), 0, 0};
    };
    c.world = in_air();
    c.world.contact.friction = friction;
    c.world.contact.static_friction = friction;
    return c;
}

/// The point where a strand crosses the height of the ball's centre.
Vec3d crossing(const World& world, size_t strand)
{
    const auto p = positions(world, strand);
    for (size_t i = 1; i < p.size(); ++i)
        if (p[i].y <= 0) return p[i - 1] + (p[i] - p[i - 1]) * (p[i - 1].y / (p[i - 1].y - p[i].y));
    return p.back();
}

// Strands are up to 4 cm beside the path of the ball, and friction holds them there (the slope of the surface is 4/3).
// When the ball stops, and for some time after, while the strands still fly on, all are in front of it.
TEST(Colliders, FastBallCatchesEveryStrandWhateverThePhase)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    constexpr int kStrands = 17;  // 5 mm apart
    for (int phase = 0; phase < 12; ++phase) {
        const double delay = phase / 12.0 / 60, stop = 0.08 + delay;
        World world = make(shot(delay, kStrands, 2));
        while (world.time() < 0.5) {
            world.step();
            const Metrics m = world.measure();
            ASSERT_LT(m.penetration_max, 1e-5) << "phase " << phase << " at " << world.time();
            ASSERT_LT(m.stretch_max, 1e-6);
            if (world.time() < stop || world.time() > stop + 0.04) continue;
            for (size_t s = 0; s < kStrands; ++s)
                EXPECT_GT(crossing(world, s).x, 0.1)
                    << "strand " << s << ", phase " << phase << " at " << world.time() << ", stopped at " << stop;
        }
    }
}

// The same with steps as short as the substeps, so that every one of them is checked.
TEST(Colliders, FastBallIsNeverEnteredInAnySubstep)
{
    constexpr int kStrands = 17;
    Curtain c = shot(0.0011, kStrands, 2);
    c.world.dt = 1.0 / 2400;
    c.world.substeps = 1;
    c.world.solver.dftl.velocity_correction = 1;  // less would add energy 2400 times a second
    World world = make(c);
    while (world.time() < 0.3) {
        EXPECT_EQ(world.step().substeps, 1);
        ASSERT_LT(world.measure().penetration_max, 1e-5) << world.time();
        if (world.time() < 0.0811 || world.time() > 0.12) continue;
        for (size_t s = 0; s < kStrands; ++s) EXPECT_GT(crossing(world, s).x, 0.1) << s << " at " << world.time();
    }
}

}  // namespace
}  // namespace tendril::test
