// Worlds with colliders: saved states, teleports, settling, wind.
#include "support/head.h"
#include "support/sanitized.h"
#include "support/thread_executor.h"
#include "tendril/scene.h"
#include "world/skins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace tendril::test {
namespace {

constexpr double kHeadRadius = 0.1;

/// A scene with hair on a sphere, which is also a collider.
Scene hairy_sphere()
{
    auto scene = parse_scene(R"(
[sim]
substeps = 4
[body]
mesh = "sphere"
clip = "turn"
amplitude = 1
period = 0.8
collide = "shapes"
[groom]
style = "sphere"
strands = 90
particles = 16
length = 0.25
[air]
drag_normal = 2
drag_tangential = 1
[contact]
layer = 0.005
)",
                             "sphere.toml");
    EXPECT_TRUE(scene) << scene.error();
    return *scene;
}

World build(const Scene& scene, unsigned threads)
{
    auto world = build_world(scene, std::make_shared<HostExecutor>(threads));
    EXPECT_TRUE(world) << world.error();
    return std::move(*world);
}

TEST(WorldContact, SameBitsForThreadsAndAfterLoading)
{
    const Scene scene = hairy_sphere();
    World straight = build(scene, 1);
    for (int i = 0; i < 40; ++i) straight.step();
    for (const unsigned threads : {2u, 3u, 8u}) {
        World first = build(scene, threads);
        for (int i = 0; i < 20; ++i) first.step();
        World second = build(scene, threads);
        ASSERT_TRUE(second.load(first.save()));
        for (int i = 0; i < 20; ++i) second.step();
        EXPECT_EQ(second.state_hash(), straight.state_hash()) << threads;
    }
}

/// A scene with hair on the bust, whose skin is a collider.
Scene hairy_bust(const std::string& collide, const std::string& more = "")
{
    auto scene = parse_scene(R"(
[sim]
substeps = 8
[body]
mesh = "bust"
clip = "turn_and_nod"
clip_loop = false
collide = ")" + collide + R"("
collide_cell = 0.005
[groom]
style = "wavy"
groups = "scalp"
strands = 100
particles = 30
length = 0.37
lie_direction = [0, -0.6, -1]
lie = 0.6
droop = 1.5
[air]
drag_normal = 3
drag_tangential = 3
)" + more,
                             "bust.toml");
    EXPECT_TRUE(scene) << scene.error();
    return *scene;
}

// The head turns by 90 degrees in a quarter of a second. With a margin of one millimetre, no particle is more than a
// millimetre inside the triangles of the mesh.
TEST(WorldContact, HairStaysOutOfAQuicklyTurningHead)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    struct Case {
        const char* method;
        double until;
    };
    for (const auto& [method, until] : {Case{"field", 1.06}, Case{"marching", 0.5}, Case{"triangles", 0.5}}) {
        World world = build(hairy_bust(method), 2);
        double deepest = 0, stretch = 0;
        while (world.time() < until) {
            world.step();
            const Metrics m = world.measure();
            stretch = std::max(stretch, m.stretch_max);
            if (world.time() > 0.35)
                deepest = std::max(deepest, m.penetration_max);  // penetration of the rest pose is eased out first
        }
        EXPECT_LT(deepest, 0.001) << method;
        EXPECT_LT(stretch, 1e-6) << method;
    }
}

TEST(WorldContact, HairOnASkinComesToRestAndStays)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    Scene scene = hairy_bust("field", "[contact]\nmargin = 0.001\n");
    scene.bodies[0].clip = "still";
    scene.settle = 4;
    World world = build(scene, 2);
    while (world.time() < 5) world.step();
    for (int i = 0; i < 60; ++i) {
        world.step();
        ASSERT_LT(world.measure().fastest, 1e-3) << world.time();
    }
    // Wind sets it in motion again.
    world.settings().wind.velocity = {4, 0, 0};
    double fastest = 0;
    for (int i = 0; i < 30; ++i) {
        world.step();
        fastest = std::max(fastest, world.measure().fastest);
    }
    EXPECT_GT(fastest, 0.1);
}

