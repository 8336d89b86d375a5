// Tables of a groom that stand in for the world's.
#include "tendril/scene.h"
#include "tendril/scene_keys.h"

#include <gtest/gtest.h>

#include <string>

namespace tendril::test {
namespace {

constexpr const char* kTwoGrooms = R"(
[shape]
local = 100
global = 4

[solver]
velocity_correction = 0.8

[[groom]]
strands = 2

[[groom]]
strands = 3
[groom.shape]
local = 900
[groom.solver]
type = "pbd"
pbd.iterations = 7
[groom.look]
hair = "red"
)";

Scene scene_of(const std::string& text, const Overrides& overrides = {})
{
    auto scene = parse_scene(text, "two.toml", overrides);
    EXPECT_TRUE(scene) << scene.error();
    return scene ? *scene : Scene{};
}

std::string refusal_of(const std::string& text, const Overrides& overrides = {})
{
    auto scene = parse_scene(text, "two.toml", overrides);
    return scene ? "no error" : scene.error();
}

TEST(GroomSettings, StandInForTheWorldsKeyByKey)
{
    const Scene scene = scene_of(kTwoGrooms);
    const Behaviour first = behaviour_of(scene, 0), second = behaviour_of(scene, 1);
    EXPECT_EQ(first.shape.local, 100);
    EXPECT_EQ(first.solver.type, SolverType::kDftl);
    EXPECT_EQ(second.shape.local, 900);
    EXPECT_EQ(second.shape.global, 4) << "the groom does not say, so the world does";
    EXPECT_EQ(second.solver.type, SolverType::kPbd);
    EXPECT_EQ(second.solver.pbd.iterations, 7);
    EXPECT_FLOAT_EQ(second.solver.dftl.velocity_correction, 0.8f);
    EXPECT_EQ(look_of(scene, 0).hair, "brown");
    EXPECT_EQ(look_of(scene, 1).hair, "red");
    EXPECT_FALSE(own_behaviour(scene, 0).shape.has_value());
    EXPECT_FALSE(own_behaviour(scene, 1).air.has_value());
}

TEST(GroomSettings, FollowAWorldThatChanges)
{
    const Scene scene = scene_of(kTwoGrooms, {{"shape.global", "9"}, {"shape.local", "1"}});
    EXPECT_EQ(behaviour_of(scene, 1).shape.global, 9);
    EXPECT_EQ(behaviour_of(scene, 1).shape.local, 900);
}

TEST(GroomSettings, CanBeSetFromTheCommandLine)
{
    const Scene scene = scene_of(kTwoGrooms, {{"groom.0.shape.local", "5"}, {"groom.air.drag_normal", "2"}});
    EXPECT_EQ(behaviour_of(scene, 0).shape.local, 5);
    EXPECT_EQ(behaviour_of(scene, 1).shape.local, 900);
    EXPECT_EQ(behaviour_of(scene, 0).air.drag_normal, 2);
    EXPECT_EQ(behaviour_of(scene, 1).air.drag_normal, 2);
    EXPECT_EQ(scene.world.air.drag_normal, 0);
}

TEST(GroomSettings, ReachTheWorld)
{
    const auto world = build_world(scene_of(kTwoGrooms), make_serial_executor());
    ASSERT_TRUE(world) << world.error();
    EXPECT_FALSE(world->behaviour({0}).solver.has_value());
    ASSERT_TRUE(world->behaviour({1}).solver.has_value());
    EXPECT_EQ(world->behaviour({1}).solver->type, SolverType::kPbd);
    EXPECT_EQ(world->behaviour({1}).shape->local, 900);
}

TEST(GroomSettings, AreWrittenAndReadAgain)
{
    const Scene scene = scene_of(kTwoGrooms), again = scene_of(write_scene(scene));
    EXPECT_EQ(again.grooms[1].own_settings, scene.grooms[1].own_settings);
    EXPECT_EQ(again.grooms[1].own_settings.size(), 4u);
    EXPECT_TRUE(again.grooms[0].own_settings.empty());
    EXPECT_EQ(again.world.shape.global, 4);
}

TEST(GroomSettings, NestAsTheStructsDo)
{
    EXPECT_FLOAT_EQ(scene_of("[groom]\n[solver.dftl]\nvelocity_correction = 0.5").world.solver.dftl.velocity_correction,
                    0.5f);
    EXPECT_EQ(scene_of("[groom]\n[solver]\nstring.iterations = 9").world.solver.string.iterations, 9);
    EXPECT_EQ(scene_of("[groom]\n[solver]\nstring_iterations = 9").world.solver.string.iterations, 9);
    EXPECT_EQ(scene_of("[groom]", {{"interaction.sph.max_neighbours", "20"}}).world.interaction.sph.max_neighbours,
              20u);
    EXPECT_EQ(scene_of("[groom]", {{"interaction.most_neighbours", "20"}}).world.interaction.sph.max_neighbours, 20u);
    EXPECT_EQ(scene_of("[groom]\n[render]\nhair = \"grey\"").render.look.hair, "grey");
    EXPECT_EQ(scene_of("[groom]\n[render.look]\nhair = \"grey\"").render.look.hair, "grey");
}

TEST(GroomSettings, ErrorsNameTheKeyAndTheLine)
{
    EXPECT_EQ(refusal_of("[groom]\n[groom.shape]\nlocall = 3"),
              "two.toml:3: unknown key 'groom.shape.locall'; did you mean 'groom.shape.local'?");
    EXPECT_EQ(refusal_of("[groom]\n[solver.dftl]\niterations = 3").substr(0, 49),
              "two.toml:3: unknown key 'solver.dftl.iterations';");
    EXPECT_EQ(refusal_of("[groom]\n[groom.shape]\nlocal = -3"),
              "two.toml:3: groom.shape.local must be a number in [0, 1000000000] 1/s^2, not -3");
    EXPECT_NE(refusal_of("[groom]\n[groom.solver]\ntype = \"pbd\"\npbd.bend_stiffness = 40").find("two.toml:4:"),
              std::string::npos);
    EXPECT_NE(refusal_of("[groom]\n[groom.shape]\nunits = \"paper\"\nlocal = 40").find("two.toml:4: groom.shape.local"),
              std::string::npos);
    EXPECT_NE(refusal_of("[groom]\n[groom.wind]\nvelocity = [1, 0, 0]").find("unknown key 'groom.wind'"),
              std::string::npos)
        << "wind is the world's alone";
}

}  // namespace
}  // namespace tendril::test
