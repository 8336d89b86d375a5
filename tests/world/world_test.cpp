// The world: time, threads, hosts, and the promises that hold whatever happens.
#include "support/ropes.h"
#include "support/thread_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace tendril::test {
namespace {

#if defined(__SANITIZE_THREAD__)
std::shared_ptr<Executor> threads(int n)
{
    return std::make_shared<HostExecutor>(static_cast<unsigned>(n));
}
#else
std::shared_ptr<Executor> threads(int n)
{
    return make_thread_executor(n);
}
#endif

void shake_head(double t, std::span<Pose> bones)
{
    bones[0].position = {0.1 * std::sin(5 * t), 0.05 * std::sin(7 * t), 0};
    bones[0].rotation = rotation_about({0, 1, 0}, 0.8 * std::sin(4 * t));
}

World make_head(const WorldSettings& settings, uint32_t strands, std::shared_ptr<Executor> executor,
                PoseFunction motion = shake_head, uint32_t particles = 16)
{
    World world(settings, std::move(executor));
    const BodyId body = world.add_body({.name = "head", .function = std::move(motion)});
    SphereStyle style;
    style.strands = strands;
    style.particles = particles;
    style.length_spread = 0.2f;
    auto id = world.add_groom(std::move(*make_groom(*make_sphere_hair(style))), {.body = body});
    EXPECT_TRUE(id);
    return world;
}

WorldSettings windy()
{
    WorldSettings settings;
    settings.substeps = 2;
    settings.air = {3, 1};
    settings.wind.velocity = {2, 0, 0};
    settings.wind.gust = 0.5f;
    settings.wind.turbulence = 1;
    return settings;
}

TEST(World, SameBitsForAnyNumberOfThreads)
{
    std::vector<uint64_t> hashes;
    for (const int n : {1, 2, 3, 8}) {
        World world = make_head(windy(), 700, threads(n));
        for (int i = 0; i < 60; ++i) world.step();
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

// The same counts, but other lengths.
TEST(World, StatesOfOtherLengthsAreRefused)
{
    RopeStyle style = paper_rope();
    World a = make_world(style, paper_settings());
    style.length = 1;
    World b = make_world(style, paper_settings());
    EXPECT_FALSE(b.load(a.save()));
}

// A host that pushes the frame's pose and then advances by the frame sees the motion of a function of time.
TEST(World, PushThenAdvanceIsTheMotionOfAFunction)
{
    WorldSettings settings = paper_settings();
    settings.substeps = 4;
    const PoseFunction motion = [](double t, std::span<Pose> bones) {
        bones[0].position = {0.3 * std::sin(4 * t), 0, 0};
    };
    World function = make_world(paper_rope(), settings, motion), pushed = make_world(paper_rope(), settings);
    const Pose start;
    ASSERT_TRUE(pushed.push_poses(BodyId{0}, {&start, 1}, 0));
    for (int i = 1; i <= 200; ++i) {
        Pose pose;
        motion(0.01 * i, {&pose, 1});
        ASSERT_TRUE(pushed.push_poses(BodyId{0}, {&pose, 1}));
        EXPECT_FALSE(function.push_poses(BodyId{0}, {&pose, 1}));  // moves by itself
        function.advance(0.01);
        pushed.advance(0.01);
    }
    EXPECT_LT(deviation(function, pushed), 5e-3 * 0.58);
}

TEST(World, NumbersThatAreNotFiniteInSettingsDoNothing)
{
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    WorldSettings settings;
    settings.dt = std::numeric_limits<double>::quiet_NaN();
    settings.substeps = -3;
    settings.gravity.y = std::numeric_limits<double>::quiet_NaN();
    settings.air = {3, nan};
    settings.wind = {{nan, 0, 0}, nan, nan, inf, nan, 1};
    settings.solver.dftl = {.velocity_correction = nan, .bend_limit = nan};
    World world = make_head(settings, 20, make_serial_executor());
    EXPECT_TRUE(std::isfinite(world.measure().energy()));
    for (int i = 0; i < 50; ++i) world.step();
    EXPECT_EQ(world.measure().nonfinite, 0u);
    EXPECT_LE(world.measure().stretch_max, 1e-6);
    World again = make_head(settings, 20, make_serial_executor());
    EXPECT_TRUE(again.load(world.save()));
}

// Looking at the curves must not disturb a teleport.
TEST(World, TeleportTurnsTheStrandsAfterALookAtTheCurves)
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
    EXPECT_LT(length(world.position(kRope, 0, 29) - Vec3d{0, 1, 0}), 1e-5);
}

// Also in the curves that are drawn, kilometres from the body that a free rope once started at.
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

// The promise of no stretch, never NaN, under everything that it names.
struct Abuse {
    const char* name;
    WorldSettings settings;
    PoseFunction motion = shake_head;
};

void PrintTo(const Abuse& abuse, std::ostream* out)
{
    *out << abuse.name;
}

class WorldAbuse : public testing::TestWithParam<Abuse> {};

TEST_P(WorldAbuse, NoStretchAndNothingNonFinite)
{
    World world = make_head(GetParam().settings, 100, make_serial_executor(), GetParam().motion, 30);
    for (int i = 0; i < 200; ++i) {
        world.step();
        const Metrics m = world.measure();
        ASSERT_EQ(m.nonfinite, 0u) << "step " << i;
        ASSERT_LE(m.stretch_max, 1e-4) << "step " << i;
        ASSERT_TRUE(std::isfinite(m.energy())) << "step " << i;
    }
}

WorldSettings with(double dt, double gravity, int substeps = 1)
{
    WorldSettings settings;
    settings.dt = dt;
    settings.gravity = {0, -gravity, 0};
    settings.substeps = substeps;
    return settings;
}

WorldSettings hurricane()
{
    WorldSettings settings = windy();
    settings.wind.velocity = {1e9f, 0, 0};
    settings.wind.turbulence = 1e9f;
    settings.air = {1e9f, 1e9f};
    return settings;
}

WorldSettings all_options()
{
    WorldSettings settings = windy();
    settings.dt = 0.2;
    settings.solver.dftl = {.velocity_correction = 0, .bend_limit = 1, .backward_pass = true};
    return settings;
}

void jump(double t, std::span<Pose> bones)
{
    shake_head(t, bones);
    if (t > 1) bones[0].position.x += 100;
}

void far_away(double t, std::span<Pose> bones)
{
    shake_head(t, bones);
    bones[0].position.x += 10000;
}

void jump_every_step(double t, std::span<Pose> bones)
{
    bones[0].position = {1e6 * std::sin(1e4 * t), 1e6 * std::cos(3e4 * t), 0};
    bones[0].rotation = rotation_about({0, 1, 0}, 1e3 * t);
}

void not_a_number(double t, std::span<Pose> bones)
{
    shake_head(t, bones);
    if (std::fmod(t, 0.3) < 0.1) bones[0].position.y = std::numeric_limits<double>::quiet_NaN();
}

const Abuse kAbuses[] = {
    {"StepOfOneMillisecond", with(0.001, 9.81)},
    {"StepOf200Milliseconds", with(0.2, 9.81)},
    {"GravityTimes1000", with(1.0 / 60, 9810)},
    {"GravityTimes1000LongStep", with(0.2, 9810)},
    {"GravityTimes1000Substeps", with(0.2, 9810, 8)},
    {"JumpOf100Metres", with(1.0 / 60, 9.81), jump},
    {"TenKilometresAway", with(1.0 / 60, 9.81), far_away},
    {"JumpsEveryStep", with(1.0 / 60, 9.81), jump_every_step},
    {"PosesThatAreNotNumbers", with(1.0 / 60, 9.81), not_a_number},
    {"Hurricane", hurricane()},
    {"AllOptions", all_options()},
};

INSTANTIATE_TEST_SUITE_P(Promises, WorldAbuse, testing::ValuesIn(kAbuses),
                         [](const auto& abuse) { return abuse.param.name; });

// Coincident particles in the input: everything in one point but for the ends.
TEST(World, CoincidentParticlesAreHarmless)
{
    GroomData data;
    for (int s = 0; s < 20; ++s) {
        for (int i = 0; i < 10; ++i) data.points.push_back({0, i < 9 ? 0.0f : 0.1f * static_cast<float>(s), 0});
        data.first_point.push_back(static_cast<uint32_t>(10 * s));
    }
    data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
    auto groom = make_groom(std::move(data));
    ASSERT_TRUE(groom);
    EXPECT_FALSE(groom->repairs().empty());
    World world(WorldSettings{}, make_serial_executor());
    const BodyId body = world.add_body({.name = "head", .function = shake_head});
    ASSERT_TRUE(world.add_groom(std::move(*groom), {.body = body}));
    for (int i = 0; i < 300; ++i) {
        world.step();
        const Metrics m = world.measure();
        ASSERT_EQ(m.nonfinite, 0u);
        ASSERT_LE(m.stretch_max, 1e-4);
    }
}

// A millimetre per segment and ten metres of it: floats could not hold that as positions.
TEST(World, LongRopeOfShortSegmentsDoesNotStretch)
{
    RopeStyle style;
    style.particles = 10001;
    style.length = 10;
    World world = make_world(style, paper_settings(), [](double t, std::span<Pose> bones) {
        bones[0].position = {12345.6 + std::sin(t), 0, 0};
    });
    for (int i = 0; i < 60; ++i) world.step();
    EXPECT_LE(world.measure().stretch_max, 1e-6);
}

TEST(World, RestStaysAtRest)
{
    WorldSettings settings;
    settings.gravity = {0, 0, 0};
    World world = make_head(settings, 64, make_serial_executor(), [](double, std::span<Pose>) {});
    for (int i = 0; i < 300; ++i) {
        world.step();
        EXPECT_LT(world.measure().fastest, 1e-5);
    }
}

// --- Time

std::vector<Vec3d> tips_at_five_seconds(const std::vector<double>& frame_times, bool pushed)
{
    WorldSettings settings;
    settings.dt = 1.0 / 120;
    settings.air = {1, 0.5f};
    World world(settings, make_serial_executor());
    BodyDescription head{.name = "head"};
    if (!pushed) head.function = shake_head;
    const BodyId body = world.add_body(head);
    SphereStyle style;
    style.strands = 32;
    style.particles = 24;
    if (pushed) {
        Pose pose;
        shake_head(0, {&pose, 1});
        EXPECT_TRUE(world.push_poses(body, {&pose, 1}, 0));
    }
    EXPECT_TRUE(world.add_groom(std::move(*make_groom(*make_sphere_hair(style))), {.body = body}));
    double t = 0;
    for (const double frame : frame_times) {
        t += frame;
        if (pushed) {
            Pose pose;
            shake_head(t, {&pose, 1});
            EXPECT_TRUE(world.push_poses(body, {&pose, 1}, t));
        }
        world.advance(frame);
    }
    const CurvesView curves = world.curves(kRope);
    std::vector<Vec3d> tips;
    for (size_t s = 0; s + 1 < curves.first_point.size(); ++s)
        tips.push_back(curves.origin + to_double(curves.points[curves.first_point[s + 1] - 1]));
    return tips;
}

std::vector<double> steady(double rate)
{
    return std::vector<double>(static_cast<size_t>(5 * rate + 0.5), 1 / rate);
}

std::vector<double> jittery()
{
    std::vector<double> frames;
    double t = 0;
    for (int i = 0; t < 5; ++i) {
        const double frame = std::min(0.004 + 0.03 * std::abs(std::sin(12.9898 * i)), 5 - t);
        frames.push_back(frame);
        t += frame;
    }
    return frames;
}

double worst_distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b)
{
    double worst = 0;
    for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, length(a[i] - b[i]));
    return worst;
}