TEST(WorldContact, SkinsGiveTheSameBitsForThreadsAndAfterLoading)
{
    const int half = kSanitized ? 1 : 4;
    for (const char* method : {"field", "triangles"}) {
        Scene scene = hairy_bust(method);
        scene.bodies[0].clip = "look_around";
        if (kSanitized) scene.grooms[0].strands = 20;
        World straight = build(scene, 1);
        for (int i = 0; i < 2 * half; ++i) straight.step();
        for (const unsigned threads : {3u}) {
            World first = build(scene, threads);
            for (int i = 0; i < half; ++i) first.step();
            World second = build(scene, threads);
            ASSERT_TRUE(second.load(first.save()));
            for (int i = 0; i < half; ++i) second.step();
            EXPECT_EQ(second.state_hash(), straight.state_hash()) << method << " " << threads;
        }
    }
}

// A ball moves into the hair behind a head. Both are distance fields, and hair stays out of both.
TEST(WorldContact, SeveralSkinsAtOnce)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    Scene scene = hairy_bust("field");
    scene.bodies[0].clip = "look_around";
    scene.settle = 0.5;
    World world = build(scene, 2);
    Character ball;
    ball.mesh = make_sphere_mesh(0.06f, 16);
    const BodyId body = world.add_body({.name = "ball",
                                        .function =
                                            [](double t, std::span<Pose> bones) {
                                                bones[0].position = {0, 0.08, -0.35 + 0.2 * std::min(1.0, 2 * t)};
                                            },
                                        .character = std::make_shared<const Character>(ball)});
    ASSERT_TRUE(world.add_skin_collider({.body = body, .cell = 0.006f}));
    double deepest = 0;
    size_t touching = 0;
    while (world.time() < 0.6) {
        world.step();
        deepest = std::max(deepest, world.measure().penetration_max);
        size_t near = 0;
        for (size_t s = 0; s < world.groom(GroomId{0}).strand_count(); ++s)
            for (size_t i = 2; i < 30; ++i) {
                const Vec3d p = world.position({{0}, s, i}),
                            middle{0, 0.08, -0.35 + 0.2 * std::min(1.0, 2 * world.time())};
                near += length(p - middle) < 0.063;
            }
        touching = std::max(touching, near);
    }
    EXPECT_LT(deepest, 0.001);
    EXPECT_GT(touching, 20u) << "the ball does not reach the hair";
}

/// A ball of 10 cm on a bone whose scale grows to a multiple within half a second.
Character growing_ball(float scale)
{
    Character ball;
    ball.mesh = make_sphere_mesh(0.1f, 24);
    ball.nodes.resize(1);
    ball.bones = {{}};
    VertexWeights all;
    all.weights[0] = 1;
    ball.weights.assign(ball.mesh.vertices.size(), all);
    const float s = scale;
    ball.clips = {
        {"grow", 0.5, {{0, ChannelTarget::kScale, Interpolation::kLinear, {0, 0.5f}, {{1, 1, 1}, {s, s, s}}}}}};
    return ball;
}

// Without a bound, a scale of 30 takes gigabytes, and one of a million never ends.
TEST(WorldContact, TheFieldsOfABodyThatGrowsAreBounded)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const float scale : {1.0f, 30.0f, 1e6f}) {
        WorldSettings settings;
        settings.substeps = 4;
        World world(settings, threads(2));
        BodyDescription description;
        description.name = "ball";
        description.character = std::make_shared<Character>(growing_ball(scale));
        description.play = {.clip = 0, .loop = false};
        const BodyId body = world.add_body(std::move(description));
        ASSERT_TRUE(world.add_groom(*make_groom(*make_sphere_hair({.strands = 10})), {.body = body}));
        ASSERT_TRUE(world.add_skin_collider({.body = body}));
        double growth = 0;
        for (int i = 0; i < 3; ++i) {
            const StepReport report = world.step(0.2);
            EXPECT_LE(report.fields.nodes, kStepNodes) << scale;
            EXPECT_LE(report.fields.blocks, kStepBlocks) << scale;
            EXPECT_GT(report.fields.blocks, 0u) << scale;
            growth = std::max(growth, report.fields.growth());
            EXPECT_EQ(world.measure().nonfinite, 0u) << scale;
        }
        if (scale == 1.0f)
            EXPECT_EQ(growth, 1.0);
        else
            EXPECT_GT(growth, 1.5) << scale;
    }
}

