// Hair against colliders: length and contact together, [Mueller12] 3.1.
#include "solvers/contact/contact.h"
#include "support/ropes.h"
#include "support/sanitized.h"
#include "support/simd.h"
#include "support/thread_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

namespace tendril::test {
namespace {

constexpr float kRadius = 0.1f;

/// One strand, or several side by side, held by a hand at `root`, and one collider that a body carries.
struct Setting {
    Vec3d root{0, 0.1, 0};
    Vec3f direction{1, 0.2f, 0};
    float length = 0.4f;
    uint32_t particles = 32, strands = 1;
    float width = 0;
    Collider collider{.radius_a = kRadius, .radius_b = kRadius};
    std::optional<SkinMethod> skin = {};  ///< replaces the collider by a mesh of the same sphere
    PoseFunction motion = {};
    WorldSettings world = {};
};

Setting plain_setting()
{
    Setting s;
    s.world.substeps = 4;
    s.world.air = {2, 1};
    s.world.contact.margin = 0;
    s.world.contact.static_friction = 0;
    s.world.contact.stick = 0;
    s.world.contact.ease = 0;
    return s;
}

World make(const Setting& s, std::shared_ptr<Executor> executor = make_serial_executor())
{
    World world(s.world, std::move(executor));
    const BodyId hand = world.add_body(
        {.name = "hand", .function = [root = s.root](double, std::span<Pose> bones) { bones[0].position = root; }});
    Character mesh;
    if (s.skin) mesh.mesh = make_sphere_mesh(kRadius, 48);
    const BodyId ball = world.add_body({.name = "ball",
                                        .function = s.motion,
                                        .character = s.skin ? std::make_shared<const Character>(mesh) : nullptr});
    Collider collider = s.collider;
    collider.body = ball;
    RopeStyle style;
    style.strands = s.strands;
    style.spacing = 0.02f;
    style.particles = s.particles;
    style.length = s.length;
    style.direction = s.direction;
    style.width = s.width;
    EXPECT_TRUE(world.add_groom(std::move(*make_groom(*make_ropes(style))), {.body = hand}));
    if (s.skin)
        EXPECT_TRUE(world.add_skin_collider({.body = ball, .method = *s.skin, .cell = 0.004f}));
    else
        EXPECT_TRUE(world.add_collider(collider));
    return world;
}

struct Course {
    double deepest = 0, stretch = 0, fastest_last = 0;
    size_t nonfinite = 0;
};

Course run(World& world, double seconds)
{
    Course c;
    while (world.time() < seconds) {
        world.step();
        const Metrics m = world.measure();
        c.deepest = std::max(c.deepest, m.penetration_max);
        c.stretch = std::max(c.stretch, m.stretch_max);
        c.nonfinite += m.nonfinite;
        c.fastest_last = m.fastest;
    }
    return c;
}

Vec3d tip(const World& world)
{
    return positions(world).back();
}

// A strand from the top of a sphere follows it for a quarter turn and hangs down from its equator.
TEST(Collision, StrandDrapesOverASphere)
{
    World world = make(plain_setting());
    const Course c = run(world, 5);
    EXPECT_LT(c.deepest, 1e-5);
    EXPECT_LT(c.stretch, 1e-6);
    EXPECT_EQ(c.nonfinite, 0u);
    // Chords of the circle, then straight down: the tip is within a segment of that of the smooth curve.
    const double quarter = kRadius * 3.14159265 / 2;
    EXPECT_NEAR(tip(world).x, kRadius, 1e-3);
    EXPECT_NEAR(tip(world).y, -(0.4 - quarter), 0.4 / 31);
    const auto p = positions(world);
    for (size_t i = 1; i < 10; ++i) EXPECT_NEAR(length(p[i]), kRadius, 1e-5) << i;
}

// A very large sphere acts as a wall. A strand that hangs from a point 2 cm inside of it lies against its surface.
TEST(Collision, StrandHangsAlongAWall)
{
    Setting s = plain_setting();
    s.root = {0, 0, 0};
    s.direction = {1, -1, 0};
    s.collider = {.a = {-100, -0.5, 0}, .b = {-100, -0.5, 0}, .radius_a = 100.02f, .radius_b = 100.02f};
    World world = make(s);
    const Course c = run(world, 8);
    EXPECT_LT(c.fastest_last, 1e-3);
    EXPECT_LT(c.stretch, 1e-6);
    // The first segments leave the wall; all later particles are on its surface.
    const auto p = positions(world);
    for (size_t i = 4; i < p.size(); ++i) {
        const Vec3d off = p[i] - Vec3d{-100, -0.5, 0};
        EXPECT_NEAR(length(off) - 100.02, 0, 3e-5) << i;  // a float resolves 100 m to 8e-6 m
    }
}

TEST(Collision, ConesAreMetWhereTheyAre)
{
    Setting s = plain_setting();
    s.root = {0.03, 0.2, 0.02};
    s.direction = {0.1f, 1, 0};
    s.collider = {.a = {-0.1, 0, 0}, .b = {0.2, -0.05, 0}, .radius_a = 0.12f, .radius_b = 0.04f};
    World world = make(s);
    const Course c = run(world, 6);
    EXPECT_LT(c.deepest, 1e-5);
    EXPECT_LT(c.stretch, 1e-6);
    EXPECT_LT(c.fastest_last, 2e-3);
    EXPECT_LT(tip(world).y, -0.1);
    double nearest = -1;
    for (const Vec3d& p : positions(world)) nearest = std::max(nearest, PosedCollider(s.collider, {}).depth(p));
    EXPECT_NEAR(nearest, 0, 1e-5);
}

// The penetration that the metrics use, against a scan over all spheres of a capsule.
TEST(Collision, DepthIsThatOfTheDeepestSphere)
{
    const Collider c{.a = {0.1, 0.2, 0}, .b = {0.3, 0.1, 0.1}, .radius_a = 0.05f, .radius_b = 0.15f};
    for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{0.2, 0.2, 0.1}, Vec3d{0.15, 0.3, 0}, Vec3d{0.4, 0.1, 0.2}}) {
        double depth = -1e9;
        for (int i = 0; i <= 10000; ++i) {
            const double t = i / 10000.0;
            depth = std::max(depth, 0.05 + 0.1 * t - length(p - (c.a + (c.b - c.a) * t)));
        }
        EXPECT_NEAR(PosedCollider(c, {}).depth(p), depth, 1e-6);
    }
    // One sphere contains the other: only the larger one counts.
    EXPECT_NEAR(PosedCollider({.b = {0.01, 0, 0}, .radius_a = 0.1f, .radius_b = 0.01f}, {}).depth({0, 0, 0}), 0.1,
                1e-7);
}

