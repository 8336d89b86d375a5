// Strands and their bodies: root bindings, teleport, reset.
#include "support/head.h"
#include "support/ropes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tendril::test {
namespace {

// Reading the curves must not disturb a teleport.
TEST(World, TeleportTurnsTheStrandsAfterCurvesWereRead)
{
    WorldSettings settings;
    settings.gravity = {0, 0, 0};
    RopeStyle style;
    style.length = 1;
    World world = make_world(style, settings);
    world.step();
    const Pose turned{{0, 0, 0}, rotation_about({0, 0, 1}, 1.5707963267948966)};
    ASSERT_TRUE(world.push_poses(BodyId{0}, {&turned, 1}));
    (void)world.curves(kRope);
    ASSERT_TRUE(world.teleport(BodyId{0}));
    EXPECT_LT(length(world.position({kRope, 0, 29}) - Vec3d{0, 1, 0}), 1e-5);
}

// In the curves of a free rope, segments keep their lengths even kilometres below the body where the rope started.
TEST(World, CurvesOfFallenRopesKeepTheirLengths)
{
    RopeStyle style = paper_rope();
    style.ends = Ends::kFree;
    World world = make_world(style, paper_settings());
    for (int i = 0; i < 3000; ++i) world.step();
    const CurvesView c = world.curves(kRope);
    EXPECT_LT(c.origin.y, -4000);
    for (size_t i = 1; i < c.points.size(); ++i)
        EXPECT_NEAR(length(to_double(c.points[i]) - to_double(c.points[i - 1])), 0.02, 2e-7);
}

// --- Teleport and reset

TEST(World, TeleportCarriesShapeAndVelocity)
{
    auto build = [] {
        WorldSettings settings;
        settings.gravity = {0, 0, 0};  // gravity does not turn with the hair
        World world(settings, make_serial_executor());
        const BodyId body = world.add_body({.name = "pushed"});
        SphereStyle style;
        style.strands = 8;
        EXPECT_TRUE(world.add_groom(std::move(*make_groom(*make_sphere_hair(style))), {.body = body}));
        return world;
    };
    auto move = [](World& world, const Pose& frame, int from, int to) {
        for (int i = from; i < to; ++i) {
            const Pose local{{0.02 * std::sin(0.3 * i), 0.01 * i, 0}, {}};
            const Pose pose{transform_point(frame, local.position), frame.rotation};
            world.push_poses(BodyId{0}, {&pose, 1}, world.time() + world.settings().dt);
            world.step();
        }
    };
    World stays = build(), jumps = build();
    const Pose home, away{{500, 20, -70}, rotation_about({0.6, 0, 0.8}, 1.2)};
    move(stays, home, 0, 60);
    move(jumps, home, 0, 30);
    const Pose here{transform_point(away, {0.02 * std::sin(0.3 * 29), 0.01 * 29, 0}), away.rotation};
    ASSERT_TRUE(jumps.push_poses(BodyId{0}, {&here, 1}, jumps.time()));
    ASSERT_TRUE(jumps.teleport(BodyId{0}));
    move(jumps, away, 30, 60);
    double worst = 0;
    for (size_t s = 0; s < 8; ++s) {
        const auto a = positions(stays, s), b = positions(jumps, s);
        for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, length(transform_point(away, a[i]) - b[i]));
    }
    EXPECT_LT(worst, 0.02 * kStrandLength);
    EXPECT_LE(jumps.measure().stretch_max, 1e-6);
}

TEST(World, ResetBringsBackTheRestPose)
{
    World world = make_head({}, 8, make_serial_executor());
    for (int i = 0; i < 50; ++i) world.step();
    world.reset();
    EXPECT_LT(world.measure().fastest, 1e-6);
    Pose pose;
    shake_head(world.time(), {&pose, 1});
    for (size_t i = 0; i < 16; ++i)
        EXPECT_LT(
            length(world.position({kRope, 3, i}) - transform_point(pose, to_double(world.groom(kRope).points(3)[i]))),
            1e-6);
}

// --- Bindings

TEST(World, FramePerRootAndOneFrameAgree)
{
    SphereStyle style;
    style.strands = 40;
    style.particles = 12;
    WorldSettings settings;
    settings.substeps = 2;
    World one_bone(settings, make_serial_executor()), framed(settings, threads(2));
    const BodyId a = one_bone.add_body({.name = "head", .function = shake_head});
    const BodyId b = framed.add_body({.name = "roots", .bones = 40, .function = [](double t, std::span<Pose> bones) {
                                          shake_head(t, bones);
                                          std::fill(bones.begin(), bones.end(), bones[0]);
                                      }});
    WeightedBoneBinding binding;
    binding.rest.resize(40);
    for (uint32_t s = 0; s < 40; ++s) binding.weights.push_back({{{s, 2.0f}, {0, 0}, {0, 0}, {0, 0}}});
    ASSERT_TRUE(one_bone.add_groom(std::move(*make_groom(*make_sphere_hair(style))), {.body = a}));
    ASSERT_TRUE(framed.add_groom(std::move(*make_groom(*make_sphere_hair(style))), {.body = b, .binding = binding}));
    for (int i = 0; i < 60; ++i) {
        one_bone.step();
        framed.step();
    }
    EXPECT_LT(deviation(one_bone, framed), 1e-3);
    EXPECT_LE(framed.measure().stretch_max, 1e-6);
}