constexpr double kStrandLength = 0.3;

TEST(World, FrameRateDoesNotChangeTheMotion)
{
    const auto reference = tips_at_five_seconds(steady(60), false);
    for (const auto& frames : {steady(30), steady(144), jittery()})
        EXPECT_LT(worst_distance(tips_at_five_seconds(frames, false), reference), 1e-3 * kStrandLength);
}

TEST(World, FrameRateOfPushedPosesDoesNotChangeTheMotion)
{
    const auto reference = tips_at_five_seconds(steady(60), true);
    for (const auto& frames : {steady(30), steady(144), jittery()})
        EXPECT_LT(worst_distance(tips_at_five_seconds(frames, true), reference), 5e-3 * kStrandLength);
    EXPECT_LT(worst_distance(tips_at_five_seconds(steady(60), false), reference), 5e-3 * kStrandLength);
}

// Seen at 1000 Hz a world of 60 Hz moves smoothly: no frame stands still, none jumps, and no segment is longer or
// shorter.
TEST(World, PicturesBetweenStepsAreInterpolated)
{
    WorldSettings settings;
    World world = make_head(settings, 16, make_serial_executor());
    for (int i = 0; i < 60; ++i) world.advance(1.0 / 60);
    std::vector<Vec3d> path;
    for (int i = 0; i < 500; ++i) {
        world.advance(0.001);
        const CurvesView c = world.curves(kRope);
        path.push_back(c.origin + to_double(c.points[c.first_point[1] - 1]));
        for (size_t k = c.first_point[3] + 1; k < c.first_point[4]; ++k) {
            const double rest = world.groom(kRope).rest_lengths(3)[k - c.first_point[3]];
            EXPECT_NEAR(length(to_double(c.points[k]) - to_double(c.points[k - 1])), rest, 2e-5 * rest + 1e-7);
        }
    }
    double fastest = 0, sharpest = 0;
    for (size_t i = 2; i < path.size(); ++i) {
        fastest = std::max(fastest, length(path[i] - path[i - 1]));
        sharpest = std::max(sharpest, length(path[i] - path[i - 1] * 2.0 + path[i - 2]));
    }
    EXPECT_GT(fastest, 1e-4);
    EXPECT_LT(sharpest, 0.5 * fastest);  // a world without interpolation would jump by 16 times its mean speed
}

