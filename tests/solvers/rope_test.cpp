// Ropes that are free, held at both ends, or held anywhere. [Mueller12] Fig. 2.
#include "support/ropes.h"
#include "support/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tendril::test {
namespace {

WorldSettings settling()
{
    WorldSettings settings = paper_settings();
    settings.solver.dftl.velocity_correction = 1;
    settings.air = {2, 1};
    return settings;
}

double worst_stretch_while_settling(World& world, int steps)
{
    double worst = 0;
    for (int i = 0; i < steps; ++i) {
        world.step();
        worst = std::max(worst, world.measure().stretch_max);
    }
    return worst;
}

double asymmetry(const std::vector<Vec3d>& p)
{
    double worst = 0;
    for (size_t i = 0; i < p.size(); ++i) {
        const Vec3d &a = p[i], &b = p[p.size() - 1 - i];
        worst = std::max({worst, std::abs(a.y - b.y), std::abs(a.x + b.x - p.front().x - p.back().x)});
    }
    return worst;
}

// Fig. 2 d, e, extended so that lengths are exact: the rope settles mirror-symmetric, not far from the catenary.
TEST(Rope, HeldAtBothEndsSettlesMirrorSymmetric)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const struct {
        float span;
        double sag;
    } cases[] = {{0.5f, 0.398194}, {0.8f, 0.265438}, {0.9f, 0.190709}};
    for (const auto& c : cases) {
        World world = make_world(hanging_rope(41, c.span), settling());
        EXPECT_LT(worst_stretch_while_settling(world, 2000), 1e-6);
        const auto p = positions(world);
        EXPECT_LT(asymmetry(p), 1e-3) << c.span;
        EXPECT_LT(world.measure().fastest, 1e-3) << c.span;
        EXPECT_LT(length(p.back() - Vec3d{c.span, 0, 0}), 1e-5);
        double sag = 0;
        for (const Vec3d& q : p) sag = std::max(sag, -q.y);
        // Follow-the-leader is not exact here: the flatter the rope, the less its ends feel its weight.
        EXPECT_NEAR(sag, c.sag, 0.2 * c.sag) << c.span;
    }
}

TEST(Rope, ShakenBridgeComesToRest)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const float span : {0.3f, 0.6f, 0.9f})
        for (const float s : {0.9f, 1.0f}) {
            WorldSettings settings = settling();
            settings.solver.dftl.velocity_correction = s;
            World world = make_world(hanging_rope(41, span), settings, [](double t, std::span<Pose> bones) {
                const double shaken = std::min(t, 2.0);
                bones[0].position = {0.3 * std::sin(23 * shaken), 0.4 * std::abs(std::sin(17 * shaken)), 0};
                bones[0].rotation = rotation_about({0, 1, 0}, std::sin(13 * shaken));
            });
            while (world.time() < 40) world.step();
            EXPECT_LT(world.measure().fastest, 1e-3) << span << ' ' << s;
        }
}

TEST(Rope, PlainAverageKeepsLengthsToo)
{
    WorldSettings settings = settling();
    settings.solver.dftl.end_blend = EndBlend::kAverage;
    World world = make_world(hanging_rope(41, 0.8f), settings);
    EXPECT_LT(worst_stretch_while_settling(world, 1500), 1e-6);
    EXPECT_LT(asymmetry(positions(world)), 1e-3);
}

// The ends are pulled farther apart than the rope is long. Lengths hold, the far end falls short, straight towards its
// hold, and the report gives the gap.
TEST(Rope, ShorterThanItsSpanIsReported)
{
    World world(settling(), make_serial_executor());
    const BodyId left = world.add_body({.name = "left"});
    const BodyId right = world.add_body({.name = "right", .function = [](double t, std::span<Pose> bones) {
                                             bones[0].position = {0.8 + 0.7 * std::min(t, 1.0), 0, 0};
                                         }});
    RopeStyle style = hanging_rope(41, 0.8f);
    style.ends = Ends::kRootHeld;
    ASSERT_TRUE(world.add_groom(std::move(*make_groom(*make_ropes(style))), {.body = left}));
    ASSERT_TRUE(world.hold({kRope, 0, 40}, right));
    StepReport report;
    double worst = 0;
    for (int i = 0; i < 150; ++i) {
        report = world.step();
        worst = std::max(worst, world.measure().stretch_max);
        if (world.time() < 0.2) {
            EXPECT_EQ(report.missed_holds, 0u);
        }
    }
    EXPECT_LT(worst, 1e-6);
    EXPECT_EQ(report.missed_holds, 1u);
    EXPECT_NEAR(report.worst_gap, 0.5, 1e-3);
    const auto p = positions(world);
    EXPECT_NEAR(p.back().x, 1.0, 1e-4);
    EXPECT_NEAR(p[20].y, 0.0, 1e-4);
}

