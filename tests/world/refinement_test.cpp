// Fast colliders increase the number of substeps of the grooms that they may touch, and of no others.
#include "support/head.h"
#include "tendril/hair_style.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tendril::test {
namespace {

constexpr int kSubsteps = 2;
constexpr double kReach = 0.1 + kStrandLength;  // of the hair, from the centre of the head [m]

struct Swing {
    World world;
    GroomId hair;
};

/// Hair on a head, and a thin rod that swings at up to 15 m/s until `end`, `distance` to the right of the head.
Swing make_swing(double distance, double end = 1e9, int max_refinement = 16)
{
    WorldSettings settings;
    settings.dt = 0.01;
    settings.substeps = kSubsteps;
    settings.contact.max_refinement = max_refinement;
    Swing s{World(settings, threads(2)), {}};
    const BodyId head = s.world.add_body({.name = "head", .function = [](double, std::span<Pose>) {}});
    SphereStyle style;
    style.strands = 40;
    style.particles = 8;
    style.radius = 0.1f;
    style.length = static_cast<float>(kStrandLength);
    s.hair = *s.world.add_groom(*make_groom(*make_sphere_hair(style)), {.body = head});
    const BodyId limb = s.world.add_body({.name = "limb", .function = [=](double t, std::span<Pose> bones) {
                                              bones[0].position = {distance, std::sin(15 * std::min(t, end)), 0};
                                          }});
    EXPECT_TRUE(s.world.add_collider({.body = limb, .radius_a = 0.02f, .radius_b = 0.02f}));
    return s;
}

TEST(Refinement, ActsOnlyOnHairThatTheColliderCanReach)
{
    EXPECT_GT(make_swing(0.2).world.step().substeps, kSubsteps);
    EXPECT_EQ(make_swing(kReach + 0.1).world.step().substeps, kSubsteps);
}

TEST(Refinement, IsCappedByTheSetting)
{
    EXPECT_EQ(make_swing(0.2, 1e9, 1).world.step().substeps, kSubsteps);
    EXPECT_EQ(make_swing(0.2, 1e9, 5).world.step().substeps, 4 * kSubsteps);  // a power of two
    EXPECT_EQ(make_swing(0.2, 1e9, 16).world.step().substeps, 16 * kSubsteps);
}

TEST(Refinement, EndsSoonAfterTheMotion)
{
    Swing s = make_swing(0.2, 0.025);
    for (int i = 0; i < 3; ++i) EXPECT_GT(s.world.step().substeps, kSubsteps) << i;
    for (int i = 0; i < 6; ++i) s.world.step();
    EXPECT_EQ(s.world.step().substeps, kSubsteps);
}

// A host that moves a body by metres within a step, and forgets to call `teleport`, does not pay for it.
TEST(Refinement, DoesNotFollowAJump)
{
    WorldSettings settings;
    settings.dt = 0.01;
    settings.substeps = kSubsteps;
    World world = make_head(settings, 40, threads(1), [](double t, std::span<Pose> bones) {
        bones[0].position = {t < 0.045 ? 0.0 : 5.0, 0, 0};
    });
    ASSERT_TRUE(world.add_collider({.radius_a = 0.1f, .radius_b = 0.1f}));
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(world.step().substeps, kSubsteps) << i;
        EXPECT_EQ(world.measure().nonfinite, 0u);
        EXPECT_LT(world.measure().stretch_max, 1e-4);
    }
}

// A second head of hair near the rod is refined; the first, which the rod cannot reach, has the bits that it has alone.
TEST(Refinement, LeavesTheBitsOfOtherGroomsAsTheyAre)
{
    const auto points_of = [](Swing& s, GroomId groom) {
        for (int i = 0; i < 20; ++i) s.world.step();
        const CurvesView view = s.world.curves(groom);
        return std::vector<Vec3f>(view.points.begin(), view.points.end());
    };
    Swing alone = make_swing(kReach + 0.3), both = make_swing(kReach + 0.3);
    const BodyId near = both.world.add_body({.name = "near", .function = [](double, std::span<Pose> bones) {
                                                 bones[0].position = {kReach + 0.5, 0, 0};
                                             }});
    ASSERT_TRUE(both.world.add_groom(both.world.groom(both.hair), {.body = near}));
    EXPECT_EQ(points_of(alone, alone.hair), points_of(both, both.hair));
    EXPECT_GT(both.world.step().substeps, kSubsteps);
}

TEST(Refinement, IsPartOfASavedState)
{
    Swing straight = make_swing(0.2, 0.025), first = make_swing(0.2, 0.025), second = make_swing(0.2, 0.025);
    for (int i = 0; i < 30; ++i) straight.world.step();
    for (int i = 0; i < 5; ++i) first.world.step();  // the motion has ended, the refinement has not
    ASSERT_TRUE(second.world.load(first.world.save()));
    EXPECT_GT(second.world.step().substeps, kSubsteps);
    for (int i = 0; i < 24; ++i) second.world.step();
    EXPECT_EQ(second.world.state_hash(), straight.world.state_hash());
}

}  // namespace
}  // namespace tendril::test
