// Worlds with strings: twist, tears, release, ties, and rigid bodies that hang on them.
#include "bench/allocations.h"
#include "support/head.h"
#include "support/sanitized.h"
#include "tendril/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tendril::test {
namespace {

World world_of(const std::string& scene, const Overrides& overrides = {},
               std::shared_ptr<Executor> executor = make_serial_executor())
{
    const auto read = read_scene(std::string(TENDRIL_SOURCE_DIR) + "/scenes/" + scene + ".toml", overrides);
    EXPECT_TRUE(read) << (read ? "" : read.error());
    auto world = build_world(*read, std::move(executor));
    EXPECT_TRUE(world) << (world ? "" : world.error());
    return std::move(*world);
}

void run_until(World& world, double seconds)
{
    while (world.time() < seconds - 1e-9) world.step();
}

TEST(WorldStrings, TwistIsUniformInAUniformString)
{
    World world = world_of("torsion_uniform");
    run_until(world, 4.5);
    const auto angles = world.segments({0}).angles;
    const size_t last = angles.size() - 2;  // the last point has no segment
    const double total = static_cast<double>(angles[last]) - static_cast<double>(angles[0]);
    EXPECT_NEAR(std::abs(total), 18.85, 0.02);
    for (size_t i = 0; i <= last; ++i) {
        const double even = total * static_cast<double>(i) / static_cast<double>(last);
        EXPECT_NEAR(static_cast<double>(angles[i] - angles[0]), even, 0.01 * std::abs(total)) << i;
    }
}

TEST(WorldStrings, TwistIsInverselyProportionalToRigidity)
{
    World world = world_of("torsion_varying");
    run_until(world, 4.5);
    const auto angles = world.segments({0}).angles;
    const size_t last = angles.size() - 2;
    // Compliance of the joint before a segment: one over the fourth power of the width.
    std::vector<double> compliance(last + 1, 0.0);
    double sum = 0;
    for (size_t i = 1; i <= last; ++i) {
        const double width = 0.04 - 0.02 * static_cast<double>(i) / static_cast<double>(last + 1);
        sum += compliance[i] = 1 / std::pow(width, 4);
    }
    const double total = static_cast<double>(angles[last]) - static_cast<double>(angles[0]);
    for (size_t i = 1; i <= last; ++i) {
        const double expected = total * compliance[i] / sum;
        EXPECT_NEAR(static_cast<double>(angles[i]) - static_cast<double>(angles[i - 1]), expected,
                    0.03 * std::abs(expected))
            << i;
    }
}

// Beyond its critical torque, the cord buckles into a loop: it touches itself, far from the straight line.
TEST(WorldStrings, ATwistedCordBucklesIntoALoop)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    World world = world_of("twist_loop");
    run_until(world, 1);
    double off = 0;
    const auto farthest = [&] {
        double largest = 0;
        for (size_t i = 0; i <= 100; ++i) {
            const Vec3d p = world.position({{0}, 0, i});
            largest = std::max(largest, length(Vec3d{0, p.y, p.z}));
        }
        return largest;
    };
    EXPECT_LT(farthest(), 0.002);  // half a turn is below the critical torque
    bool touched = false;
    while (!touched && world.time() < 12) {
        world.step();
        for (const StringEvent& event : world.take_events()) {
            touched |= event.kind == StringEventKind::kTouched;
            EXPECT_LT(event.segment.particle + 5, event.other.particle);
        }
        off = std::max(off, farthest());
    }
    EXPECT_TRUE(touched);
    EXPECT_GT(off, 0.04);
}

std::vector<StringEvent> tears_of(const Overrides& overrides, std::shared_ptr<Executor> executor)
{
    World world = world_of("tear", overrides, std::move(executor));
    std::vector<StringEvent> tears;
    while (world.time() < 6 && tears.size() < 5) {
        world.step();
        for (const StringEvent& event : world.take_events())
            if (event.kind == StringEventKind::kTorn) tears.push_back(event);
    }
    return tears;
}

