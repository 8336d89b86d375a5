// Interaction through a grid: its effect on the hair of a world.
#include "support/interacting.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tendril::test {
namespace {

TEST(Interaction, KeepsHistoryByItself)
{
    WorldSettings without = with_grid();
    without.keep_previous = false;
    EXPECT_EQ(hash_after(kInteractingSteps, without), hash_after(kInteractingSteps, with_grid()));
}

TEST(Interaction, WaitsOneStepIfThereIsNoHistory)
{
    WorldSettings settings = with_grid();
    settings.keep_previous = false;
    settings.interaction.method = InteractionMethod::kNone;
    World world = small_head(settings), plain = small_head(settings);
    for (int i = 0; i < kInteractingSteps; ++i) world.step(), plain.step();
    world.settings().interaction.method = InteractionMethod::kGrid;
    World loaded = small_head(with_grid());
    ASSERT_TRUE(loaded.load(world.save()));
    world.step(), plain.step(), loaded.step();
    EXPECT_EQ(world.state_hash(), plain.state_hash());
    EXPECT_EQ(loaded.state_hash(), plain.state_hash());
    world.step(), plain.step();
    EXPECT_NE(world.state_hash(), plain.state_hash());
}

TEST(Interaction, HasItsOwnTimer)
{
    World world = small_head(with_grid());
    EXPECT_GT(world.step().seconds.interaction, 0);
    world.settings().interaction.method = InteractionMethod::kNone;
    EXPECT_EQ(world.step().seconds.interaction, 0);
}

/// Mean horizontal distance of the tips from their centre [m].
double girth(const World& world)
{
    const size_t strands = world.groom({0}).strand_count();
    Vec3d middle{0, 0, 0};
    for (size_t s = 0; s < strands; ++s)
        middle += world.position({{0}, s, kInteractingParticles - 1}) * (1.0 / static_cast<double>(strands));
    double sum = 0;
    for (size_t s = 0; s < strands; ++s) {
        const Vec3d d = world.position({{0}, s, kInteractingParticles - 1}) - middle;
        sum += std::sqrt(d.x * d.x + d.z * d.z);
    }
    return sum / static_cast<double>(strands);
}

// Hair whose rest pose stands out from a sphere becomes crowded when it hangs.
TEST(Interaction, CrowdedHairSpreads)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    World with = small_head(with_grid(5, 10), make_serial_executor(), stand_still);
    World without = small_head(with_grid(5, 0), make_serial_executor(), stand_still);
    for (int i = 0; i < 240; ++i) with.step(), without.step();
    EXPECT_GT(girth(with), 1.2 * girth(without)) << girth(without);
    EXPECT_LE(with.measure().stretch_max, 1e-4);
    EXPECT_LT(with.measure().fastest, 0.2) << "it comes to rest";
}

// Friction passes the motion of tips on to the roots of other strands. If waves grew towards the tip, hair would
// flutter forever.
TEST(Interaction, WeakShapeComesToRest)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    WorldSettings settings = with_grid(5, 0);
    settings.substeps = 4;
    settings.shape.local = 6;
    World world = make_head(settings, 100, make_serial_executor(), stand_still, 30);
    for (int i = 0; i < 240; ++i) world.step();
    EXPECT_LT(world.measure().fastest, 1e-3);
}

TEST(Interaction, RestPoseStaysAtRest)
{
    WorldSettings settings = with_grid();
    settings.gravity = {0, 0, 0};
    World world = small_head(settings, make_serial_executor(), stand_still);
    for (int i = 0; i < 2 * kInteractingSteps; ++i) world.step();
    EXPECT_LT(world.measure().fastest, 1e-5);
}

}  // namespace
}  // namespace tendril::test