TEST(Collision, ComesToRest)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const float correction : {0.9f, 1.0f}) {
        for (const int substeps : {1, 8}) {
            Setting s = plain_setting();
            s.strands = 6;
            s.root = {0, 0.105, 0};
            s.world.substeps = substeps;
            s.world.contact.layer = 0.005f;
            s.world.solver.dftl.velocity_correction = correction;
            World world = make(s);
            const Course c = run(world, 8);
            EXPECT_LT(c.fastest_last, 1e-3) << correction << " " << substeps;
            EXPECT_LT(c.deepest, 1e-5);
        }
    }
}

// Hair that starts inside is moved outside without velocity: 3 mm in a substep would be 0.7 m/s.
TEST(Collision, PushesWithoutAKick)
{
    Setting s = plain_setting();
    s.root = {0, 0.095, 0};
    s.direction = {1, 0, 0};
    s.particles = 2;
    s.length = 0.02f;
    s.world.gravity = {0, 0, 0};
    s.world.air = {0, 0};
    World world = make(s);
    world.step();
    EXPECT_NEAR(length(tip(world)), kRadius, 1e-5);
    const Vec3d put = tip(world);
    for (int i = 0; i < 20; ++i) world.step();
    EXPECT_LT(length(tip(world) - put), 1e-4);
}

// A rest pose that is 3 cm inside is pushed out over the time that the settings ask for, and no particle jumps.
TEST(Collision, PenetratingRestPosesAreEasedOut)
{
    for (const float ease : {0.5f, 1.0f}) {
        Setting s = plain_setting();
        s.root = {-0.09, 0.07, 0};
        s.direction = {1, 0, 0};
        s.length = 0.3f;
        s.world.gravity = {0, 0, 0};
        s.world.contact.ease = ease;
        World world = make(s);
        double before = world.measure().penetration_max;
        EXPECT_NEAR(before, 0.03, 0.001);
        auto last = positions(world);
        while (world.time() < 1.5) {
            world.step();
            const double depth = world.measure().penetration_max;
            EXPECT_LE(depth, before + 1e-6) << world.time();
            const double left = 1 - (world.time() - world.settings().dt) / static_cast<double>(ease);
            if (left > 0.1) {
                EXPECT_GT(depth, 0.5 * 0.03 * (left - 0.1)) << "too early at " << world.time();
            }
            if (left < -0.1) {
                EXPECT_LT(depth, 1e-5) << "too late at " << world.time();
            }
            before = depth;
            const auto now = positions(world);
            double fastest = 0;
            for (size_t i = 0; i < now.size(); ++i) fastest = std::max(fastest, length(now[i] - last[i]));
            EXPECT_LT(fastest / world.settings().dt, 0.5 / static_cast<double>(ease)) << "a jump at " << world.time();
            last = now;
        }
        EXPECT_LT(world.measure().stretch_max, 1e-6);
    }
}

