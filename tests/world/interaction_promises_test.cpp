// The guarantees of every interaction method: the same bits, no stretch, only finite values.
#include "support/interacting.h"
#include "support/simd.h"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>
#include <string>
#include <tuple>

namespace tendril::test {
namespace {

struct Method {
    const char* name;
    WorldSettings settings;  ///< typical values
    WorldSettings strong;
};

void PrintTo(const Method& method, std::ostream* out)
{
    *out << method.name;
}

const Method kMethods[] = {
    {"Grid", with_grid(), with_grid(50, 100)},
    {"PrintedGrid", with_printed_grid(0.1f, 1e-4f), with_printed_grid(1, -0.1f)},
    {"Fluid", with_fluid(), with_fluid(100, 1)},
};

class InteractionBits : public testing::TestWithParam<Method> {};

TEST_P(InteractionBits, SameForAnyNumberOfThreads)
{
    const WorldSettings& settings = GetParam().settings;
    const uint64_t one = hash_after(kInteractingSteps, settings);
    EXPECT_NE(one, hash_after(kInteractingSteps, with_interaction(InteractionMethod::kNone)));
    for (const int n : {2, 3, 8}) EXPECT_EQ(hash_after(kInteractingSteps, settings, threads(n)), one) << n;
    EXPECT_EQ(hash_after(kInteractingSteps, settings, std::make_shared<HostExecutor>(3)), one);
}

TEST_P(InteractionBits, SameForAnyInstructionSet)
{
    const WorldSettings& settings = GetParam().settings;
    const uint64_t native = hash_after(kInteractingSteps, settings);
    for (const int64_t target : instruction_sets()) {
        UseInstructionSet use(target);
        EXPECT_EQ(hash_after(kInteractingSteps, settings), native) << target;
    }
}

TEST_P(InteractionBits, SameAfterSaveAndLoadInTheMiddle)
{
    World world = small_head(GetParam().settings);
    for (int i = 0; i < kInteractingSteps; ++i) world.step();
    World loaded = small_head(GetParam().settings);
    ASSERT_TRUE(loaded.load(world.save()));
    for (int i = 0; i < kInteractingSteps; ++i) world.step(), loaded.step();
    EXPECT_EQ(loaded.state_hash(), world.state_hash());
}

TEST_P(InteractionBits, SameWhetherPreparedOrNot)
{
    WorldSettings settings = GetParam().settings;
    settings.shape.local = 50;
    World world = small_head(settings), prepared = small_head(settings);
    prepared.prepare();
    EXPECT_EQ(prepared.state_hash(), world.state_hash());
    for (int i = 0; i < kInteractingSteps; ++i) world.step(), prepared.step();
    EXPECT_EQ(prepared.state_hash(), world.state_hash());
}

INSTANTIATE_TEST_SUITE_P(Promises, InteractionBits, testing::ValuesIn(kMethods),
                         [](const auto& method) { return method.param.name; });

void expect_valid(const WorldSettings& settings, PoseFunction motion = shake_head)
{
    World world = small_head(settings, make_serial_executor(), std::move(motion));
    for (int i = 0; i < 2 * kInteractingSteps; ++i) {
        world.step();
        const Metrics m = world.measure();
        ASSERT_EQ(m.nonfinite, 0u) << "step " << i;
        ASSERT_LE(m.stretch_max, 1e-4) << "step " << i;
    }
}

struct AbuseCase {
    const char* name;
    double dt, gravity;
    double jump = 0;  ///< of the head between two steps [m]
};

void PrintTo(const AbuseCase& abuse, std::ostream* out)
{
    *out << abuse.name;
}

class InteractionAbuse : public testing::TestWithParam<std::tuple<Method, AbuseCase>> {};

TEST_P(InteractionAbuse, NoStretchAndNothingNonFinite)
{
    const auto& [method, abuse] = GetParam();
    WorldSettings settings = method.strong;
    settings.dt = abuse.dt;
    settings.gravity = {0, -abuse.gravity, 0};
    expect_valid(settings, [after = 10 * abuse.dt, jump = abuse.jump](double t, std::span<Pose> bones) {
        shake_head(t, bones);
        if (t > after) bones[0].position.x += jump;
    });
}

const AbuseCase kInteractionAbuses[] = {
    {"StepOfOneMillisecond", 0.001, 9.81},    {"StepOf200Milliseconds", 0.2, 9.81},
    {"GravityTimes1000", 1.0 / 60, 9810},     {"GravityTimes1000LongStep", 0.2, 9810},
    {"JumpOf100Metres", 1.0 / 60, 9.81, 100}, {"JumpOf100MetresLongStep", 0.2, 9.81, 100},
};

INSTANTIATE_TEST_SUITE_P(Promises, InteractionAbuse,
                         testing::Combine(testing::ValuesIn(kMethods), testing::ValuesIn(kInteractionAbuses)),
                         [](const auto& both) {
                             return std::string(std::get<0>(both.param).name) + std::get<1>(both.param).name;
                         });

TEST(SphWorld, AbsurdCoefficientsDoNoHarm)
{
    constexpr float kHuge = std::numeric_limits<float>::max();
    expect_valid(with_fluid(kHuge, 0));
    expect_valid(with_fluid(0, kHuge));
    expect_valid(with_fluid(std::numeric_limits<float>::quiet_NaN(), -1));
    WorldSettings short_step = with_fluid(kHuge, kHuge);
    short_step.dt = 0.001;
    expect_valid(short_step);
}

}  // namespace
}  // namespace tendril::test
