// Hands of a user, which hold, twist, cut and move things and blow wind.
#include "session/opened.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendril::test {
namespace {

using session::Hit;
using session::Session;

TEST(Hands, ARayPicksTheNearestPointOfAStrand)
{
    const auto session = opened(kRopeScene);
    const auto hit = session->pick(ray_at(-0.51));
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->part, 0u);
    EXPECT_EQ(hit->particle, 15u);
    EXPECT_NEAR(length(hit->point - Vec3d{0, -0.51, 0}), 0, 1e-5);
    EXPECT_NEAR(hit->distance, 2, 1e-5);
    EXPECT_FALSE(session->pick(ray_at(0.2)));
    EXPECT_FALSE(session->pick({{0.2, -0.5, 2}, {0, 0, -1}, 0.02}));
    EXPECT_FALSE(session->pick({{0, -0.5, -2}, {0, 0, -1}, 0.02})) << "behind the eye";
    EXPECT_FALSE(session->pick({{0, -0.5, 2}, {0, 0, 0}, 0.02}));
}

TEST(Hands, OfSeveralHitsTheNearestIsPicked)
{
    const auto session = opened(kRopeScene, {{"groom.strands", "5"}, {"groom.spacing", "0.1"}});  // along z
    double front = -1e9;
    uint32_t nearest = 0;
    for (uint32_t s = 0; s < 5; ++s)
        if (const double z = position(session->advance(0), 0, 30 * s).z; z > front) front = z, nearest = s;
    const auto hit = session->pick(ray_at(-0.5));
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->strand, nearest);
    // Even if another strand is slightly nearer to the axis of the ray.
    const auto oblique = session->pick({{0.004, -0.5, 2}, {-0.002, 0, -1}, 0.02});
    ASSERT_TRUE(oblique);
    EXPECT_EQ(oblique->strand, nearest);
}

TEST(Hands, PicksAmongManyStrands)
{
    const auto session = opened(kRopeScene, {{"groom.strands", "10000"}, {"groom.spacing", "1e-4"}});
    EXPECT_TRUE(session->pick(ray_at(-0.5)));
}

/// Pulls the hit point to a position over a second.
uint32_t drag(Session& session, const Hit& hit, const Vec3d& to, bool clamped = false)
{
    const auto hand = session.grab(hit, clamped);
    EXPECT_TRUE(hand) << hand.error();
    for (int i = 1; i <= 60; ++i) {
        session.move_hand(*hand, hit.point + (to - hit.point) * (i / 60.0), 0);
        session.advance(kFrame);
        EXPECT_LT(session.report().metrics.stretch_max, 1e-4) << i;
    }
    return *hand;
}

TEST(Hands, DragARopeWithoutStretchingIt)
{
    const auto session = opened(kRopeScene);
    const auto hit = session->pick(ray_at(-0.97));
    ASSERT_TRUE(hit);
    const uint32_t hand = drag(*session, *hit, {0.6, -0.3, 0.2});
    for (int i = 0; i < 30; ++i) session->advance(kFrame);
    EXPECT_NEAR(length(position(session->advance(0), 0, hit->particle) - Vec3d{0.6, -0.3, 0.2}), 0, 0.02);
    EXPECT_EQ(session->report().missed_holds, 0u);
    session->release(hand);
    for (int i = 0; i < 300; ++i) session->advance(kFrame);
    EXPECT_LT(position(session->advance(0), 0, 29).y, -0.6);
    session->move_hand(hand, {9, 9, 9}, 0);  // no effect, because the hand has let go
    session->release(hand);
}

TEST(Hands, ARopePulledOutOfReachDoesNotStretch)
{
    const auto session = opened(kRopeScene);
    drag(*session, *session->pick(ray_at(-0.97)), {3, 1, 0});
    EXPECT_GT(session->report().missed_holds, 0u);
}

TEST(Hands, ASecondHandWorksAfterTheFirstLetGo)
{
    const auto session = opened(kRopeScene);
    const auto first = session->grab(*session->pick(ray_at(-0.97)), false);
    ASSERT_TRUE(first);
    const auto second = session->grab(*session->pick(ray_at(-0.5)), false);
    ASSERT_TRUE(second);
    session->release(*first);
    session->advance(kFrame);
    const auto third = session->grab(*session->pick(ray_at(-0.8)), false);
    ASSERT_TRUE(third);
    EXPECT_NE(*third, *first);
    session->release(*first);  // no effect, because numbers are not reused
    session->move_hand(*third, {0.3, -0.6, 0}, 0);
    for (int i = 0; i < 60; ++i) session->advance(kFrame);
    EXPECT_GT(position(session->advance(0), 0, 24).x, 0.2);
}

