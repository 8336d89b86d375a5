// The world: threads, job systems, saved states.
#include "support/head.h"
#include "support/ropes.h"
#include "support/sanitized.h"

#include <gtest/gtest.h>

namespace tendril::test {
namespace {

TEST(World, SameBitsForAnyNumberOfThreads)
{
    std::vector<uint64_t> hashes;
    for (const int n : {1, 2, 3, 8}) {
        World world = make_head(windy(), kSanitized ? 300 : 700, threads(n));
        for (int i = 0; i < (kSanitized ? 10 : 60); ++i) world.step();
        hashes.push_back(world.state_hash());
    }
    for (uint64_t h : hashes) EXPECT_EQ(h, hashes.front());
}

TEST(World, RunsOnTheHostsJobSystem)
{
    auto host = std::make_shared<HostExecutor>(3);
    World a = make_head(windy(), 300, host), b = make_head(windy(), 300, make_serial_executor());
    for (int i = 0; i < 30; ++i) {
        a.step();
        b.step();
    }
    EXPECT_GE(host->calls, 30u);
    EXPECT_EQ(a.state_hash(), b.state_hash());
    EXPECT_EQ(a.measure().kinetic, b.measure().kinetic);
}

TEST(World, SaveAndLoadInTheMiddleChangesNothing)
{
    World straight = make_head(windy(), 200, threads(2));
    for (int i = 0; i < 80; ++i) straight.step();

    World first = make_head(windy(), 200, threads(2));
    for (int i = 0; i < 40; ++i) first.step();
    const auto bytes = first.save();
    World second = make_head(windy(), 200, threads(3));
    const auto steps = second.load(bytes);
    ASSERT_TRUE(steps) << steps.error();
    EXPECT_EQ(*steps, 40u);
    for (int i = 0; i < 40; ++i) second.step();
    EXPECT_EQ(second.state_hash(), straight.state_hash());
    EXPECT_EQ(second.measure().kinetic, straight.measure().kinetic);
}

TEST(World, DamagedOrForeignStatesAreRefusedAndChangeNothing)
{
    World world = make_head({}, 50, make_serial_executor()), other = make_head({}, 51, make_serial_executor());
    World longer = make_head({}, 50, make_serial_executor(), shake_head, 17);
    for (int i = 0; i < 5; ++i) world.step();
    const auto bytes = world.save();
    world.step();
    const uint64_t before = world.state_hash();
    EXPECT_FALSE(other.load(bytes));
    EXPECT_FALSE(longer.load(bytes));
    EXPECT_FALSE(world.load(longer.save()));
    EXPECT_FALSE(world.load(std::span(bytes).first(10)));
    EXPECT_FALSE(world.load(std::span(bytes).first(bytes.size() - 1)));
    for (size_t i = 0; i < bytes.size(); i += i < 120 ? 1 : 97) {
        auto flipped = bytes;
        flipped[i] ^= std::byte{0x10};
        EXPECT_FALSE(world.load(flipped)) << i;
    }
    EXPECT_EQ(world.state_hash(), before);
    EXPECT_TRUE(world.load(bytes));
}

// The counts match, but the rest lengths differ.
TEST(World, StatesOfOtherLengthsAreRefused)
{
    RopeStyle style = paper_rope();
    World a = make_world(style, paper_settings());
    style.length = 1;
    World b = make_world(style, paper_settings());
    EXPECT_FALSE(b.load(a.save()));
}

}  // namespace
}  // namespace tendril::test