// A strand lies over the top of a sphere, with its root on one side. Returns x of its tip, positive on the other side.
double lies_over_the_top(float friction)
{
    Setting s = plain_setting();
    s.root = {-0.04, 0.0925, 0};
    s.length = 0.07f;
    s.particles = 12;
    s.direction = {1, 0.35f, 0};
    s.world.contact.friction = friction;
    World world = make(s);
    run(world, 6);
    return tip(world).x;
}

TEST(Collision, FrictionHoldsWhatWouldSlideOff)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    // Gravity has a sideways component, along which the strand slides unless friction holds it.
    Setting s = plain_setting();
    s.root = {0, 0.1, 0};
    s.length = 0.06f;
    s.particles = 10;
    s.direction = {1, 0.2f, 0};
    s.world.gravity = {0, -9.81, 2};
    s.world.contact.friction = 1;
    World rough = make(s);
    const Course held = run(rough, 6);
    s.world.contact.friction = 0;
    World smooth = make(s);
    run(smooth, 6);
    EXPECT_LT(held.fastest_last, 1e-3);
    EXPECT_LT(std::abs(tip(rough).z), 0.01);
    EXPECT_GT(tip(smooth).z, 0.04);
    EXPECT_GT(lies_over_the_top(0.5f), 0);
}

// Friction drags hair along with a rotating body, whichever method represents its surface.
TEST(Collision, TurningSphereDragsHairAlong)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const auto angle_after = [](float friction, std::optional<SkinMethod> skin = {}) {
        Setting s = plain_setting();
        s.length = 0.12f;
        s.root = {0.03, 0.098, 0};
        s.skin = skin;
        s.motion = [](double t, std::span<Pose> bones) { bones[0].rotation = rotation_about({0, 1, 0}, 0.5 * t); };
        s.world.contact.friction = friction;
        World world = make(s);
        run(world, kSanitized ? 0.2 : 1.0);
        return std::abs(std::atan2(tip(world).z, tip(world).x));
    };
    const double dragged = angle_after(0.6f), slipped = angle_after(0.0f), least = kSanitized ? 0.02 : 0.1;
    EXPECT_GT(dragged, slipped + least);
    for (const SkinMethod method : {SkinMethod::kField, SkinMethod::kTriangles})
        EXPECT_NEAR(angle_after(0.6f, method), dragged, 0.2 * (dragged - slipped)) << static_cast<int>(method);
}

TEST(Collision, MovingSphereSweepsHairAside)
{
    for (const double speed : {0.5, 2.0, 4.0}) {
        Setting s = plain_setting();
        s.root = {0, 0.3, 0};
        s.direction = {0, -1, 0};
        s.length = 0.5f;
        s.strands = 7;
        s.world.substeps = 8;
        s.motion = [speed](double t, std::span<Pose> bones) {
            bones[0].position = {-0.5 + std::min(speed * t, 0.65), 0, 0};
        };
        World world = make(s);
        const Course c = run(world, 0.6 / speed);
        EXPECT_LT(c.deepest, 1e-5) << speed;
        EXPECT_LT(c.stretch, 1e-6) << speed;
        EXPECT_EQ(c.nonfinite, 0u);
        double front = -1;
        for (const Vec3d& p : positions(world, 3)) front = std::max(front, p.x);
        EXPECT_GT(front, 0.1) << "nothing was pushed ahead at " << speed;
    }
}

TEST(Collision, StrandsKeepTheirMarginAndTheirOwnLayer)
{
    Setting s = plain_setting();
    s.strands = 12;
    s.root = {0, 0.1, 0};
    s.world.contact.margin = 0.004f;
    s.world.contact.layer = 0.02f;
    World world = make(s);
    run(world, 5);
    double nearest = 1, farthest = 0;
    for (size_t strand = 0; strand < 4; ++strand) {
        const double height = length(positions(world, strand)[7]) - kRadius;
        nearest = std::min(nearest, height);
        farthest = std::max(farthest, height);
    }
    EXPECT_GT(nearest, 0.004 - 1e-5);
    EXPECT_LT(farthest, 0.024 + 1e-3);
    EXPECT_GT(farthest - nearest, 0.002);
}

// Hair that touches nothing moves exactly as it does without colliders.
TEST(Collision, FarCollidersChangeNothing)
{
    Setting s = plain_setting();
    s.collider.a = s.collider.b = {0, 50, 0};
    World world = make(s);
    Setting touching = s;
    touching.collider.a = touching.collider.b = {0.2, -0.1, 0};
    World other = make(touching);
    RopeStyle style;
    style.particles = s.particles;
    style.length = s.length;
    style.direction = s.direction;
    World free = make_world(style, s.world, [&](double, std::span<Pose> bones) { bones[0].position = s.root; });
    for (int i = 0; i < 60; ++i) {
        world.step();
        other.step();
        free.step();
    }
    EXPECT_EQ(deviation(world, free), 0);
    EXPECT_GT(deviation(world, other), 0.01);
}

