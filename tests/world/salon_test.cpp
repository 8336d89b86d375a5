// scenes/salon.toml: hair of two methods, a rope that tears and a crate on a rope in one world.
#include "support/sanitized.h"
#include "tendril/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tendril::test {
namespace {

constexpr GroomId kHair{0}, kCrest{1}, kTearing{2}, kCrateRope{3};

World salon(int threads, const Overrides& more = {})
{
    Overrides overrides{{"groom.0.strands", kSanitized ? "30" : "200"},
                        {"groom.1.strands", kSanitized ? "20" : "150"},
                        {"sim.settle", kSanitized ? "0.02" : "0.1"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    const auto scene = read_scene(std::string(TENDRIL_SOURCE_DIR) + "/scenes/salon.toml", overrides);
    EXPECT_TRUE(scene) << scene.error();
    auto world = build_world(*scene, make_thread_executor(threads));
    EXPECT_TRUE(world) << world.error();
    return std::move(*world);
}

TEST(Salon, HasTheSameBitsForAnyNumberOfThreadsAndAfterSaveAndLoad)
{
    constexpr int kFrames = kSanitized ? 2 : 20;
    World one = salon(1);
    for (int i = 0; i < kFrames; ++i) one.step();
    const std::vector<std::byte> saved = one.save();
    for (int i = 0; i < kFrames; ++i) one.step();
    for (const int threads : {2, 3, 8}) {
        World other = salon(threads);
        for (int i = 0; i < 2 * kFrames; ++i) other.step();
        EXPECT_EQ(other.state_hash(), one.state_hash()) << threads << " threads";
    }
    World loaded = salon(2);
    ASSERT_TRUE(loaded.load(saved));
    for (int i = 0; i < kFrames; ++i) loaded.step();
    EXPECT_EQ(loaded.state_hash(), one.state_hash());
}

TEST(Salon, TheRopeTearsTheCrateHangsAndBothMeetTheHead)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    World world = salon(2);
    size_t torn = 0;
    double rope_on_head = 1, hair_on_head = 1, lowest_crate = 1;
    for (int i = 0; i < 240; ++i) {
        torn += world.step().torn;
        const auto nearest = [&](GroomId groom) {
            const auto clearances = world.clearances(groom);
            return static_cast<double>(*std::min_element(clearances.begin(), clearances.end()));
        };
        rope_on_head = std::min(rope_on_head, nearest(kTearing));
        hair_on_head = std::min(hair_on_head, nearest(kHair));
        lowest_crate = std::min(lowest_crate, world.position({kCrateRope, 0, 60}).y);
    }
    EXPECT_GE(torn, 1u);
    EXPECT_LT(rope_on_head, 0.006) << "the rope lies on the head that the hair grows on";
    EXPECT_GT(rope_on_head, -0.002);
    EXPECT_LT(hair_on_head, 0.006);
    EXPECT_GT(lowest_crate, -0.2) << "the rope holds the crate";
    EXPECT_EQ(world.measure().nonfinite, 0u);
    EXPECT_EQ(world.behaviour(kCrest).solver->type, SolverType::kTressfx);
}

}  // namespace
}  // namespace tendril::test