// A straight rope without gravity is pushed together. It has no preferred side to buckle to, but must buckle.
TEST(Rope, PushedTogetherFromStraightBows)
{
    WorldSettings settings = settling();
    settings.gravity = {0, 0, 0};
    World world(settings, make_serial_executor());
    const BodyId left = world.add_body({.name = "left"});
    const BodyId right = world.add_body({.name = "right", .function = [](double t, std::span<Pose> bones) {
                                             bones[0].position = {1 - 0.2 * std::min(t, 1.0), 0, 0};
                                         }});
    RopeStyle style = hanging_rope(41, 1);
    style.ends = Ends::kRootHeld;
    ASSERT_TRUE(world.add_groom(std::move(*make_groom(*make_ropes(style))), {.body = left}));
    ASSERT_TRUE(world.hold({kRope, 0, 40}, right));
    EXPECT_LT(worst_stretch_while_settling(world, 200), 1e-6);
    const auto p = positions(world);
    EXPECT_LT(length(p.back() - Vec3d{0.8, 0, 0}), 1e-4);
}

// Fig. 2 c. A free rope falls like a stone and keeps its momentum.
TEST(Rope, FreeRopeFallsLikeAStone)
{
    RopeStyle style = paper_rope();
    style.ends = Ends::kFree;
    WorldSettings settings = paper_settings();
    World world = make_world(style, settings);
    auto centre = [&] {
        Vec3d c{0, 0, 0};
        const auto p = positions(world);
        for (const Vec3d& q : p) c += q * (1.0 / static_cast<double>(p.size()));
        return c;
    };
    const Vec3d start = centre();
    EXPECT_LT(worst_stretch_while_settling(world, 100), 1e-6);
    // Symplectic Euler: after n steps g dt^2 n (n + 1) / 2.
    EXPECT_NEAR(centre().y - start.y, -10 * 0.01 * 0.01 * 100 * 101 / 2, 1e-3);
    EXPECT_NEAR(centre().x, start.x, 1e-4);
}

// Dragged by its middle, a free rope follows, and both ends hang down.
TEST(Rope, DraggedByItsMiddle)
{
    World world(settling(), make_serial_executor());
    const BodyId hand = world.add_body({.name = "hand", .function = [](double t, std::span<Pose> bones) {
                                            bones[0].position = {0.5, 0.3 * std::min(t, 1.0), 0};
                                        }});
    RopeStyle style;
    style.particles = 41;
    style.length = 1;
    style.ends = Ends::kFree;
    ASSERT_TRUE(world.add_groom(std::move(*make_groom(*make_ropes(style))), {.body = hand}));
    ASSERT_TRUE(world.hold({kRope, 0, 20}, hand));
    EXPECT_LT(worst_stretch_while_settling(world, 1500), 1e-6);
    const auto p = positions(world);
    EXPECT_LT(length(p[20] - Vec3d{0.5, 0.3, 0}), 1e-5);
    EXPECT_NEAR(p[0].y, 0.3 - 0.5, 0.01);
    EXPECT_NEAR(p[40].y, 0.3 - 0.5, 0.01);
}

// A strand that is held in the middle of a groom moves; its neighbours in the same block are not affected.
TEST(Rope, HoldOnOneHairLeavesItsNeighboursAlone)
{
    RopeStyle style = paper_rope();
    style.strands = 20;
    style.direction = {0, -1, 0};
    World grabbed = make_world(style, settling()), plain = make_world(style, settling());
    const BodyId hand = grabbed.add_body({.name = "finger", .function = [](double t, std::span<Pose> bones) {
                                              bones[0].position = {0.2 * std::min(t, 1.0), -0.3, -0.15};
                                          }});
    auto hold = grabbed.hold({kRope, 7, 20}, hand);
    ASSERT_TRUE(hold) << hold.error();
    for (int i = 0; i < 150; ++i) {
        grabbed.step();
        plain.step();
        EXPECT_LT(grabbed.measure().stretch_max, 1e-6);
    }
    EXPECT_LT(length(grabbed.position({kRope, 7, 20}) - Vec3d{0.2, -0.3, -0.15}), 1e-4);
    for (size_t s = 0; s < 20; ++s) {
        if (s == 7) continue;
        for (size_t i = 0; i < 30; ++i) EXPECT_EQ(grabbed.position({kRope, s, i}), plain.position({kRope, s, i}));
    }
    grabbed.release(*hold);
    for (int i = 0; i < 1500; ++i) grabbed.step();
    EXPECT_LT(length(grabbed.position({kRope, 7, 29}) - plain.position({kRope, 7, 29})), 0.01);
}

TEST(Rope, HoldsThatMakeNoSenseAreRefused)
{
    World world = make_world(paper_rope(), settling());
    EXPECT_FALSE(world.hold({kRope, 0, 0}, BodyId{0}));   // the root is already held
    EXPECT_FALSE(world.hold({kRope, 1, 5}, BodyId{0}));   // no such strand
    EXPECT_FALSE(world.hold({kRope, 0, 30}, BodyId{0}));  // no such particle
    EXPECT_FALSE(world.hold({kRope, 0, 5}, BodyId{3}));   // no such body
    for (size_t k = 1; k <= 14; ++k) EXPECT_TRUE(world.hold({kRope, 0, k}, BodyId{0}));
    EXPECT_FALSE(world.hold({kRope, 0, 3}, BodyId{0}));   // already held
    EXPECT_FALSE(world.hold({kRope, 0, 20}, BodyId{0}));  // too many
}

}  // namespace
}  // namespace tendril::test
