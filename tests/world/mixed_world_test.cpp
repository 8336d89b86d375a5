// Grooms with different methods in one world; adding, removing and disabling parts of a world.
#include "support/head.h"
#include "support/sanitized.h"
#include "tendril/world.h"

#include <gtest/gtest.h>

#include <malloc.h>
#include <optional>
#include <utility>
#include <vector>

namespace tendril::test {
namespace {

Groom hair(uint32_t strands, uint32_t particles = 12)
{
    SphereStyle style;
    style.strands = strands;
    style.particles = particles;
    return *make_groom(*make_sphere_hair(style));
}

Groom rope(double length, uint32_t particles)
{
    RopeStyle style;
    style.particles = particles;
    style.length = static_cast<float>(length);
    style.direction = {0, -1, 0};
    style.width = 0.01f;
    return *make_groom(*make_ropes(style));
}

GroomSettings of_method(BodyId body, SolverType type)
{
    GroomSettings settings;
    settings.body = body;
    SolverSettings solver;
    solver.type = type;
    settings.behaviour.solver = solver;
    return settings;
}

struct Mixed {
    World world;
    GroomId scalp, brows, cord;
    ColliderId ball;
};

/// Hair of two methods and with two shapes on one head, a string with a crate beside it, and a ball that they touch.
Mixed make_mixed(std::shared_ptr<Executor> executor)
{
    WorldSettings settings;
    settings.dt = 0.01;
    settings.substeps = 2;
    settings.interaction.method = InteractionMethod::kGrid;
    Mixed m{World(settings, std::move(executor)), {}, {}, {}, {}};
    const BodyId head = m.world.add_body({.name = "head", .function = shake_head});
    const BodyId hook = m.world.add_body({.name = "hook", .function = [](double, std::span<Pose> bones) {
                                              bones[0].position = {0.6, 0, 0};
                                          }});
    GroomSettings scalp = of_method(head, SolverType::kDftl);
    scalp.behaviour.shape = ShapeSettings{.local = 500, .global = 10};
    GroomSettings brows = of_method(head, SolverType::kDirect);
    brows.behaviour.shape = ShapeSettings{.local = 5000};
    GroomSettings cord = of_method(hook, SolverType::kChainShape);
    cord.material = *string_material("nylon");
    m.scalp = *m.world.add_groom(hair(64), scalp);
    m.brows = *m.world.add_groom(hair(20, 6), brows);
    m.cord = *m.world.add_groom(rope(1, 31), cord);
    m.ball = *m.world.add_collider(
        {.body = hook, .a = {0, -0.5, 0.05}, .b = {0, -0.5, 0.05}, .radius_a = 0.08f, .radius_b = 0.08f});
    const auto crate = m.world.add_rigid_body({.mass = 2}, {{0.6, -1.1, 0}, {}}, "crate");
    if (crate) {
        EXPECT_TRUE(m.world.hold({m.cord, 0, 30}, *crate, 0, {0, 0.1, 0}));
    }
    return m;
}

uint64_t hash_after(Mixed& m, int steps)
{
    for (int i = 0; i < steps; ++i) m.world.step();
    return m.world.state_hash();
}

TEST(MixedWorld, HasTheSameBitsOnAnyNumberOfThreads)
{
    Mixed one = make_mixed(make_serial_executor());
    const uint64_t hash = hash_after(one, 30);
    for (const int count : {2, 3, 8}) {
        Mixed other = make_mixed(threads(count));
        EXPECT_EQ(hash_after(other, 30), hash) << count;
    }
}

TEST(MixedWorld, ContinuesWithTheSameBitsFromASavedState)
{
    Mixed a = make_mixed(make_serial_executor()), b = make_mixed(make_serial_executor());
    hash_after(a, 15);
    const std::vector<std::byte> saved = a.world.save();
    ASSERT_TRUE(b.world.load(saved));
    EXPECT_EQ(b.world.state_hash(), a.world.state_hash());
    EXPECT_EQ(hash_after(b, 15), hash_after(a, 15));
}

TEST(MixedWorld, EveryGroomMovesByItsOwnMethod)
{
    Mixed m = make_mixed(make_serial_executor());
    hash_after(m, 20);
    EXPECT_FALSE(m.world.segments(m.cord).widths.empty());
    EXPECT_TRUE(m.world.segments(m.scalp).widths.empty());
    EXPECT_TRUE(m.world.cut({m.cord, 0, 10}));
    EXPECT_FALSE(m.world.cut({m.scalp, 0, 5}));
    EXPECT_EQ(m.world.measure().nonfinite, 0u);
}

// A string that needs many substeps must not change the motion of the hair beside it.
TEST(MixedWorld, HairMovesAsItWouldAlone)
{
    Mixed m = make_mixed(make_serial_executor());
    WorldSettings settings = m.world.settings();
    World alone(settings, make_serial_executor());
    const BodyId head = alone.add_body({.name = "head", .function = shake_head});
    GroomSettings scalp = of_method(head, SolverType::kDftl), brows = of_method(head, SolverType::kDirect);
    scalp.behaviour.shape = ShapeSettings{.local = 500, .global = 10};
    brows.behaviour.shape = ShapeSettings{.local = 5000};
    const GroomId only = *alone.add_groom(hair(64), scalp);
    ASSERT_TRUE(alone.add_groom(hair(20, 6), brows));
    // Hair uses another kernel as soon as there is any collider, so this world needs one too.
    const BodyId far = alone.add_body({.name = "far"});
    ASSERT_TRUE(alone.add_collider({.body = far, .a = {9, 9, 9}, .b = {9, 9, 9}, .radius_a = 0.1f, .radius_b = 0.1f}));
    ASSERT_TRUE(m.world.remove_collider(m.ball));
    for (int i = 0; i < 20; ++i) {
        m.world.step();
        alone.step();
        for (size_t s = 0; s < 64; ++s) ASSERT_EQ(m.world.position({m.scalp, s, 11}), alone.position({only, s, 11}));
    }
}

TEST(MixedWorld, StrandsBecomeStringsAndBack)
{
    Mixed m = make_mixed(make_serial_executor());
    hash_after(m, 5);
    const Vec3d before = m.world.position({m.scalp, 3, 8});
    m.world.behaviour(m.scalp).solver->type = SolverType::kChainShape;
    EXPECT_FALSE(m.world.segments(m.scalp).widths.empty());
    EXPECT_LT(length(m.world.position({m.scalp, 3, 8}) - before), 1e-6);
    hash_after(m, 5);
    const Vec3d there = m.world.position({m.scalp, 3, 8});
    m.world.behaviour(m.scalp).solver->type = SolverType::kPbd;
    EXPECT_TRUE(m.world.segments(m.scalp).widths.empty());
    EXPECT_LT(length(m.world.position({m.scalp, 3, 8}) - there), 1e-6);
    hash_after(m, 5);
    EXPECT_EQ(m.world.measure().nonfinite, 0u);
}

TEST(Removing, LeavesTheBitsOfAWorldThatNeverHadIt)
{
    Mixed plain = make_mixed(make_serial_executor()), busy = make_mixed(make_serial_executor());
    for (int round = 0; round < 3; ++round) {
        std::vector<GroomId> added;
        for (const SolverType type : {SolverType::kDftl, SolverType::kChainShape, SolverType::kPbd})
            added.push_back(*busy.world.add_groom(hair(10), of_method({}, type)));
        const BodyId post = busy.world.add_body({.name = "post"});
        const ColliderId collider = *busy.world.add_collider({.body = post, .radius_a = 0.3f, .radius_b = 0.3f});
        ASSERT_TRUE(busy.world.hold({added[0], 0, 5}, post));
        for (const GroomId id : added) EXPECT_TRUE(busy.world.remove_groom(id));
        for (const GroomId id : added) EXPECT_FALSE(busy.world.remove_groom(id));
        EXPECT_TRUE(busy.world.remove_body(post));
        EXPECT_FALSE(busy.world.remove_collider(collider)) << "it was removed with its body";
    }
    EXPECT_EQ(hash_after(busy, 20), hash_after(plain, 20));
}

TEST(Removing, AnOldIdNamesNothingElse)
{
    World world;
    const GroomId first = *world.add_groom(hair(5));
    ASSERT_TRUE(world.remove_groom(first));
    const GroomId second = *world.add_groom(hair(7));
    EXPECT_EQ(first.index, second.index);
    EXPECT_NE(first, second);
    EXPECT_TRUE(world.curves(first).points.empty());
    EXPECT_EQ(world.curves(second).points.size(), 7u * 12);
    EXPECT_FALSE(world.hold({first, 0, 5}, {}));
    EXPECT_FALSE(world.cut({first, 0, 5}));
    EXPECT_EQ(world.grooms(), std::vector<GroomId>{second});
}

TEST(Removing, ABodyStaysWhileSomethingGrowsOnIt)
{
    Mixed m = make_mixed(make_serial_executor());
    const BodyId head = m.world.bodies()[0];
    EXPECT_FALSE(m.world.remove_body(head));
    EXPECT_TRUE(m.world.remove_groom(m.scalp));
    EXPECT_TRUE(m.world.remove_groom(m.brows));
    EXPECT_TRUE(m.world.remove_body(head));
    hash_after(m, 3);
    EXPECT_EQ(m.world.measure().nonfinite, 0u);
}

TEST(Removing, TenThousandTimesChangesNeitherMemoryNorHash)
{
    Mixed m = make_mixed(make_serial_executor());
    hash_after(m, 3);
    const Groom more = hair(16);
    const auto add_and_remove = [&](int times) {
        for (int i = 0; i < times; ++i)
            ASSERT_TRUE(m.world.remove_groom(
                *m.world.add_groom(more, of_method({}, i % 2 ? SolverType::kDftl : SolverType::kChainShape))));
    };
    add_and_remove(10);
    const uint64_t hash = m.world.state_hash();
    const size_t bytes = m.world.bytes();
#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
    const size_t before = mallinfo2().uordblks;
#endif
    add_and_remove(kSanitized ? 100 : 10000);
    EXPECT_EQ(m.world.state_hash(), hash);
    EXPECT_EQ(m.world.bytes(), bytes);
#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
    EXPECT_LT(mallinfo2().uordblks, before + 40000);  // less than half a pointer each time
#endif
}

TEST(ParticleId, AnIndexThatDoesNotFitRefersToNoParticle)
{
    Mixed m = make_mixed(make_serial_executor());
    const size_t beyond = (size_t{1} << 32) + 1;
    EXPECT_TRUE(m.world.cut({m.cord, 0, 1}));
    EXPECT_FALSE(m.world.cut({m.cord, 0, beyond + 1}));
    EXPECT_FALSE(m.world.cut({m.cord, beyond - 1, 2}));
}

TEST(Switching, AColliderThatIsOffLetsStrandsThrough)
{
    World world({.dt = 0.01, .substeps = 4}, make_serial_executor());
    const BodyId body = world.add_body({.name = "post"});
    RopeStyle style;
    style.particles = 20;
    style.length = 0.5f;
    const GroomId id = *world.add_groom(*make_groom(*make_ropes(style)), {.body = body});
    const ColliderId ball = *world.add_collider(
        {.body = body, .a = {0.25, -0.15, 0}, .b = {0.25, -0.15, 0}, .radius_a = 0.1f, .radius_b = 0.1f});
    const auto min_distance = [&] {
        float smallest = 1;
        for (int i = 0; i < 60; ++i) {
            world.step();
            for (const Vec3f& p : world.curves(id).points) {
                const Vec3d x = world.curves(id).origin + to_double(p) - Vec3d{0.25, -0.15, 0};
                smallest = std::min(smallest, static_cast<float>(length(x)));
            }
        }
        return smallest;
    };
    EXPECT_GT(min_distance(), 0.099f);
    world.reset();
    ASSERT_TRUE(world.set_enabled(ball, false));
    EXPECT_LT(min_distance(), 0.05f);
    world.reset();
    ASSERT_TRUE(world.set_enabled(ball, true));
    EXPECT_GT(min_distance(), 0.099f);
}

TEST(Switching, AGroomThatWasOffIsCarriedWithItsBody)
{
    World world({.dt = 0.01}, make_serial_executor());
    const BodyId body = world.add_body({.name = "cart", .function = [](double t, std::span<Pose> bones) {
                                            bones[0].position = {t, 0, 0};
                                        }});
    const GroomId id = *world.add_groom(hair(8), {.body = body});
    for (int i = 0; i < 10; ++i) world.step();
    const Vec3d tip = world.position({id, 2, 11}) - world.position({id, 2, 0});
    ASSERT_TRUE(world.set_enabled(id, false));
    EXPECT_EQ(world.measure().fastest, 0);
    EXPECT_EQ(world.measure().kinetic, 0);
    for (int i = 0; i < 50; ++i) world.step();
    ASSERT_TRUE(world.set_enabled(id, true));
    EXPECT_LT(length(world.position({id, 2, 11}) - world.position({id, 2, 0}) - tip), 1e-6);
    EXPECT_NEAR(world.position({id, 2, 0}).x - 0.6, to_double(world.groom(id).points(2)[0]).x, 1e-6);
    world.step();
    EXPECT_LT(world.measure().fastest, 10);
}

/// A string along z that swings onto another one along x, which both ends hold.
struct TwoStrings {
    World world;
    GroomId swinging, across;
};

TwoStrings make_two_strings()
{
    WorldSettings settings;
    settings.dt = 0.01;
    settings.interaction.method = InteractionMethod::kContacts;
    TwoStrings m{World(settings, make_serial_executor()), {}, {}};
    const auto add = [&](const Vec3d& root, const Vec3f& direction) {
        const BodyId post = m.world.add_body(
            {.name = "post", .function = [root](double, std::span<Pose> bones) { bones[0].position = root; }});
        RopeStyle style;
        style.particles = 21;
        style.length = 0.8f;
        style.width = 0.01f;
        style.direction = direction;
        GroomSettings cord = of_method(post, SolverType::kChainShape);
        cord.material = *string_material("nylon");
        return *m.world.add_groom(*make_groom(*make_ropes(style)), cord);
    };
    m.across = add({-0.4, -0.3, 0}, {1, 0, 0});
    m.swinging = add({0, 0, -0.3}, {0, 0, 1});
    EXPECT_TRUE(m.world.hold({m.across, 0, 20}, BodyId{0}, 0, {0.8, 0, 0}));
    return m;
}

TEST(Switching, StringsThatAreOffStayWhereTheyAreAndLetOthersPass)
{
    TwoStrings both = make_two_strings(), off = make_two_strings(), alone = make_two_strings();
    ASSERT_TRUE(off.world.set_enabled(off.across, false));
    ASSERT_TRUE(alone.world.remove_groom(alone.across));
    const Vec3d before = off.world.position({off.across, 0, 10});
    for (int i = 0; i < 60; ++i)
        for (World* world : {&both.world, &off.world, &alone.world}) world->step();
    const Vec3d tip = alone.world.position({alone.swinging, 0, 20});
    EXPECT_EQ(length(off.world.position({off.across, 0, 10}) - before), 0);
    EXPECT_EQ(length(off.world.position({off.swinging, 0, 20}) - tip), 0);
    EXPECT_GT(length(both.world.position({both.swinging, 0, 20}) - tip), 0.05);

    ASSERT_TRUE(off.world.set_enabled(off.across, true));
    for (int i = 0; i < 20; ++i) off.world.step();
    EXPECT_GT(length(off.world.position({off.across, 0, 10}) - before), 1e-4);

    // A world whose strings are all off stands still.
    ASSERT_TRUE(off.world.set_enabled(off.across, false));
    ASSERT_TRUE(off.world.set_enabled(off.swinging, false));
    const Vec3d left = off.world.position({off.swinging, 0, 20});
    for (int i = 0; i < 5; ++i) off.world.step();
    EXPECT_EQ(length(off.world.position({off.swinging, 0, 20}) - left), 0);
}

TEST(Switching, IsSavedAndPartOfTheHash)
{
    TwoStrings saved = make_two_strings(), loaded = make_two_strings();
    for (int i = 0; i < 10; ++i) saved.world.step();
    const uint64_t on = saved.world.state_hash();
    ASSERT_TRUE(saved.world.set_enabled(saved.swinging, false));
    EXPECT_NE(saved.world.state_hash(), on);
    for (int i = 0; i < 10; ++i) saved.world.step();
    ASSERT_TRUE(loaded.world.load(saved.world.save()));
    EXPECT_EQ(loaded.world.state_hash(), saved.world.state_hash());
    for (TwoStrings* m : {&saved, &loaded}) {
        for (int i = 0; i < 5; ++i) m->world.step();
        ASSERT_TRUE(m->world.set_enabled(m->swinging, true));
        for (int i = 0; i < 5; ++i) m->world.step();
    }
    EXPECT_EQ(loaded.world.state_hash(), saved.world.state_hash());
}

// Strings that have just been switched on count when the substeps of the next step are chosen.
TEST(Switching, StringsThatWereSwitchedOnContinueFromASavedState)
{
    TwoStrings saved = make_two_strings(), loaded = make_two_strings();
    for (int i = 0; i < 30; ++i) saved.world.step();
    for (const bool enabled : {false, true}) {
        ASSERT_TRUE(saved.world.set_enabled(saved.swinging, enabled));
        ASSERT_TRUE(saved.world.set_enabled(saved.across, enabled));
        if (!enabled) saved.world.step();
    }
    ASSERT_TRUE(loaded.world.load(saved.world.save()));
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(loaded.world.step().substeps, saved.world.step().substeps) << i;
        EXPECT_EQ(loaded.world.state_hash(), saved.world.state_hash()) << i;
    }
}

// Drag at the rate k brings a weightless body to the speed v of the wind: x = v (t - (1 - exp(-k t)) / k), 1.7030 m
// after 1 s for 3 m/s and 2/s, whether the world has strings or not.
TEST(RigidBodiesAlone, WindCarriesABodyInAWorldWithoutStrings)
{
    for (const bool strings : {false, true}) {
        WorldSettings settings;
        settings.dt = 0.01;
        settings.gravity = {0, 0, 0};
        settings.air.drag_normal = 2;
        settings.wind.velocity = {3, 0, 0};
        World world(settings, make_serial_executor());
        const auto crate = world.add_rigid_body({.mass = 2}, {{0, 0, 0}, {}}, "crate");
        if (!crate) GTEST_SKIP() << "built without rigid bodies";
        const BodyId hook = world.add_body({.name = "hook"});
        if (strings) {
            ASSERT_TRUE(world.add_groom(rope(0.1, 5), of_method(hook, SolverType::kChainShape)));
        }
        for (int step = 0; step < 100; ++step) world.step();
        EXPECT_NEAR(world.pose(*crate).position.x, 1.7030, 0.02) << (strings ? "with" : "without") << " strings";
    }
}

TEST(Switching, ARigidBodyThatIsOffStaysOffAfterLoading)
{
    const auto make = [] {
        World world({.dt = 0.01}, make_serial_executor());
        const auto crate = world.add_rigid_body({.mass = 2}, {{0, 1, 0}, {}}, "crate");
        return std::pair(std::move(world), crate ? std::optional(*crate) : std::nullopt);
    };
    auto [saved, crate] = make();
    if (!crate) GTEST_SKIP() << "built without rigid bodies";
    auto [loaded, other] = make();
    ASSERT_TRUE(saved.set_enabled(*crate, false));
    ASSERT_TRUE(loaded.load(saved.save()));
    for (int i = 0; i < 10; ++i) loaded.step();
    EXPECT_EQ(loaded.pose(*other, 0).position.y, 1);
    ASSERT_TRUE(loaded.set_enabled(*other, true));
    for (int i = 0; i < 10; ++i) loaded.step();
    EXPECT_LT(loaded.pose(*other, 0).position.y, 1);
}

// Instances share the rest data of a groom. Each needs only 24 bytes of state and 12 bytes of history per particle.
TEST(Sharing, TheSecondInstanceOfAGroomCostsOnlyItsMovingState)
{
#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
    GTEST_SKIP() << "the heap cannot be measured here";
#else
    const uint32_t strands = 100000, particles = 32;
    SphereStyle style;
    style.strands = strands;
    style.particles = particles;
    const Groom groom = *make_groom(*make_sphere_hair(style));
    World world({.shape = {.local = 500, .global = 5}}, make_serial_executor());
    ASSERT_TRUE(world.add_groom(groom));
    world.step();
    const auto used = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
    const size_t before = used();
    ASSERT_TRUE(world.add_groom(groom));
    world.step();
    const double bytes = static_cast<double>(used() - before) / (static_cast<double>(strands) * particles);
    RecordProperty("bytes_per_particle", std::to_string(bytes));
    EXPECT_LE(bytes, 40);
#endif
}

}  // namespace
}  // namespace tendril::test