TEST(WorldStrings, ThreadsTearInTheOrderOfTheirStrength)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const double area = std::numbers::pi * 0.003 * 0.003;
    const auto tears = tears_of({}, make_serial_executor());
    ASSERT_EQ(tears.size(), 5u);
    for (uint32_t i = 0; i < 5; ++i) {
        EXPECT_EQ(tears[i].segment.groom.index, i);
        const double strength = area * (1.2e8 + 0.5e8 * i);
        EXPECT_NEAR(tears[i].tension, strength, 0.05 * strength) << i;
    }
    for (const int count : {2, 3}) {
        const auto again = tears_of({}, threads(count));
        ASSERT_EQ(again.size(), 5u);
        for (size_t i = 0; i < 5; ++i) EXPECT_EQ(again[i].segment.particle, tears[i].segment.particle);
    }
}

/// Measurements of a cord that is stretched and released.
struct Release {
    double speed;                      ///< of the end of the cord 0.1 s after the release [m/s]
    double gained;                     ///< largest relative growth of the energy since the release
    double twist_before, twist_after;  ///< [rad]
};
Release release_in(const std::string& scene)
{
    World world = world_of(scene);
    run_until(world, 1.5);
    const double stored = world.measure().energy();
    const auto twist = [&] {
        const auto angles = world.segments({0}).angles;
        return std::abs(static_cast<double>(angles[angles.size() - 2] - angles[0]));
    };
    Release out{0, 0, twist(), 0};
    const size_t tip = world.groom({0}).points(0).size() - 1;
    for (int i = 0; i < 10; ++i) {
        const Vec3d before = world.position({{0}, 0, tip});
        world.step();
        out.speed = length(world.position({{0}, 0, tip}) - before) / 0.01;
        out.gained = std::max(out.gained, (world.measure().energy() - stored) / std::abs(stored));
    }
    run_until(world, 3);
    out.twist_after = twist();
    return out;
}

TEST(WorldStrings, AReleasedCordFlicks)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const Release limp = release_in("flick_a"), springs = release_in("flick_b"), twisted = release_in("flick_c");
    EXPECT_GT(springs.speed, 3 * limp.speed);
    EXPECT_GT(twisted.speed, 3 * limp.speed);
    EXPECT_LT(springs.gained, 1e-3);
    EXPECT_LT(twisted.gained, 1e-3);
    EXPECT_GT(twisted.twist_before, 25);
    EXPECT_LT(twisted.twist_after, 0.2 * twisted.twist_before);
}

/// A crate on a rope of two metres.
World crate_on_rope(double mass, const WorldSettings& base = {})
{
    WorldSettings settings = base;
    settings.dt = 0.01;
    settings.solver.type = SolverType::kChainShape;
    settings.air = {2, 2};
    World world(settings, make_serial_executor());
    world.add_body({.name = "hook", .function = [](double, std::span<Pose> bones) { bones[0] = {}; }});
    RopeStyle style;
    style.particles = 41;
    style.length = 2;
    style.direction = {0, -1, 0};
    style.width = 0.01f;
    GroomSettings groom;
    groom.material = *string_material("nylon");
    groom.material.bend_modulus = 1e6;
    const auto rope = world.add_groom(*make_groom(*make_ropes(style)), groom);
    EXPECT_TRUE(rope);
    RigidBody crate;
    crate.mass = mass;
    crate.linear_damping = 1;
    const auto body = world.add_rigid_body(crate, {{0, -2.1, 0}, {}}, "crate");
    if (!body) return world;
    EXPECT_TRUE(world.hold({*rope, 0, 40}, *body, 0, {0, 0.1, 0}));
    return world;
}

TEST(WorldStrings, TensionCarriesAHangingCrate)
{
    for (const double mass : {0.5, 5.0, 50.0}) {
        World world = crate_on_rope(mass);
        if (world.body_count() < 2) GTEST_SKIP() << "built without Bullet";
        run_until(world, kSanitized ? 0.5 : 4);
        if (kSanitized) continue;
        const auto tensions = world.tensions({0});
        const double segment = 1140 * std::numbers::pi * 0.005 * 0.005 * 0.05;  // mass of a segment
        for (size_t i = 1; i <= 40; ++i) {
            const double below = mass + segment * (40.5 - static_cast<double>(i));
            EXPECT_NEAR(static_cast<double>(tensions[i]), below * 9.81, 0.02 * below * 9.81) << mass << ", " << i;
        }
        EXPECT_LT(world.measure().fastest, 0.05) << mass;
    }
}