TEST(Hands, NextToAHeldParticleItsNeighbourIsGrabbed)
{
    const auto session = opened(kRopeScene);
    const auto root = session->pick(ray_at(-0.001));
    ASSERT_TRUE(root);
    EXPECT_EQ(root->particle, 0u);
    EXPECT_TRUE(session->grab(*root, false));
    EXPECT_FALSE(session->grab({0, 7, 0, 0}, false));
    EXPECT_FALSE(session->grab({9, 0, 0, 0}, false));
}

/// The total twist of a string from its first to its last segment [rad].
double twist_of(const SegmentsView& string)
{
    return string.angles[string.angles.size() - 2];
}

TEST(Hands, TwistTheClampedEndOfAString)
{
    const auto session = opened(kString, {{"groom.clamped", "true"}, {"sim.gravity", "0"}});
    ASSERT_TRUE(session->parts()[0].string);
    const auto hit = session->pick(ray_at(-0.99));
    ASSERT_TRUE(hit);
    const auto hand = session->grab(*hit, true);
    ASSERT_TRUE(hand) << hand.error();
    const double turn = 3;
    for (int i = 1; i <= 60; ++i) {
        session->move_hand(*hand, hit->point, turn * i / 60);
        session->advance(kFrame);
    }
    EXPECT_NEAR(std::abs(twist_of(session->advance(0).strands[0].string)), turn, 0.3);
    session->release(*hand);
    for (int i = 0; i < 240; ++i) session->advance(kFrame);
    EXPECT_LT(std::abs(twist_of(session->advance(0).strands[0].string)), 0.3) << "it springs back";
}

TEST(Hands, CutAStringInTwo)
{
    const auto session = opened(kString);
    session->advance(kFrame);
    const double height = position(session->advance(0), 0, 15).y - 0.01;
    EXPECT_EQ(session->cut(ray_at(height, 0.005)), 1u);
    for (int i = 0; i < 60; ++i) session->advance(kFrame);
    EXPECT_LT(position(session->advance(0), 0, 29).y, -3);
    EXPECT_GT(position(session->advance(0), 0, 10).y, -1);
    const auto widths = session->advance(0).strands[0].string.widths;
    EXPECT_EQ(std::count(widths.begin(), widths.end(), 0.0f), 2);  // at the cut and at the tip
    session->reset();
    EXPECT_NEAR(position(session->advance(0), 0, 29).y, -1, 1e-4);
    session->advance(0.5);
    EXPECT_GT(position(session->advance(0), 0, 29).y, -1.1) << "whole again";
}

TEST(Hands, CutHairIsNoLongerDrawnNorPicked)
{
    const auto session = opened(kRopeScene);
    const uint32_t version = session->parts()[0].widths_version;
    EXPECT_EQ(session->cut(ray_at(-0.51)), 1u);
    const auto widths = session->parts()[0].widths;
    EXPECT_NE(session->parts()[0].widths_version, version);
    EXPECT_GT(widths[14], 0);
    for (size_t i = 15; i < 30; ++i) EXPECT_EQ(widths[i], 0) << i;
    EXPECT_FALSE(session->pick(ray_at(-0.8)));
    EXPECT_TRUE(session->pick(ray_at(-0.3)));
    EXPECT_EQ(session->cut(ray_at(-0.8)), 0u);
    EXPECT_EQ(session->cut(ray_at(-0.3)), 1u);
    ASSERT_TRUE(session->set("solver.type", "pbd"));
    ASSERT_TRUE(session->set("render.width_scale", "3"));
    EXPECT_EQ(session->parts()[0].widths[20], 0) << "the cut remains";
    session->reset();
    EXPECT_GT(session->parts()[0].widths[29], 0);
    EXPECT_TRUE(session->pick(ray_at(-0.8)));
}

TEST(Hands, ScissorsDoNotReachThroughTheWholeHead)
{
    const auto session = opened(kRopeScene, {{"groom.strands", "5"}, {"groom.spacing", "0.3"}});  // along z
    EXPECT_EQ(session->cut({{0, -0.5, 2}, {0, 0, -1}, 0.004}), 1u);
    EXPECT_EQ(session->cut({{0, -0.5, 3}, {0, 0, -1}, 0.05}), 4u);
}