TEST(WorldContact, InvalidSkinsAreRefused)
{
    World world({}, make_serial_executor());
    const BodyId bare = world.add_body({.name = "bare"});
    EXPECT_FALSE(world.add_skin_collider({.body = bare}));
    EXPECT_FALSE(world.add_skin_collider({.body = {7}}));
    const BodyId bust = world.add_body({.name = "bust", .character = std::make_shared<const Character>(make_bust())});
    for (const float cell : {-1.0f, 1e-9f, 1e-4f, 0.1f, 90.0f})
        EXPECT_FALSE(world.add_skin_collider({.body = bust, .cell = cell})) << cell;
    EXPECT_TRUE(world.add_skin_collider({.body = bust}));
    Character sheet;
    sheet.mesh.vertices = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}};
    sheet.mesh.triangles = {{0, 1, 2}};
    const BodyId flat = world.add_body({.name = "flat", .character = std::make_shared<const Character>(sheet)});
    EXPECT_FALSE(world.add_skin_collider({.body = flat}));
    EXPECT_FALSE(world.add_skin_collider({.body = bust}));
}

TEST(WorldContact, HairOfAHeadRestsOnIt)
{
    Scene scene = hairy_sphere();
    World with = build(scene, 1);
    scene.bodies[0].collide = BodyCollide::kNone;
    World without = build(scene, 1);
    EXPECT_EQ(with.collider_count(), 1u);
    double deepest = 0;
    for (int i = 0; i < 120; ++i) {
        with.step();
        without.step();
        deepest = std::max(deepest, with.measure().penetration_max);
    }
    EXPECT_LT(deepest, 1e-5);
    EXPECT_LT(with.measure().stretch_max, 1e-6);
    EXPECT_EQ(without.measure().penetration_max, 0);  // there is no collider to penetrate
    // Without a collider, hair of the upper half falls into the sphere.
    size_t inside = 0;
    for (size_t s = 0; s < 90; ++s)
        for (size_t i = 2; i < 16; ++i) inside += length(without.position({{0}, s, i})) < kHeadRadius - 0.01;
    EXPECT_GT(inside, 100u);
}

// A teleport carries the collider and the hair of a body along. The collider does not sweep through the space between,
// and no hair ends up inside it.
void expect_teleport_to_carry_collider(bool skin)
{
    WorldSettings settings;
    settings.substeps = 4;
    settings.air = {2, 1};
    World world(settings, make_serial_executor());
    SphereStyle style;
    style.strands = 60;
    style.particles = 16;
    style.length = 0.25f;
    Character mesh;
    mesh.mesh = make_sphere_mesh(style.radius, 32);
    const BodyId body =
        world.add_body({.name = "head", .character = skin ? std::make_shared<const Character>(mesh) : nullptr});
    ASSERT_TRUE(world.add_groom(std::move(*make_groom(*make_sphere_hair(style))), {.body = body}));
    if (skin)
        ASSERT_TRUE(world.add_skin_collider({.body = body, .cell = 0.005f}));
    else
        ASSERT_TRUE(world.add_collider({.body = body, .radius_a = style.radius, .radius_b = style.radius}));
    for (int i = 0; i < (kSanitized && skin ? 2 : 600); ++i) world.step();
    const Metrics before = world.measure();
    const Vec3d tip = world.position({{0}, 7, 15});
    const Pose there{{100, 20, -30}, {}};
    ASSERT_TRUE(world.push_poses(body, {&there, 1}));
    ASSERT_TRUE(world.teleport(body));
    for (int i = 0; i < (kSanitized && skin ? 1 : 10); ++i) world.step();
    const Metrics after = world.measure();
    EXPECT_LT(after.penetration_max, 1e-4 + before.penetration_max);
    if (kSanitized && skin) return;
    EXPECT_LT(before.fastest, 1e-2);
    EXPECT_LT(after.fastest, 1e-2);
    EXPECT_LT(length(world.position({{0}, 7, 15}) - tip - there.position), 1e-3);
}

