// Hair against hair in a world: what it does to hair, and that the promises hold with it.
#include "support/head.h"
#include "support/sanitized.h"
#include "support/simd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

namespace tendril::test {
namespace {

WorldSettings with_grid(float friction = 5, float repulsion = 10)
{
    WorldSettings settings;
    settings.substeps = 2;
    settings.air = {1, 0.5f};
    settings.interaction.method = InteractionMethod::kGrid;
    settings.interaction.grid.friction = friction;
    settings.interaction.grid.repulsion = repulsion;
    return settings;
}

World small_head(const WorldSettings& settings, std::shared_ptr<Executor> executor = make_serial_executor(),
                 PoseFunction motion = shake_head)
{
    return make_head(settings, kSanitized ? 40 : 300, std::move(executor), std::move(motion), 12);
}

constexpr int kSteps = kSanitized ? 6 : 30;

uint64_t hash_after(int steps, const WorldSettings& settings,
                    std::shared_ptr<Executor> executor = make_serial_executor())
{
    World world = small_head(settings, std::move(executor));
    for (int i = 0; i < steps; ++i) world.step();
    return world.state_hash();
}

TEST(Interaction, SameBitsForAnyNumberOfThreads)
{
    const uint64_t one = hash_after(kSteps, with_grid());
    EXPECT_NE(one, hash_after(kSteps, WorldSettings{}));
    for (const int n : {2, 3, 8}) EXPECT_EQ(hash_after(kSteps, with_grid(), threads(n)), one) << n;
    EXPECT_EQ(hash_after(kSteps, with_grid(), std::make_shared<HostExecutor>(3)), one);
}

TEST(Interaction, SameBitsForAnyInstructionSet)
{
    const uint64_t native = hash_after(kSteps, with_grid());
    for (const int64_t target : instruction_sets()) {
        UseInstructionSet use(target);
        EXPECT_EQ(hash_after(kSteps, with_grid()), native) << target;
    }
}

TEST(Interaction, SameBitsAfterSaveAndLoadInTheMiddle)
{
    World world = small_head(with_grid());
    for (int i = 0; i < kSteps; ++i) world.step();
    World loaded = small_head(with_grid());
    ASSERT_TRUE(loaded.load(world.save()));
    for (int i = 0; i < kSteps; ++i) {
        world.step();
        loaded.step();
    }
    EXPECT_EQ(loaded.state_hash(), world.state_hash());
}

TEST(Interaction, AsksForHistoryByItself)
{
    WorldSettings without = with_grid();
    without.keep_previous = false;
    EXPECT_EQ(hash_after(kSteps, without), hash_after(kSteps, with_grid()));
}

TEST(Interaction, SwitchedOnWithoutHistoryItWaitsForOneStep)
{
    WorldSettings settings = with_grid();
    settings.keep_previous = false;
    settings.interaction.method = InteractionMethod::kNone;
    World world = small_head(settings), plain = small_head(settings);
    for (int i = 0; i < kSteps; ++i) world.step(), plain.step();
    world.settings().interaction.method = InteractionMethod::kGrid;
    World loaded = small_head(with_grid());
    ASSERT_TRUE(loaded.load(world.save()));
    world.step(), plain.step(), loaded.step();
    EXPECT_EQ(world.state_hash(), plain.state_hash());
    EXPECT_EQ(loaded.state_hash(), plain.state_hash());
    world.step(), plain.step();
    EXPECT_NE(world.state_hash(), plain.state_hash());
}

TEST(Interaction, TakesTimeOfItsOwn)
{
    World world = small_head(with_grid());
    EXPECT_GT(world.step().seconds.interaction, 0);
    world.settings().interaction.method = InteractionMethod::kNone;
    EXPECT_EQ(world.step().seconds.interaction, 0);
}

/// Mean distance of the tips from their middle, sideways [m].
double girth(const World& world)
{
    const size_t strands = world.groom({0}).strand_count();
    Vec3d middle{0, 0, 0};
    for (size_t s = 0; s < strands; ++s) middle += world.position({0}, s, 11) * (1.0 / static_cast<double>(strands));
    double sum = 0;
    for (size_t s = 0; s < strands; ++s) {
        const Vec3d d = world.position({0}, s, 11) - middle;
        sum += std::sqrt(d.x * d.x + d.z * d.z);
    }
    return sum / static_cast<double>(strands);
}

// Hair that stands on a sphere at rest and then hangs is crowded.
TEST(Interaction, CrowdedHairSpreads)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const auto still = [](double, std::span<Pose>) {};
    World with = small_head(with_grid(5, 10), make_serial_executor(), still);
    World without = small_head(with_grid(5, 0), make_serial_executor(), still);
    for (int i = 0; i < 240; ++i) with.step(), without.step();
    EXPECT_GT(girth(with), 1.2 * girth(without)) << girth(without);
    EXPECT_LE(with.measure().stretch_max, 1e-4);
    EXPECT_LT(with.measure().fastest, 0.2) << "it comes to rest";
}

TEST(Interaction, RestPoseStaysAtRest)
{
    WorldSettings settings = with_grid();
    settings.gravity = {0, 0, 0};
    World world = small_head(settings, make_serial_executor(), [](double, std::span<Pose>) {});
    for (int i = 0; i < 2 * kSteps; ++i) world.step();
    EXPECT_LT(world.measure().fastest, 1e-5);
}

struct Abuse {
    const char* name;
    double dt, gravity;
    double jump = 0;  ///< [m], from one step to the next
};

void PrintTo(const Abuse& abuse, std::ostream* out)
{
    *out << abuse.name;
}

class InteractionAbuse : public testing::TestWithParam<Abuse> {};

TEST_P(InteractionAbuse, NoStretchAndNothingNonFinite)
{
    const Abuse& abuse = GetParam();
    WorldSettings settings = with_grid(50, 100);
    settings.dt = abuse.dt;
    settings.gravity = {0, -abuse.gravity, 0};
    const auto motion = [&](double t, std::span<Pose> bones) {
        shake_head(t, bones);
        if (t > 10 * abuse.dt) bones[0].position.x += abuse.jump;
    };
    World world = small_head(settings, make_serial_executor(), motion);
    for (int i = 0; i < 2 * kSteps; ++i) {
        world.step();
        const Metrics m = world.measure();
        ASSERT_EQ(m.nonfinite, 0u) << "step " << i;
        ASSERT_LE(m.stretch_max, 1e-4) << "step " << i;
    }
}

const Abuse kAbuses[] = {
    {"StepOfOneMillisecond", 0.001, 9.81},    {"StepOf200Milliseconds", 0.2, 9.81},
    {"GravityTimes1000", 1.0 / 60, 9810},     {"GravityTimes1000LongStep", 0.2, 9810},
    {"JumpOf100Metres", 1.0 / 60, 9.81, 100}, {"JumpOf100MetresLongStep", 0.2, 9.81, 100},
};

INSTANTIATE_TEST_SUITE_P(Promises, InteractionAbuse, testing::ValuesIn(kAbuses),
                         [](const auto& abuse) { return abuse.param.name; });

}  // namespace
}  // namespace tendril::test