// Roots are on the body that the host draws now, not where they were a step ago.
TEST(World, RootsOfTheCurvesAreWhereTheBodyIs)
{
    WorldSettings settings;
    World world = make_head(settings, 16, make_serial_executor());
    double t = 0;
    for (int i = 0; i < 100; ++i) {
        t += 0.0071;
        world.advance(0.0071);
        Pose pose;
        shake_head(t, {&pose, 1});
        const CurvesView c = world.curves(kRope);
        for (size_t s = 0; s < 16; ++s) {
            const Vec3d expected = transform_point(pose, to_double(world.groom(kRope).points(s)[0]));
            EXPECT_LT(length(c.origin + to_double(c.points[c.first_point[s]]) - expected), 1e-6);
        }
    }
}

TEST(World, AdvanceDropsTimeAfterAStallAndSaysSo)
{
    WorldSettings settings;
    World world = make_head(settings, 4, make_serial_executor());
    const StepReport report = world.advance(10);
    EXPECT_NEAR(report.dropped_time, 10 - 0.25, 1e-9);
    EXPECT_EQ(report.steps, 15);
    EXPECT_EQ(world.advance(std::numeric_limits<double>::quiet_NaN()).steps, 0);
    EXPECT_EQ(world.advance(-1).steps, 0);
}