// Roots follow a triangle whose vertices the host pushes, even if it deforms.
TEST(World, RootsFollowPushedVertices)
{
    WorldSettings settings;
    World world(settings, threads(2));
    const BodyId body = world.add_body({.name = "mesh", .bones = 0, .vertices = 3});
    auto vertices_at = [](double t) {
        const float x = static_cast<float>(0.2 * std::sin(3 * t));
        return std::vector<Vec3f>{{x, 0, 0}, {1 + 2 * x, 0, 0}, {x, 0, 1}};
    };
    auto push = [&](double t) { return world.push_vertices(body, vertices_at(t), {100, 0, 0}, t); };
    TriangleBinding binding;
    binding.rest = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    GroomData data;
    for (int s = 0; s < 20; ++s) {
        const float u = 0.02f * static_cast<float>(s), v = 0.5f - u;
        binding.triangles.push_back({0, 1, 2});
        binding.weights.push_back({1 - u - v, u, v});
        data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
        for (int i = 0; i < 8; ++i) data.points.push_back({u, 0.02f * static_cast<float>(i), v});
    }
    data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
    EXPECT_FALSE(world.add_groom(std::move(*make_groom(data)), {.body = body, .binding = binding}));  // no vertices yet
    ASSERT_TRUE(push(0));
    ASSERT_TRUE(world.add_groom(std::move(*make_groom(std::move(data))), {.body = body, .binding = binding}));
    double t = 0;
    for (int i = 0; i < 120; ++i) {
        t += 1.0 / 50;
        ASSERT_TRUE(push(t));
        world.advance(1.0 / 50);
        EXPECT_LE(world.measure().stretch_max, 1e-6);
        const auto v = vertices_at(t);
        const CurvesView c = world.curves(kRope);
        for (size_t s = 0; s < 20; ++s) {
            const Vec3f& w = binding.weights[s];
            const Vec3f expected = v[0] * w.x + v[1] * w.y + v[2] * w.z;
            EXPECT_LT(length(c.origin + to_double(c.points[c.first_point[s]]) - to_double(expected) - Vec3d{100, 0, 0}),
                      1e-5);
        }
    }
}

TEST(World, BindingsThatDoNotFitAreRefused)
{
    World world(WorldSettings{}, make_serial_executor());
    const BodyId body = world.add_body({.name = "two", .bones = 2});
    auto add = [&](GroomSettings settings) {
        return bool(world.add_groom(std::move(*make_groom(*make_ropes({}))), std::move(settings)));
    };
    EXPECT_FALSE(add({.body = BodyId{7}}));
    EXPECT_FALSE(add({.body = body, .binding = OneBoneBinding{2}}));
    EXPECT_FALSE(add({.body = body, .binding = WeightedBoneBinding{}}));
    EXPECT_FALSE(add({.body = body, .binding = TriangleBinding{}}));
    EXPECT_FALSE(add({.body = body, .particle_mass = 0}));
    EXPECT_TRUE(add({.body = body, .binding = OneBoneBinding{1}}));
}

TEST(World, SeveralGroomsAndBodiesLiveTogether)
{
    World world(WorldSettings{}, threads(2));
    const BodyId head = world.add_body({.name = "head", .function = shake_head});
    const BodyId post = world.add_body({.name = "post", .function = [](double, std::span<Pose> b) {
                                            b[0].position = {1, 1, 0};
                                        }});
    ASSERT_TRUE(world.add_groom(std::move(*make_groom(*make_sphere_hair({.strands = 30}))), {.body = head}));
    auto rope = world.add_groom(std::move(*make_groom(*make_ropes({}))), {.body = post});
    ASSERT_TRUE(rope);
    for (int i = 0; i < 100; ++i) world.step();
    EXPECT_EQ(world.groom_count(), 2u);
    EXPECT_EQ(world.strand_count(), 31u);
    EXPECT_EQ(world.position({*rope, 0, 0}), (Vec3d{1, 1, 0}));
    EXPECT_LE(world.measure().stretch_max, 1e-6);
}

}  // namespace
}  // namespace tendril::test