TEST(Collision, AbuseStaysFiniteAndUnstretched)
{
    const double inf = std::numeric_limits<double>::infinity();
    const Collider abuse[] = {
        {},                                                                        // nothing
        {.a = {0, 0.1, 0}, .b = {0, 0.1, 0}, .radius_a = 0.1f, .radius_b = 0.1f},  // centre at the root
        {.a = {0, 0.1, 0}, .b = {0, 0.1, 0}, .radius_a = 3, .radius_b = 3},        // all inside
        {.a = {-1, 0.1, 0}, .b = {1, 0.1, 0}, .radius_a = 0, .radius_b = 0.5f},    // strand on its axis
        {.a = {0, 0.1, 0}, .b = {1e-9, 0.1, 0}, .radius_a = 0.02f, .radius_b = 0.02f},
        {.a = {0, 0, 0}, .b = {0.1, 0, 0}, .radius_a = 0.2f, .radius_b = 0.1f},  // one sphere just inside the other
    };
    for (const Collider& collider : abuse) {
        Setting s = plain_setting();
        s.direction = {1, 0, 0};
        s.collider = collider;
        s.world.contact.friction = 100;
        s.motion = [](double t, std::span<Pose> bones) {
            bones[0].position = {t > 0.5 ? 30.0 : 0.0, 0, 0};
            if (t > 0.8) bones[0].rotation = rotation_about({0, 0, 1}, 40 * t);
            if (t > 0.8) bones[0].position = {0, 0, 0};
        };
        World world = make(s);
        const Course c = run(world, kSanitized ? 0.9 : 1.2);
        EXPECT_EQ(c.nonfinite, 0u);
        EXPECT_LT(c.stretch, 1e-5);
    }
    World world;
    const BodyId body = world.add_body({.name = "body"});
    EXPECT_FALSE(world.add_collider({.body = body, .radius_a = -1}));
    EXPECT_FALSE(world.add_collider({.body = body, .a = {inf, 0, 0}}));
    EXPECT_FALSE(world.add_collider({.body = {7}}));
    EXPECT_FALSE(world.add_collider({.body = body, .bone = 3}));
}

Setting busy_setting()
{
    Setting s = plain_setting();
    s.strands = 75;
    s.root = {0, 0.1, 0};
    s.particles = 17;
    s.collider = {.a = {0, 0, -0.5}, .b = {0.02, 0, 0.6}, .radius_a = 0.12f, .radius_b = 0.06f};
    s.motion = [](double t, std::span<Pose> bones) {
        bones[0].rotation = rotation_about({0, 0, 1}, t);
        bones[0].position = {0.05 * std::sin(7 * t), 0, 0};
    };
    s.world.contact.layer = 0.01f;
    s.world.contact.margin = 0.001f;
    return s;
}

uint64_t hash_of_touching(const Setting& s, int steps, std::shared_ptr<Executor> executor = make_serial_executor())
{
    World world = make(s, std::move(executor));
    for (int i = 0; i < steps; ++i) world.step();
    return world.state_hash();
}

TEST(Collision, SameBitsForAnyNumberOfThreads)
{
    const uint64_t one = hash_of_touching(busy_setting(), 40);
    for (const int threads : {2, 3, 8})
        EXPECT_EQ(hash_of_touching(busy_setting(), 40, make_thread_executor(threads)), one);
}

TEST(Collision, SameBitsForAnyInstructionSet)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const float bend : {0.0f, 0.7f}) {
        Setting s = busy_setting();
        s.world.solver.dftl.bend_limit = bend;
        const uint64_t native = hash_of_touching(s, 40);
        for (const int64_t target : instruction_sets()) {
            UseInstructionSet use(target);
            EXPECT_EQ(hash_of_touching(s, 40), native) << target;
        }
    }
}

TEST(Collision, ClearancesAreDistancesFromTheSurface)
{
    World world = make(plain_setting());
    for (int frame = 0; frame < 60; ++frame) world.step();
    const std::vector<float> clearances = world.clearances({0});
    ASSERT_EQ(clearances.size(), world.groom({0}).point_count());
    for (size_t i = 0; i < clearances.size(); ++i)
        EXPECT_NEAR(clearances[i], length(world.position({{0}, 0, i})) - static_cast<double>(kRadius), 1e-6);
    EXPECT_TRUE(world.clearances({9}).empty());
}

}  // namespace
}  // namespace tendril::test