TEST(World, PauseStopsAdvanceButNotStep)
{
    World world = make_head({}, 4, make_serial_executor());
    world.set_paused(true);
    EXPECT_EQ(world.advance(0.1).steps, 0);
    EXPECT_EQ(world.step().steps, 1);
    world.set_paused(false);
    EXPECT_GT(world.advance(0.1).steps, 0);
}

// A changed step: the part of the stored velocity that is correction is rescaled, so a strand at rest stays at rest.
TEST(World, ChangingTheStepDoesNotKick)
{
    RopeStyle style = paper_rope();
    style.direction = {0, -1, 0};
    WorldSettings settings = paper_settings();
    settings.solver.dftl.velocity_correction = 1;
    World world = make_world(style, settings);
    for (int i = 0; i < 200; ++i) world.step();
    for (const double dt : {0.005, 0.02, 0.01}) {
        for (int i = 0; i < 20; ++i) {
            world.step(dt);
            EXPECT_LT(world.measure().fastest, 1e-3) << dt;
        }
    }
}

// --- Teleport and reset

TEST(World, TeleportCarriesShapeAndVelocity)
{
    auto build = [] {
        WorldSettings settings;
        settings.gravity = {0, 0, 0};  // turned hair must not fall another way
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
            length(world.position(kRope, 3, i) - transform_point(pose, to_double(world.groom(kRope).points(3)[i]))),
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
    World rigid(settings, make_serial_executor()), framed(settings, threads(2));
    const BodyId a = rigid.add_body({.name = "head", .function = shake_head});
    const BodyId b = framed.add_body({.name = "roots", .bones = 40, .function = [](double t, std::span<Pose> bones) {
                                          shake_head(t, bones);
                                          std::fill(bones.begin(), bones.end(), bones[0]);
                                      }});
    BoneBinding binding;
    binding.rest.resize(40);
    for (uint32_t s = 0; s < 40; ++s) binding.weights.push_back({{{s, 2.0f}, {0, 0}, {0, 0}, {0, 0}}});
    ASSERT_TRUE(rigid.add_groom(std::move(*make_groom(*make_sphere_hair(style))), {.body = a}));
    ASSERT_TRUE(framed.add_groom(std::move(*make_groom(*make_sphere_hair(style))), {.body = b, .binding = binding}));
    for (int i = 0; i < 60; ++i) {
        rigid.step();
        framed.step();
    }
    EXPECT_LT(deviation(rigid, framed), 1e-3);
    EXPECT_LE(framed.measure().stretch_max, 1e-6);
}

// Roots on a triangle whose vertices the host pushes follow it, also when it deforms.
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
    EXPECT_FALSE(add({.body = body, .binding = RigidBinding{2}}));
    EXPECT_FALSE(add({.body = body, .binding = BoneBinding{}}));
    EXPECT_FALSE(add({.body = body, .binding = TriangleBinding{}}));
    EXPECT_FALSE(add({.body = body, .particle_mass = 0}));
    EXPECT_TRUE(add({.body = body, .binding = RigidBinding{1}}));
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
    EXPECT_EQ(world.position(*rope, 0, 0), (Vec3d{1, 1, 0}));
    EXPECT_LE(world.measure().stretch_max, 1e-6);
}

}  // namespace
}  // namespace tendril::test
