// Ropes on colliders: free, between two hands, and held strands.
#include "solvers/contact/contact.h"
#include "support/ropes.h"
#include "support/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tendril::test {
namespace {

constexpr double kFallRate = 9.81;

/// A free rope along x on a plane that slopes down towards +x by an angle.
struct Incline {
    double angle;
    float friction;
    float width = 0.01f;
};

World make(const Incline& c, SolverType type, int substeps = 8)
{
    WorldSettings settings;
    settings.solver.type = type;
    settings.substeps = substeps;
    settings.contact = {.friction = c.friction, .static_friction = c.friction, .margin = 0};
    World world(settings, make_serial_executor());
    const BodyId ground = world.add_body({.name = "ground"});
    const Quat turn = rotation_about({0, 0, 1}, -c.angle);
    RopeStyle style;
    style.particles = 31;
    style.length = 0.5f;
    style.width = c.width;
    style.direction = to_float(rotate(turn, {1, 0, 0}));
    style.ends = Ends::kFree;
    auto data = *make_ropes(style);
    for (Vec3f& p : data.points) p = p + to_float(rotate(turn, {0, static_cast<double>(c.width) / 2, 0}));
    EXPECT_TRUE(world.add_groom(std::move(*make_groom(std::move(data))), {.body = ground}));
    EXPECT_TRUE(world.add_collider({.body = ground, .kind = ColliderKind::kPlane, .turn = turn}));
    return world;
}

/// Distance of the middle of the rope down the slope.
double slid(const World& world, const Incline& c)
{
    return dot(positions(world)[15], rotate(rotation_about({0, 0, 1}, -c.angle), {1, 0, 0}));
}

class RopeOnAnIncline : public testing::TestWithParam<SolverType> {};

TEST_P(RopeOnAnIncline, SticksOrSlidesAsCoulombSays)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const float friction : {0.2f, 0.5f, 1.0f}) {
        for (const double share : {0.5, 0.9, 0.98}) {
            const Incline below{std::atan(share * static_cast<double>(friction)), friction};
            World world = make(below, GetParam());
            const double start = slid(world, below);
            for (int i = 0; i < 120; ++i) world.step();
            EXPECT_NEAR(slid(world, below), start, 1e-5) << friction << " " << share;
        }
        for (const double more : {1.1, 1.5, 3.0}) {
            const Incline above{std::atan(more * static_cast<double>(friction)), friction};
            World world = make(above, GetParam());
            const double start = slid(world, above);
            for (int i = 0; i < 60; ++i) world.step();
            const double slope =
                kFallRate * (std::sin(above.angle) - static_cast<double>(friction) * std::cos(above.angle));
            EXPECT_NEAR(slid(world, above) - start, slope / 2, 0.05 * slope / 2) << friction << " " << more;
            EXPECT_LT(world.measure().penetration_max, 1e-5);
            EXPECT_LT(world.measure().stretch_max, 1e-6);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Exact, RopeOnAnIncline, testing::Values(SolverType::kDftl, SolverType::kDirect),
                         [](const auto& type) { return std::string(kSolverNames[static_cast<size_t>(type.param)]); });

// A free rope falls onto the floor and comes to rest.
TEST(RopeContact, FallenRopeRests)
{
    for (const double tilt : {0.0, 0.4, 1.2}) {
        WorldSettings settings;
        settings.substeps = 8;
        settings.air = {3, 3};
        RopeStyle style;
        style.particles = 24;
        style.length = 0.4f;
        style.direction = to_float(rotate(rotation_about({0, 0, 1}, tilt), {1, 0, 0}));
        style.ends = Ends::kFree;
        World world = make_world(style, settings);
        EXPECT_TRUE(world.add_collider({.a = {0, -0.2, 0}, .kind = ColliderKind::kPlane}));
        double deepest = 0, stretch = 0, fastest = 0;
        for (int i = 0; i < 480; ++i) {
            world.step();
            const Metrics m = world.measure();
            deepest = std::max(deepest, m.penetration_max);
            stretch = std::max(stretch, m.stretch_max);
            if (i >= 300) fastest = std::max(fastest, m.fastest);
        }
        EXPECT_LT(deepest, 1e-4) << tilt;
        EXPECT_LT(stretch, 1e-6) << tilt;
        EXPECT_LT(fastest, 1e-3) << tilt;
        // Floor, margin and half of the width.
        for (const Vec3d& p : positions(world)) EXPECT_NEAR(p.y, -0.2 + 0.001 + 0.003, 2e-3) << tilt;
    }
}

// A bar catches a free rope by its middle. (Only tension would keep it there, and follow-the-leader has none: it slips
// off eventually.)
TEST(RopeContact, BarCatchesARope)
{
    WorldSettings settings;
    settings.substeps = 8;
    settings.air = {3, 3};
    RopeStyle style;
    style.particles = 41;
    style.length = 0.6f;
    style.ends = Ends::kFree;
    World world = make_world(style, settings);
    EXPECT_TRUE(
        world.add_collider({.a = {0.3, -0.07, -1}, .b = {0.3, -0.07, 1}, .radius_a = 0.05f, .radius_b = 0.05f}));
    while (world.time() < 0.35) {
        world.step();
        EXPECT_LT(world.measure().penetration_max, 1e-5);
        EXPECT_LT(world.measure().stretch_max, 1e-6);
    }
    const auto p = positions(world);
    EXPECT_LT(p.front().y, -0.2);
    EXPECT_LT(p.back().y, -0.2);
    EXPECT_NEAR(p[20].y, -0.02 + 0.001 + 0.003, 0.001);
}

// A ball rises under a rope between two hands and lifts its middle.
TEST(RopeContact, BallLiftsAHeldRope)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    WorldSettings settings;
    settings.substeps = 8;
    settings.air = {3, 3};
    RopeStyle style;
    style.particles = 33;
    style.length = 0.6f;
    style.span = 0.4f;
    style.direction = {1, 0, 0};
    style.ends = Ends::kBothHeld;
    World world = make_world(style, settings);
    const auto ends = positions(world);
    const Vec3d middle = (ends.front() + ends.back()) * 0.5 + Vec3d{0, -0.28, 0};
    const BodyId ball = world.add_body({.name = "ball", .function = [middle](double t, std::span<Pose> bones) {
                                            bones[0].position = middle - Vec3d{0, std::max(0.0, 0.2 - 0.2 * t), 0};
                                        }});
    EXPECT_TRUE(world.add_collider({.body = ball, .radius_a = 0.08f, .radius_b = 0.08f}));
    double deepest = 0, stretch = 0;
    for (int i = 0; i < 400; ++i) {
        world.step();
        deepest = std::max(deepest, world.measure().penetration_max);
        stretch = std::max(stretch, world.measure().stretch_max);
    }
    EXPECT_LT(deepest, 2e-4);
    EXPECT_LT(stretch, 1e-5);
    EXPECT_NEAR(length(positions(world)[16] - middle), 0.08 + 0.004, 0.002);
}

}  // namespace
}  // namespace tendril::test