TEST(WorldStrings, SameBitsAfterSaveAndLoadWithRigidBodies)
{
    World world = crate_on_rope(5);
    if (world.body_count() < 2) GTEST_SKIP() << "built without Bullet";
    world.cut({{0}, 0, 20});
    for (int i = 0; i < 5; ++i) world.step();
    World other = crate_on_rope(5);
    ASSERT_TRUE(other.load(world.save()));
    EXPECT_EQ(other.state_hash(), world.state_hash());
    for (int i = 0; i < 10; ++i) world.step(), other.step();
    EXPECT_EQ(other.state_hash(), world.state_hash());
}

TEST(WorldStrings, ACutRopeFallsAndAResetMendsIt)
{
    World world = crate_on_rope(5);
    if (world.body_count() < 2) GTEST_SKIP() << "built without Bullet";
    world.step();
    EXPECT_FALSE(world.cut({{0}, 0, 40}));  // no segment begins at the tip
    EXPECT_TRUE(world.cut({{0}, 0, 20}));
    const auto events = world.take_events();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].kind, StringEventKind::kCut);
    EXPECT_EQ(events[0].segment.particle, 20u);
    EXPECT_TRUE(world.take_events().empty());
    EXPECT_EQ(world.segments({0}).widths[20], 0.0f);
    for (int i = 0; i < 40; ++i) world.step();
    EXPECT_LT(world.position({{0}, 0, 21}).y, -1.5);
    EXPECT_GT(world.position({{0}, 0, 20}).y, -1.1);
    EXPECT_LT(world.measure().stretch_max, 0.1);  // the gap does not count as a segment
    world.reset();
    world.step();
    EXPECT_GT(world.segments({0}).widths[20], 0.0f);
    EXPECT_NEAR(world.position({{0}, 0, 40}).y, -2, 0.05);
    EXPECT_NEAR(world.pose({1}).position.y, -2.1, 0.05);
}

TEST(WorldStrings, AHoldIsReleasedInTimeAndSlidesAlongItsDirection)
{
    WorldSettings settings;
    settings.dt = 0.01;
    settings.solver.type = SolverType::kChainShape;
    World world(settings, make_serial_executor());
    world.add_body({.name = "wall"});
    const Pose origin;
    world.push_poses({0}, std::span(&origin, 1), 0);
    RopeStyle style;
    style.particles = 21;
    style.length = 1;
    GroomSettings cotton;
    cotton.material = *string_material("cotton_thread");
    const auto rope = world.add_groom(*make_groom(*make_ropes(style)), cotton);
    ASSERT_TRUE(rope);
    ASSERT_TRUE(world.hold({*rope, 0, 20}, {0}, 0, {1, 0, 0}, {.slide = {1, 0, 0}, .until = 0.5}));
    run_until(world, 0.45);
    EXPECT_NEAR(world.position({*rope, 0, 20}).y, 0, 1e-6);
    EXPECT_LT(world.position({*rope, 0, 20}).x, 0.99);  // the sag has pulled it inwards
    run_until(world, 0.8);
    EXPECT_LT(world.position({*rope, 0, 20}).y, -0.1);
}

TEST(WorldHold, IsReleasedInTimeWithOtherMethods)
{
    WorldSettings settings;
    settings.dt = 0.01;
    World world(settings, make_serial_executor());
    world.add_body({.name = "wall", .function = [](double, std::span<Pose> bones) { bones[0] = {}; }});
    RopeStyle style;
    style.particles = 21;
    style.length = 1;
    const auto rope = world.add_groom(*make_groom(*make_ropes(style)));
    ASSERT_TRUE(rope);
    ASSERT_TRUE(world.hold({*rope, 0, 20}, {0}, 0, {0.9, 0, 0}, {.until = 0.5}));
    run_until(world, 0.5);
    EXPECT_NEAR(world.position({*rope, 0, 20}).y, 0, 1e-4);
    run_until(world, 0.8);
    EXPECT_LT(world.position({*rope, 0, 20}).y, -0.1);
}