TEST(WorldContact, TeleportCarriesColliders)
{
    expect_teleport_to_carry_collider(false);
    expect_teleport_to_carry_collider(true);
}

TEST(WorldContact, SettlingTakesNoTimeAndMovesNoBody)
{
    Scene scene = hairy_sphere();
    World raw = build(scene, 1);
    scene.settle = 4;
    scene.settle_wind = {0, 0, -3};
    World settled = build(scene, 1);
    EXPECT_EQ(settled.time(), 0);
    EXPECT_EQ(settled.steps(), 0u);
    EXPECT_EQ(length(settled.position({{0}, 3, 0}) - raw.position({{0}, 3, 0})), 0);
    EXPECT_GT(length(settled.position({{0}, 3, 15}) - raw.position({{0}, 3, 15})), 0.05);
    EXPECT_LT(settled.measure().fastest, 0.1);
    EXPECT_LT(settled.measure().penetration_max, 1e-5);
}

TEST(WorldContact, SettlingReportsItsProgressAndCanBeStopped)
{
    World world = build(hairy_sphere(), 1), other = build(hairy_sphere(), 1);
    const double dt = world.settings().dt;
    std::vector<double> shares;
    const auto up_to = [&](double last) {
        return [&shares, last](double share) {
            shares.push_back(share);
            return share < last;
        };
    };
    EXPECT_FALSE(world.settle(8.5 * dt, {0, 0, 0}, up_to(0.5)));
    EXPECT_EQ(shares, (std::vector<double>{0.125, 0.25, 0.375, 0.5}));
    EXPECT_TRUE(other.settle(4.5 * dt));
    EXPECT_EQ(world.state_hash(), other.state_hash());
    world.step();
    EXPECT_EQ(world.steps(), 1u) << "time passes again";
}

TEST(WorldContact, WindBlowsOnlyForItsDuration)
{
    const auto tip_at = [](double seconds, const Vec3f& wind) {
        WorldSettings settings;
        settings.substeps = 2;
        settings.air = {3, 1.5f};
        settings.wind.velocity = wind;
        settings.wind.start = 1;
        settings.wind.duration = 1;
        World world(settings, make_serial_executor());
        const BodyId body = world.add_body({.name = "hand"});
        RopeStyle style;
        style.direction = {0, -1, 0};
        EXPECT_TRUE(world.add_groom(std::move(*make_groom(*make_ropes(style))), {.body = body}));
        while (world.time() < seconds) world.step();
        return world.position({{0}, 0, 29}).x;
    };
    EXPECT_EQ(tip_at(0.95, {4, 0, 0}), tip_at(0.95, {0, 0, 0}));
    EXPECT_GT(tip_at(1.9, {4, 0, 0}), 0.1);
    EXPECT_LT(std::abs(tip_at(8, {4, 0, 0})), 0.02);
}

TEST(WorldContact, ScenesNameTheirBones)
{
    const auto built = [](const std::string& collider) {
        const auto scene =
            parse_scene("[body]\nmesh = \"bust\"\n[groom]\nstyle = \"straight\"\nstrands = 8\n" + collider, "s.toml");
        if (!scene) return scene.error();
        const auto world = build_world(*scene, make_serial_executor());
        return world ? std::to_string(world->collider_count()) : world.error();
    };
    EXPECT_EQ(built("[[collider]]\nbone = \"head\"\nradius = 0.1\n"), "1");
    EXPECT_EQ(built("[[collider]]\nbone = \"2\"\nshape = \"capsule\"\nb = [0, 1, 0]\nradius_b = 0.3\n"), "1");
    EXPECT_NE(built("[[collider]]\nbone = \"tail\"\n").find("shoulders, head"), std::string::npos);
    EXPECT_NE(built("[[collider]]\nbody = \"nobody\"\n").find("s.toml"), std::string::npos);
    EXPECT_NE(built("[[collider]]\nradius = -1\n").find("collider.radius"), std::string::npos);
    EXPECT_NE(built("[contact]\nfriction = -1\n").find("contact.friction"), std::string::npos);
}

}  // namespace
}  // namespace tendril::test