TEST(Hands, MoveABodyOnTopOfItsOwnMotion)
{
    const auto session = opened(scene_text("rope_drag"));
    const auto other = opened(scene_text("rope_drag"));
    for (int i = 1; i <= 120; ++i) {
        session->move_body(0, {0, 0.5 * std::min(1.0, i / 60.0), 0}, {});
        session->advance(kFrame);
        other->advance(kFrame);
        EXPECT_LT(session->report().metrics.stretch_max, 1e-4);
    }
    const Vec3d moved = position(session->advance(0), 0, 0) - position(other->advance(0), 0, 0);
    EXPECT_NEAR(length(moved - Vec3d{0, 0.5, 0}), 0, 1e-5);
    EXPECT_NEAR(length(session->advance(0).bodies[0].position - position(session->advance(0), 0, 0)), 0, 1e-5);
    EXPECT_FALSE(session->restart());
    EXPECT_NEAR(length(position(session->advance(0), 0, 0)), 0, 1e-6) << "the hand has let go";
}

TEST(Hands, MoveARopeInASceneWithoutBodies)
{
    const auto session = opened("[groom]\n");
    EXPECT_EQ(info_of(*session)["bodies"].size(), 1u);
    EXPECT_FALSE(info_of(*session)["values"].contains("body.0.name"));
    session->move_body(0, {0.2, 0, 0}, {});
    session->move_body(7, {1, 1, 1}, {});
    session->advance(0.1);
    EXPECT_NEAR(length(position(session->advance(0), 0, 0) - Vec3d{0.2, 0, 0}), 0, 1e-6);
}

TEST(Hands, TurnACharacterWithItsHair)
{
    const auto session = opened(scene_text("bust"), {{"groom.strands", "20"}, {"sim.settle", "0"}});
    const auto other = opened(scene_text("bust"), {{"groom.strands", "20"}, {"sim.settle", "0"}});
    const Quat quarter = rotation_about({0, 1, 0}, std::numbers::pi / 2);
    for (int i = 1; i <= 60; ++i) {
        session->move_body(0, {0, 0, 0}, rotation_about({0, 1, 0}, std::numbers::pi / 2 * i / 60));
        session->advance(kFrame);
        other->advance(kFrame);
    }
    const session::Frame &turned = session->advance(0), &plain = other->advance(0);
    for (size_t s = 0; s < 20; ++s)
        EXPECT_NEAR(length(position(turned, 0, 32 * s) - rotate(quarter, position(plain, 0, 32 * s))), 0, 1e-4);
    const auto vertex = [](const session::Frame& frame) {
        return frame.meshes[0].origin + to_double(frame.meshes[0].vertices[500]);
    };
    EXPECT_NEAR(length(vertex(turned) - rotate(quarter, vertex(plain))), 0, 1e-4);
}

TEST(Hands, BlowWindIntoASceneWithoutAir)
{
    const auto session = opened(kRopeScene);
    const std::string toml = session->toml();
    session->blow(Vec3d{6, 0, 0});
    for (int i = 0; i < 60; ++i) session->advance(kFrame);
    EXPECT_GT(position(session->advance(0), 0, 29).x, 0.3);
    EXPECT_EQ(session->toml(), toml);
    ASSERT_TRUE(session->set("sim.substeps", "3"));
    for (int i = 0; i < 10; ++i) session->advance(kFrame);
    EXPECT_GT(position(session->advance(0), 0, 29).x, 0.3) << "the wind continues";
    session->blow(std::nullopt);
    double farthest = 0;
    for (int i = 0; i < 240; ++i) farthest = std::min(farthest, position(session->advance(kFrame), 0, 29).x);
    EXPECT_LT(farthest, -0.1) << "without drag, the rope swings back to the other side";
}

TEST(Hands, BlowAfterTheWindOfTheSceneHasEnded)
{
    const auto session =
        opened(std::string(kRopeScene) + "[air]\ndrag_normal = 3\n[wind]\nvelocity = [-9, 0, 0]\nduration = 0.5\n");
    for (int i = 0; i < 120; ++i) session->advance(kFrame);
    session->blow(Vec3d{6, 0, 0});
    for (int i = 0; i < 90; ++i) session->advance(kFrame);
    EXPECT_GT(position(session->advance(0), 0, 29).x, 0.2);
}

TEST(Hands, RestartReleasesEverything)
{
    const auto session = opened(kRopeScene);
    const auto hand = session->grab(*session->pick(ray_at(-0.97)), false);
    ASSERT_TRUE(hand);
    session->cut(ray_at(-0.51));
    ASSERT_TRUE(session->set("groom.particles", "20"));
    session->move_hand(*hand, {1, 1, 1}, 0);
    session->release(*hand);
    session->advance(kFrame);
    EXPECT_GT(session->parts()[0].widths[19], 0);
    EXPECT_TRUE(session->grab(*session->pick(ray_at(-0.97)), false));
}

}  // namespace
}  // namespace tendril::test