// Strings can have any number of holds; other methods keep the first 14 and ignore the rest.
TEST(WorldHold, OtherMethodsKeepTheFirstHoldsOfAString)
{
    WorldSettings settings;
    settings.dt = 0.01;
    settings.solver.type = SolverType::kChainShape;
    World world(settings, make_serial_executor());
    RopeStyle style;
    style.particles = 41;
    style.length = 1;
    const auto rope = world.add_groom(*make_groom(*make_ropes(style)));
    ASSERT_TRUE(rope);
    const auto target = [](size_t particle) { return Vec3d{0.025 * static_cast<double>(particle), 0, 0}; };
    for (size_t i = 2; i <= 40; i += 2) ASSERT_TRUE(world.hold({*rope, 0, i}, {0}, 0, target(i)));
    run_until(world, 0.05);
    EXPECT_LT(length(world.position({*rope, 0, 40}) - target(40)), 1e-4);
    world.settings().solver.type = SolverType::kDftl;
    run_until(world, 0.25);
    for (size_t i = 2; i <= 28; i += 2) EXPECT_LT(length(world.position({*rope, 0, i}) - target(i)), 1e-4) << i;
    EXPECT_LT(world.position({*rope, 0, 40}).y, -0.05);
}

// A string tied to another string, as in a bridge.
TEST(WorldStrings, TiesHold)
{
    WorldSettings settings;
    settings.dt = 0.01;
    settings.solver.type = SolverType::kChainShape;
    settings.air = {2, 2};
    World world(settings, make_serial_executor());
    world.add_body({.name = "wall", .function = [](double, std::span<Pose> bones) { bones[0] = {}; }});
    RopeStyle across, down;
    across.particles = 21, across.length = 1, across.ends = Ends::kBothHeld, across.width = 0.004f;
    down.particles = 11, down.length = 0.5, down.ends = Ends::kFree, down.direction = {0, -1, 0}, down.width = 0.004f;
    GroomData hanging = *make_ropes(down);
    for (Vec3f& p : hanging.points) p.x += 0.5f;
    GroomSettings cotton;
    cotton.material = *string_material("cotton_thread");
    const auto first = world.add_groom(*make_groom(*make_ropes(across)), cotton);
    const auto second = world.add_groom(*make_groom(std::move(hanging)), cotton);
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(world.tie({*first, 0, 3}, {*first, 0, 3}));
    EXPECT_FALSE(world.tie({*first, 0, 21}, {*second, 0, 0}));
    ASSERT_TRUE(world.tie({*second, 0, 0}, {*first, 0, 10}));
    for (int i = 0; i < 100; ++i) {
        world.step();
        EXPECT_LT(length(world.position({*second, 0, 0}) - world.position({*first, 0, 10})), 2e-3);
    }
    // The upper string carries the one that hangs on it.
    EXPECT_GT(world.position({*second, 0, 0}).y, -0.2);
    EXPECT_LT(world.measure().stretch_max, 0.02);
}

// A string whose rest pose is 5 mm inside a collider is pushed out over `contact.ease`, not flung away.
TEST(WorldStrings, ARestPoseInsideAColliderIsEasedOut)
{
    for (const float ease : {0.3f, 0.0f}) {
        WorldSettings settings;
        settings.dt = 0.01;
        settings.contact.ease = ease;
        settings.solver.type = SolverType::kChainShape;
        World world(settings, make_serial_executor());
        const BodyId hook = world.add_body({.name = "hook"});
        RopeStyle style;
        style.particles = 31;
        style.length = 0.6f;
        style.width = 0.004f;
        style.direction = {0, -1, 0};
        GroomSettings cord{.body = hook};
        cord.material = *string_material("nylon");
        const GroomId rope = *world.add_groom(*make_groom(*make_ropes(style)), cord);
        // The cord, with its radius of 2 mm and the margin of 1 mm, is 5 mm too near.
        ASSERT_TRUE(world.add_collider(
            {.body = hook, .a = {0.048, -0.3, 0}, .b = {0.048, -0.3, 0}, .radius_a = 0.05f, .radius_b = 0.05f}));
        double fastest = 0;
        size_t torn = 0;
        for (int i = 0; i < 60; ++i) {
            torn += world.step().torn;
            fastest = std::max(fastest, world.measure().fastest);
        }
        EXPECT_EQ(torn, 0u);
        // Without easing, the particles leave at metres per second.
        if (ease > 0)
            EXPECT_LT(fastest, 0.5);
        else
            EXPECT_GT(fastest, 0.5);
        EXPECT_LT(world.position({rope, 0, 15}).x, -0.0045);
    }
}

TEST(WorldStrings, ANonFinitePoseIsReplacedByTheLastValidOne)
{
    WorldSettings settings;
    settings.dt = 0.01;
    settings.solver.type = SolverType::kChainShape;
    World world(settings, make_serial_executor());
    world.add_body({.name = "hand", .function = [](double t, std::span<Pose> bones) {
                        const bool lost = t > 0.055 && t < 0.095;
                        bones[0].position = {lost ? std::numeric_limits<double>::quiet_NaN() : 1.0, 2, 3};
                    }});
    RopeStyle style;
    style.direction = {0, -1, 0};
    const auto rope = world.add_groom(*make_groom(*make_ropes(style)));
    ASSERT_TRUE(rope);
    size_t bad = 0;
    for (int i = 0; i < 20; ++i) {
        bad += world.step().bad_poses;
        EXPECT_LT(length(world.position({*rope, 0, 1}) - Vec3d{1, 1.98, 3}), 1e-4) << i;
        EXPECT_LT(world.measure().stretch_max, 1e-3) << i;
    }
    EXPECT_GT(bad, 0u);
}

/// All numbers of a view in sequence.
std::vector<float> numbers_of(const SegmentsView& view)
{
    std::vector<float> all;
    for (const auto part : {view.widths, view.angles, view.tensions}) all.insert(all.end(), part.begin(), part.end());
    for (const Vec3f& v : view.across) all.insert(all.end(), {v.x, v.y, v.z});
    return all;
}

// A host may request the views of all grooms before it draws them.
TEST(WorldStrings, AViewStaysValidWhileOthersAreRequested)
{
    WorldSettings settings;
    settings.dt = 0.01;
    settings.solver.type = SolverType::kChainShape;
    World world(settings, make_serial_executor());
    RopeStyle of_few, of_many;
    of_few.particles = 11, of_few.width = 0.002f;
    of_many.particles = 41, of_many.strands = 2;
    const auto few = world.add_groom(*make_groom(*make_ropes(of_few)));
    const auto many = world.add_groom(*make_groom(*make_ropes(of_many)));
    ASSERT_TRUE(few && many);
    for (int i = 0; i < 5; ++i) world.step();
    ASSERT_TRUE(world.cut({*few, 0, 5}));
    const std::vector<float> few_alone = numbers_of(world.segments(*few));
    const std::vector<float> many_alone = numbers_of(world.segments(*many));
    const SegmentsView view_of_few = world.segments(*few), view_of_many = world.segments(*many);
    EXPECT_EQ(numbers_of(view_of_few), few_alone);
    EXPECT_EQ(numbers_of(view_of_many), many_alone);
    world.tensions(*few);
    EXPECT_EQ(numbers_of(view_of_many), many_alone);
}

/// A cord that is twisted back and forth over a ball, and threads that are lowered onto it and lifted again.
World twisted_cord_under_threads()
{
    WorldSettings settings;
    settings.dt = 0.01;
    settings.substeps = 4;
    settings.air = {5, 5};
    settings.solver.type = SolverType::kChainShape;
    settings.interaction.method = InteractionMethod::kContacts;
    World world(settings, make_serial_executor());
    const auto swing = [](double t) { return std::sin(2 * std::numbers::pi * t / 0.5); };
    world.add_body({.name = "wall", .function = [](double, std::span<Pose>) {}});
    world.add_body({.name = "twister", .function = [swing](double t, std::span<Pose> bones) {
                        bones[0] = {{0.58, 0, 0}, rotation_about({1, 0, 0}, 3 * swing(t))};
                    }});
    world.add_body({.name = "loom", .function = [swing](double t, std::span<Pose> bones) {
                        bones[0].position = {0, 0.01 * swing(t), 0};
                    }});
    EXPECT_TRUE(world.add_collider({.body = {0}, .a = {0.3, -0.06, 0}, .b = {0.3, -0.06, 0}, .radius_a = 0.05f}));
    RopeStyle along, across;
    along.particles = 31;
    across.particles = 21, across.length = 0.4f, across.direction = {0, 0, 1}, across.ends = Ends::kBothHeld;
    GroomSettings cotton;
    cotton.material = *string_material("cotton_thread");
    cotton.clamped = true;
    const auto cord = world.add_groom(*make_groom(*make_ropes(along)), cotton);
    EXPECT_TRUE(cord && world.hold({*cord, 0, 30}, {1}, 0, {0, 0, 0}, {.clamped = true}));
    cotton.body = {2};
    for (const float x : {0.1f, 0.2f, 0.4f, 0.5f}) {
        GroomData thread = *make_ropes(across);
        for (Vec3f& p : thread.points) p = p + Vec3f{x, 0.007f, -0.2f};
        EXPECT_TRUE(world.add_groom(*make_groom(std::move(thread)), cotton));
    }
    return world;
}

TEST(WorldStrings, AStepDoesNotAllocateAfterWarmUp)
{
    if (!bench::can_count_allocations()) GTEST_SKIP() << "allocations cannot be counted in this build";
    World world = twisted_cord_under_threads();
    const auto steps_of_a_period = [&](double& twist) {
        for (int i = 0; i < 50; ++i) {
            world.step();
            const auto angles = world.segments({0}).angles;
            twist = std::max(twist, static_cast<double>(std::abs(angles[29] - angles[0])));
        }
    };
    double twist = 0;
    for (int i = 0; i < 4; ++i) steps_of_a_period(twist);
    EXPECT_GT(twist, 2);
    world.take_events();
    uint64_t count = 0;
    size_t touches = 0;
    for (int i = 0; i < 50; ++i) {
        {
            bench::AllocationCount allocations;
            world.step();
            count += allocations.so_far();
        }
        for (const StringEvent& event : world.take_events()) touches += event.kind == StringEventKind::kTouched;
    }
    EXPECT_GE(touches, 4u);
    EXPECT_EQ(count, 0u);
}

TEST(WorldStrings, TheBridgeCarriesACrateAndBreaksUnderHeavierOnes)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    constexpr int kSecondCrate = 290, kThirdCrate = 430, kEnd = 500;  // just before the crates land; the last step
    constexpr BodyId kMiddleBoard{17};
    World world = world_of("bridge", {}, make_thread_executor());
    size_t torn = 0, by_the_second = 0;
    double deepest = 0, height = 0;
    for (int i = 0; i < kEnd; ++i) {
        torn += world.step().torn;
        if (i < kThirdCrate) by_the_second = torn;
        if (i < kSecondCrate) {
            ASSERT_EQ(torn, 0u) << i;
            height = world.pose(kMiddleBoard).position.y;
        }
        if (i % 10 != 0) continue;
        const Metrics m = world.measure();
        ASSERT_EQ(m.nonfinite, 0u) << i;
        if (i < kSecondCrate) deepest = std::max(deepest, m.penetration_max);
    }
    EXPECT_GT(by_the_second, 0u);
    EXPECT_GT(torn, by_the_second);
    EXPECT_LT(world.pose(kMiddleBoard).position.y, height - 1);
    EXPECT_LT(deepest, 0.03);  // half the thickness of a board is 0.025, and ropes are tied to its surface
}

}  // namespace
}  // namespace tendril::test
