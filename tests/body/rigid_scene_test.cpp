// Rigid bodies: closed forms of falling, rotation and impulses; bodies at rest stay at rest; reproducible bits.

#include "body/rigid/rigid_scene.h"
#include "math/bytes.h"
#include "math/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tendril::test {
namespace {

constexpr Vec3d kGravity{0, -9.81, 0};
constexpr Vec3d kNoGravity{0, 0, 0};
constexpr RigidBodyKind kKinds[] = {RigidBodyKind::kBox, RigidBodyKind::kSphere, RigidBodyKind::kCylinder,
                                    RigidBodyKind::kCapsule};

class RigidSceneTest : public testing::Test {
protected:
    void SetUp() override
    {
        if (!scene) GTEST_SKIP() << "built without Bullet";
    }
    void run(double seconds, double h, const Vec3d& gravity = kGravity)
    {
        const int steps = static_cast<int>(std::lround(seconds / h));
        for (int i = 0; i < steps; ++i) scene->step(h, gravity);
    }
    Vec3d position(size_t body) const { return scene->motion(body).pose.position; }

    std::unique_ptr<RigidScene> scene = RigidScene::create();
};

Collider ground(double height = 0)
{
    Collider plane;
    plane.kind = ColliderKind::kPlane;
    plane.a = {0, height, 0};
    return plane;
}

Collider box_collider(const Vec3d& half)
{
    Collider box;
    box.kind = ColliderKind::kBox;
    box.half = half;
    return box;
}

RigidBody cube(double edge, double mass = 1)
{
    RigidBody body;
    body.size = {edge, edge, edge};
    body.mass = mass;
    return body;
}

Vec3d angular_momentum(const RigidScene& scene, size_t body)
{
    const Vec3d inertia = rigid_inertia(scene.body(body));
    const RigidMotion& m = scene.motion(body);
    const Vec3d own = rotate(conjugate(m.pose.rotation), m.spin);
    return rotate(m.pose.rotation, {inertia.x * own.x, inertia.y * own.y, inertia.z * own.z});
}

double spin_energy(const RigidScene& scene, size_t body)
{
    return 0.5 * dot(angular_momentum(scene, body), scene.motion(body).spin);
}

double tilt(const RigidMotion& m)
{
    return length(cross(rotate(m.pose.rotation, {0, 1, 0}), Vec3d{0, 1, 0}));
}

bool is_sound(const RigidMotion& m)
{
    const Quat& q = m.pose.rotation;
    return is_finite(m.pose.position) && is_finite(m.velocity) && is_finite(m.spin) &&
           std::abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-9;
}

Vec3d random_vector(uint32_t seed, uint32_t i)
{
    const auto number = [&](uint32_t k) { return 2 * uniform(seed, 3 * i + k) - 1; };
    return {number(0), number(1), number(2)};
}

Quat random_rotation(uint32_t seed, uint32_t i)
{
    return normalized({uniform(seed, 4 * i) - 0.5, uniform(seed, 4 * i + 1) - 0.5, uniform(seed, 4 * i + 2) - 0.5,
                       uniform(seed, 4 * i + 3) - 0.4});
}

/// Bodies of all shapes fall on a floor with a step, past a swinging bar.
struct Heap {
    static constexpr size_t kBodies = 24;
    std::unique_ptr<RigidScene> scene = RigidScene::create();

    Heap()
    {
        scene->add_obstacle(ground(), {});
        scene->add_obstacle(box_collider({0.5, 0.1, 0.5}), {});
        Collider bar;
        bar.a = {-1, 0.3, 0};
        bar.b = {1, 0.3, 0};
        bar.radius_a = bar.radius_b = 0.1f;
        scene->add_obstacle(bar, {});
        for (uint32_t i = 0; i < kBodies; ++i) {
            RigidBody body;
            body.kind = kKinds[i % 4];
            body.size = {0.1 + 0.01 * i, 0.35, 0.2};
            body.mass = 0.1 + i;
            body.restitution = 0.3;
            body.velocity = random_vector(3, i);
            body.spin = random_vector(4, i) * 5.0;
            scene->add(body, {Vec3d{0, 1 + 0.15 * i, 0} + random_vector(1, i) * 0.3, random_rotation(2, i)});
        }
    }
    void step(int number)
    {
        const auto bar = [](int n) { return Pose{{0, 0, 0.3 * std::sin(0.01 * n)}, {}}; };
        scene->set_obstacle(2, bar(number), bar(number + 1));
        scene->step(1 / 240.0, kGravity);
    }
    std::vector<double> numbers() const
    {
        std::vector<double> all;
        for (size_t i = 0; i < kBodies; ++i) {
            const RigidMotion& m = scene->motion(i);
            const Quat& q = m.pose.rotation;
            for (const Vec3d& v : {m.pose.position, m.velocity, m.spin}) all.insert(all.end(), {v.x, v.y, v.z});
            all.insert(all.end(), {q.x, q.y, q.z, q.w});
        }
        return all;
    }
    uint64_t hash() const
    {
        const std::vector<double> all = numbers();
        return hash_bytes(all.data(), all.size() * sizeof(double));
    }
};

TEST_F(RigidSceneTest, FreeFallMatchesTheClosedForm)
{
    const size_t ball = scene->add(cube(0.2), {{0, 100, 0}, {}});
    run(2, 0.001);
    const double t = 2;
    EXPECT_NEAR(position(ball).y, 100 - 9.81 * t * t / 2, 9.81 * t * 0.001 / 2 * 1.001);
    EXPECT_NEAR(scene->motion(ball).velocity.y, -9.81 * t, 1e-9);
}

TEST_F(RigidSceneTest, DampingDoesNotDependOnTheStep)
{
    for (const double h : {0.001, 0.02, 0.1}) {
        auto room = RigidScene::create();
        RigidBody body;
        body.velocity = {3, 0, 0};
        body.spin = {0, 2, 0};
        body.linear_damping = 0.5;
        body.angular_damping = 1.5;
        room->add(body, {});
        for (int i = 0; i < static_cast<int>(std::lround(2 / h)); ++i) room->step(h, kNoGravity);
        EXPECT_NEAR(room->motion(0).velocity.x, 3 * std::exp(-1.0), 1e-9) << h;
        EXPECT_NEAR(room->motion(0).spin.y, 2 * std::exp(-3.0), 1e-9) << h;
    }
}

// About its intermediate axis a body flips back and forth; angular momentum is conserved, and energy nearly so.
TEST_F(RigidSceneTest, TumblingKeepsAngularMomentumAndEnergy)
{
    RigidBody body;
    body.size = {0.4, 0.2, 0.1};
    body.mass = 2;
    body.spin = {0.01, 12, 0.02};
    const size_t book = scene->add(body, {{0, 0, 0}, rotation_about({0, 0, 1}, 0.3)});
    const Vec3d momentum = angular_momentum(*scene, book);
    const double energy = spin_energy(*scene, book);
    double worst = 0;
    bool has_turned_over = false;
    for (int i = 0; i < 10000; ++i) {
        scene->step(0.001, kNoGravity);
        worst = std::max(worst, std::abs(spin_energy(*scene, book) / energy - 1));
        const RigidMotion& m = scene->motion(book);
        has_turned_over |= rotate(conjugate(m.pose.rotation), m.spin).y < -10;
    }
    EXPECT_LT(length(angular_momentum(*scene, book) - momentum), 1e-9 * length(momentum));
    EXPECT_LT(worst, 1e-3);
    EXPECT_TRUE(has_turned_over);
    EXPECT_EQ(position(book), (Vec3d{0, 0, 0}));
}

TEST_F(RigidSceneTest, ABoxComesToRestAndStaysThere)
{
    scene->add_obstacle(ground(), {});
    for (const double edge : {0.05, 0.3, 2.0}) scene->add(cube(edge), {{3 * edge, edge / 2 + 0.2, 0}, {}});
    run(3, 0.002);
    const Vec3d before[] = {position(0), position(1), position(2)};
    run(5, 0.002);
    for (size_t i = 0; i < 3; ++i) {
        const double half = scene->body(i).size.y / 2;
        EXPECT_NEAR(position(i).y, half, 1e-3) << i;
        EXPECT_LT(length(position(i) - before[i]), 1e-6) << i;
        EXPECT_LT(length(scene->motion(i).velocity), 1e-6) << i;
        EXPECT_LT(tilt(scene->motion(i)), 1e-6) << i;
    }
}

TEST_F(RigidSceneTest, EveryShapeComesToRestOnAPlaneAndOnABox)
{
    scene->add_obstacle(ground(), {});
    scene->add_obstacle(box_collider({5, 0.5, 5}), {{100, 0, 0}, {}});
    for (int i = 0; i < 8; ++i) {
        RigidBody body;
        body.kind = kKinds[i % 4];
        body.size = {0.2, 0.3, 0.25};
        const double floor = i < 4 ? 0 : 0.5;
        scene->add(body, {{(i < 4 ? 0 : 98) + 1.0 * (i % 4), floor + 0.4, 0}, {}});
    }
    run(3, 0.002);
    for (size_t i = 0; i < 8; ++i) {
        const RigidBodyKind kind = scene->body(i).kind;
        const double floor = i < 4 ? 0 : 0.5;
        const double half = kind == RigidBodyKind::kSphere ? 0.1 : 0.15;
        if (kind == RigidBodyKind::kCapsule) {
            EXPECT_GT(position(i).y, floor + 0.099) << i;  // on an end or on its side
            continue;
        }
        EXPECT_NEAR(position(i).y, floor + half, 1e-3) << i;
        EXPECT_LT(length(scene->motion(i).velocity), 5e-3) << i;  // a cylinder on a box moves a little
    }
}

TEST_F(RigidSceneTest, AStackOfThreeBoxesStands)
{
    for (const double h : {0.001, 0.004, 1 / 60.0}) {
        scene = RigidScene::create();
        scene->add_obstacle(ground(), {});
        for (int i = 0; i < 3; ++i) scene->add(cube(0.2), {{0.01 * i, 0.1 + 0.2 * i, 0}, {}});
        run(5, h);
        for (size_t i = 0; i < 3; ++i) {
            const double at = static_cast<double>(i);
            EXPECT_NEAR(position(i).y, 0.1 + 0.2 * at, 2e-3) << h << ' ' << i;
            EXPECT_NEAR(position(i).x, 0.01 * at, 1e-3) << h << ' ' << i;
            EXPECT_LT(tilt(scene->motion(i)), 5e-3) << h << ' ' << i;
        }
    }
}

// On a slope of 20 degrees, tan 20 = 0.364: friction 0.5 holds, friction 0.2 slides with g (sin - 0.2 cos).
TEST_F(RigidSceneTest, FrictionOnASlopeFollowsCoulombsLaw)
{
    const double angle = 20 * 3.14159265358979 / 180;
    const Quat turn = rotation_about({0, 0, 1}, -angle);
    scene->add_obstacle(ground(), {{0, 0, 0}, turn}, {1.0, 0});
    RigidBody holds = cube(0.2), slides = cube(0.2);
    holds.friction = 0.5 * 0.5;  // combined with the ground's 1, the root of the product is 0.5
    slides.friction = 0.2 * 0.2;
    scene->add(holds, {rotate(turn, {0, 0.1, 0}), turn});
    scene->add(slides, {rotate(turn, {0, 0.1, 1}), turn});
    const Vec3d first = position(0), second = position(1);
    run(1, 0.002);
    EXPECT_LT(length(position(0) - first), 1e-3);
    EXPECT_NEAR(length(position(1) - second), 0.5 * 9.81 * (std::sin(angle) - 0.2 * std::cos(angle)), 0.02);
}

TEST_F(RigidSceneTest, BounceHeightIsTheSquareOfTheRestitution)
{
    for (const double h : {0.0005, 0.001, 0.004}) {
        scene = RigidScene::create();
        scene->add_obstacle(ground(), {});
        RigidBody ball;
        ball.kind = RigidBodyKind::kSphere;
        ball.restitution = 0.8;
        scene->add(ball, {{0, 1.1, 0}, {}});
        double highest = 0;
        for (double t = 0; t < 1; t += h) {
            scene->step(h, kGravity);
            if (scene->motion(0).velocity.y > 0) highest = std::max(highest, position(0).y - 0.1);
        }
        EXPECT_NEAR(highest, 0.64, 0.01 + 6 * h) << h;
    }
}

TEST_F(RigidSceneTest, AnImpulseIsDividedByMassAndInertia)
{
    RigidBody body;
    body.size = {0.3, 0.5, 0.7};
    body.mass = 3;
    const Quat turn = random_rotation(5, 1);
    const size_t box = scene->add(body, {{1, 2, 3}, turn});
    const Vec3d arm{0.1, -0.2, 0.3}, impulse{0.7, 0.4, -1.1};
    scene->push(box, Vec3d{1, 2, 3} + arm, impulse);
    const RigidMotion& m = scene->motion(box);
    EXPECT_LT(length(m.velocity - impulse * (1.0 / 3)), 1e-15);
    const Vec3d own = rotate(conjugate(turn), cross(arm, impulse));
    const Vec3d spin =
        rotate(turn, {own.x / (0.25 * (0.25 + 0.49)), own.y / (0.25 * (0.49 + 0.09)), own.z / (0.25 * (0.09 + 0.25))});
    EXPECT_LT(length(m.spin - spin), 1e-13);
    EXPECT_LT(length(scene->point_velocity(box, {1, 2, 4}) - (m.velocity + cross(m.spin, {0, 0, 1}))), 1e-15);
    // The next step moves it with that velocity.
    scene->step(0.001, kNoGravity);
    EXPECT_LT(length(position(box) - Vec3d{1, 2, 3} - impulse * (0.001 / 3)), 1e-15);
}

// An impulse in any direction gives its point at most the speed that `inverse_mass` predicts, and reaches it in one
// direction.
TEST_F(RigidSceneTest, LightnessBoundsEveryImpulse)
{
    for (const RigidBodyKind kind : kKinds) {
        RigidBody body;
        body.kind = kind;
        body.size = {0.3, 0.5, 0.1};
        body.mass = 4;
        const Pose pose{{1, 2, 3}, random_rotation(6, 2)};
        const size_t i = scene->add(body, pose);
        EXPECT_DOUBLE_EQ(scene->inverse_mass(i, pose.position), 0.25);
        const Vec3d at = pose.position + Vec3d{0.1, 0.2, -0.15};
        const double bound = scene->inverse_mass(i, at);
        double most = 0;
        for (uint32_t k = 0; k < 20000; ++k) {
            const Vec3d direction = random_vector(7, k);
            const Vec3d unit = direction * (1 / length(direction));
            scene->set_motion(i, {pose, {0, 0, 0}, {0, 0, 0}});
            scene->push(i, at, unit);
            most = std::max(most, length(scene->point_velocity(i, at)));
        }
        EXPECT_LE(most, bound * (1 + 1e-12));
        EXPECT_GT(most, 0.99 * bound);
    }
}

TEST_F(RigidSceneTest, MovingObstaclesCarryAndPushBodies)
{
    const Collider slab = box_collider({1, 0.1, 1});
    scene->add_obstacle(slab, {{0, -0.1, 0}, {}});
    scene->add_obstacle(ground(), {{20, 0, 0}, {}});
    const size_t wall = scene->add_obstacle(box_collider({0.1, 1, 1}), {{9, 0.5, 0}, {}});
    scene->set_obstacle(1, Pose{{0, -5, 0}, {}});
    const size_t rider = scene->add(cube(0.2), {{0, 0.1, 0}, {}});
    RigidBody ice = cube(0.2);
    ice.friction = 0;
    const size_t pushed = scene->add(ice, {{9.3, -4.9, 0}, {}});
    const double h = 0.002;
    for (int i = 0; i < 500; ++i) {
        const auto lift = [&](int n) { return Pose{{0, -0.1 + 0.5 * h * n, 0}, {}}; };
        const auto slide = [&](int n) { return Pose{{9 + 0.5 * h * n, -4.5, 0}, {}}; };
        scene->set_obstacle(0, lift(i), lift(i + 1));
        scene->set_obstacle(wall, slide(i), slide(i + 1));
        scene->step(h, kGravity);
    }
    EXPECT_NEAR(position(rider).y, 0.1 + 0.5, 2e-3);
    EXPECT_NEAR(scene->motion(rider).velocity.y, 0.5, 1e-3);
    EXPECT_GT(position(pushed).x, 9.5 + 0.2 - 1e-3);
    EXPECT_GT(scene->motion(pushed).velocity.x, 0.5 - 1e-6);
    EXPECT_LT(scene->motion(pushed).velocity.x, 0.5 * 1.11);
}

// A turntable of 1 rad/s carries a box along.
TEST_F(RigidSceneTest, ATurningObstacleCarriesABox)
{
    scene->add_obstacle(box_collider({1, 0.1, 1}), {{0, -0.1, 0}, {}}, {1.0, 0});
    RigidBody body = cube(0.2);
    body.friction = 1;
    body.velocity = {0, 0, -0.5};
    body.spin = {0, 1, 0};
    scene->add(body, {{0.5, 0.1, 0}, {}});
    const double h = 0.002;
    for (int i = 0; i < 1000; ++i) {
        const auto turn = [&](int n) { return Pose{{0, -0.1, 0}, rotation_about({0, 1, 0}, h * n)}; };
        scene->set_obstacle(0, turn(i), turn(i + 1));
        scene->step(h, kGravity);
    }
    EXPECT_LT(length(position(0) - rotate(rotation_about({0, 1, 0}, 2), {0.5, 0.1, 0})), 0.01);
}

TEST_F(RigidSceneTest, ContactImpulsesBalanceTheWeight)
{
    scene->add_obstacle(ground(), {});
    scene->add(cube(0.2, 2), {{0, 0.1, 0}, {}});
    scene->add(cube(0.2, 3), {{0, 0.3, 0}, {}});
    run(1, 0.001);
    double on_ground = 0, between = 0;
    for (const RigidTouch& touch : scene->touches()) {
        EXPECT_NEAR(std::abs(touch.normal.y), 1, 1e-6);
        (touch.obstacle == 0 ? on_ground : between) += touch.impulse;
    }
    EXPECT_NEAR(on_ground, 5 * 9.81 * 0.001, 5e-4);
    EXPECT_NEAR(between, 3 * 9.81 * 0.001, 5e-4);
}

TEST_F(RigidSceneTest, UnequalMassesCollideWithoutGainingEnergy)
{
    for (const RigidBodyKind kind : kKinds) {
        scene = RigidScene::create();
        RigidBody light, heavy;
        light.kind = heavy.kind = kind;
        light.velocity = {5, 0, 0};
        heavy.mass = 1000;
        heavy.velocity = {-1, 0, 0};
        scene->add(light, {{-0.5, 0.02, 0.01}, {}});
        scene->add(heavy, {{0.5, 0, 0}, {}});
        const auto energy = [&] {
            double sum = 0;
            for (size_t i = 0; i < 2; ++i) {
                const Vec3d& v = scene->motion(i).velocity;
                sum += 0.5 * scene->body(i).mass * dot(v, v) + spin_energy(*scene, i);
            }
            return sum;
        };
        const double before = energy();
        run(1, 0.002, kNoGravity);
        EXPECT_LE(energy(), before * (1 + 1e-9));
        EXPECT_NEAR(scene->motion(0).velocity.x * 1 + scene->motion(1).velocity.x * 1000, 5 - 1000, 1e-9);
        EXPECT_LT(scene->motion(0).velocity.x, 0);
        EXPECT_LT(length(scene->motion(0).velocity), 3);
    }
}

TEST_F(RigidSceneTest, AHeavyBodyRestsOnALightOne)
{
    scene->add_obstacle(ground(), {});
    scene->add(cube(0.2, 1), {{0, 0.1, 0}, {}});
    scene->add(cube(0.2, 1000), {{0, 0.3, 0}, {}});
    run(2, 0.001);
    EXPECT_NEAR(position(0).y, 0.1, 1e-3);
    EXPECT_NEAR(position(1).y, 0.3, 1e-3);
}

TEST_F(RigidSceneTest, FastBodiesDoNotTunnelThroughAWall)
{
    scene->add_obstacle(box_collider({0.05, 2, 2}), {{5, 0, 0}, {}});
    for (int i = 0; i < 4; ++i) {
        RigidBody body;
        body.kind = kKinds[i];
        body.size = {0.1, 0.1, 0.1};
        body.velocity = {300, 0, 0};
        scene->add(body, {{0, i - 1.5, 0}, {}});
    }
    run(0.1, 1 / 60.0, kNoGravity);
    for (size_t i = 0; i < 4; ++i) EXPECT_LT(position(i).x, 5) << i;
}

TEST_F(RigidSceneTest, WorksTenKilometresFromTheOrigin)
{
    const Vec3d away{1e4, 300, -1e4};
    Vec3d end[2];
    for (int far = 0; far < 2; ++far) {
        scene = RigidScene::create();
        const Vec3d origin = far ? away : Vec3d{0, 0, 0};
        scene->add_obstacle(ground(), {origin, {}});
        for (int i = 0; i < 3; ++i) scene->add(cube(0.2), {origin + Vec3d{0.01 * i, 0.15 + 0.25 * i, 0}, {}});
        run(2, 0.002);
        end[far] = position(2) - origin;
    }
    EXPECT_LT(length(end[0] - end[1]), 1e-6);
}

TEST_F(RigidSceneTest, SameBitsEveryTime)
{
    Heap a, b;
    for (int i = 0; i < 480; ++i) {
        a.step(i);
        b.step(i);
        ASSERT_EQ(a.hash(), b.hash()) << i;
    }
}

TEST_F(RigidSceneTest, SameBitsAfterMovingIntoAFreshScene)
{
    Heap whole;
    auto part = std::make_unique<Heap>();
    for (int i = 0; i < 480; ++i) {
        if (i % 37 == 36) {
            auto fresh = std::make_unique<Heap>();
            for (size_t k = 0; k < Heap::kBodies; ++k) fresh->scene->set_motion(k, part->scene->motion(k));
            part = std::move(fresh);
        }
        whole.step(i);
        part->step(i);
        ASSERT_EQ(whole.hash(), part->hash()) << i;
    }
    for (const double v : whole.numbers()) EXPECT_LT(std::abs(v), 100);
}

TEST_F(RigidSceneTest, MotionStaysFinite)
{
    for (const double h : {0.001, 0.01, 0.05, 0.2})
        for (uint32_t seed = 0; seed < 6; ++seed) {
            scene = RigidScene::create();
            scene->add_obstacle(ground(), {});
            scene->add_obstacle(box_collider({0.5, 0.5, 0.5}), {});
            for (uint32_t i = 0; i < 12; ++i) {
                RigidBody body;
                body.kind = kKinds[(i + seed) % 4];
                body.mass = i % 3 == 0 ? 1000 : 1;
                body.restitution = i % 2;
                body.velocity = random_vector(seed, i) * (i % 4 == 1 ? 1e4 : 1.0);
                body.spin = random_vector(seed + 9, i) * (i % 4 == 2 ? 1e4 : 1.0);
                // The first six are at the same position, some with the same rotation.
                const Vec3d at = i < 6 ? Vec3d{0, 0.5, 0} : random_vector(seed + 20, i);
                scene->add(body, {at, i < 3 ? Quat{} : random_rotation(seed, i)});
            }
            for (int i = 0; i < 200; ++i) {
                scene->step(h, kGravity);
                for (size_t k = 0; k < scene->bodies(); ++k) ASSERT_TRUE(is_sound(scene->motion(k))) << h << ' ' << k;
            }
        }
}

TEST_F(RigidSceneTest, OverlappingBodiesSeparateGently)
{
    for (const RigidBodyKind kind : kKinds) {
        scene = RigidScene::create();
        RigidBody body;
        body.kind = kind;
        scene->add(body, {});
        scene->add(body, {{0.01, 0.02, 0}, {}});
        run(2, 0.002, kNoGravity);
        EXPECT_GT(length(position(1) - position(0)), 0.15);
        EXPECT_LT(length(scene->motion(0).velocity), 0.01);
    }
}

TEST_F(RigidSceneTest, EveryObstacleShapeSupportsASphere)
{
    Collider capsule, torus;
    capsule.a = {-0.5, 0, 0};
    capsule.b = {0.5, 0, 0};
    capsule.radius_a = 0.3f;
    capsule.radius_b = 0.1f;
    torus.kind = ColliderKind::kTorus;
    torus.radius_a = 0.15f;
    torus.radius_b = 0.05f;
    Collider ball_shape;
    ball_shape.radius_a = 0.4f;
    scene->add_obstacle(torus, {});                     // the sphere sits in the ring
    scene->add_obstacle(ball_shape, {{10, 0, 0}, {}});  // balanced on top
    scene->add_obstacle(capsule, {{20, 0, 0}, {}});     // the sphere rolls towards the thin end
    RigidBody ball;
    ball.kind = RigidBodyKind::kSphere;
    ball.size = {0.3, 0.3, 0.3};
    ball.restitution = 0;
    for (int i = 0; i < 3; ++i) scene->add(ball, {{10.0 * i, 0.6, 0}, {}});
    run(1, 0.002);
    // The sum of both radii is the hypotenuse of a triangle whose short side is the radius of the ring.
    EXPECT_NEAR(position(0).y, std::sqrt(0.2 * 0.2 - 0.15 * 0.15), 5e-3);
    EXPECT_NEAR(position(1).y, 0.55, 2e-3);
    EXPECT_GT(position(2).x, 20.05);
}

TEST(RigidBodyMesh, IsClosedAndHasTheRightSize)
{
    for (const RigidBodyKind kind : kKinds) {
        RigidBody body;
        body.kind = kind;
        body.size = {0.4, 0.9, 0.7};
        const Mesh mesh = rigid_mesh(body);
        std::map<std::pair<uint32_t, uint32_t>, int> edges;
        double volume = 0;
        Vec3f high{0, 0, 0};
        for (const auto& t : mesh.triangles) {
            for (size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
            const Vec3f &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
            volume += static_cast<double>(dot(cross(a, b), c)) / 6;
            EXPECT_GT(length(cross(b - a, c - a)), 0);
        }
        for (const auto& [edge, count] : edges) {
            EXPECT_EQ(count, 1);
            EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
        }
        for (const Vec3f& v : mesh.vertices)
            high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
        const double pi = 3.14159265358979, r = 0.2;
        const double exact = kind == RigidBodyKind::kBox        ? 0.4 * 0.9 * 0.7
                             : kind == RigidBodyKind::kSphere   ? 4 * pi / 3 * r * r * r
                             : kind == RigidBodyKind::kCylinder ? pi * r * r * 0.9
                                                                : pi * r * r * 0.5 + 4 * pi / 3 * r * r * r;
        EXPECT_NEAR(volume, exact, 0.01 * exact);
        EXPECT_LT(volume, exact);
        EXPECT_NEAR(high.x, 0.2, 1e-6);
        EXPECT_NEAR(high.y, kind == RigidBodyKind::kSphere ? 0.2 : 0.45, 1e-6);
    }
}

// Sums over grid points inside the body.
TEST(RigidBodyInertia, MatchesTheSolid)
{
    const auto is_inside = [](const RigidBody& b, const Vec3d& p) {
        const double r = b.size.x / 2, across = std::sqrt(p.x * p.x + p.z * p.z);
        switch (b.kind) {
            case RigidBodyKind::kBox: return std::abs(p.x) < r && std::abs(p.z) < b.size.z / 2;
            case RigidBodyKind::kSphere: return length(p) < r;
            case RigidBodyKind::kCylinder: return across < r;
            default: return std::hypot(across, std::max(std::abs(p.y) - (b.size.y / 2 - r), 0.0)) < r;
        }
    };
    for (const RigidBodyKind kind : kKinds) {
        RigidBody body;
        body.kind = kind;
        body.size = {0.4, 0.9, 0.7};
        body.mass = 5;
        Vec3d sum{0, 0, 0};
        double count = 0;
        constexpr int kGrid = 60;
        for (int i = 0; i < kGrid * kGrid * kGrid; ++i) {
            const auto at = [](int k) { return (k + 0.5) / kGrid - 0.5; };
            const Vec3d p{at(i % kGrid) * 0.7, at(i / kGrid % kGrid) * 0.9, at(i / kGrid / kGrid) * 0.7};
            if (!is_inside(body, p)) continue;
            sum += Vec3d{p.y * p.y + p.z * p.z, p.z * p.z + p.x * p.x, p.x * p.x + p.y * p.y};
            ++count;
        }
        sum = sum * (body.mass / count);
        const Vec3d inertia = rigid_inertia(body);
        EXPECT_LT(length(sum - inertia), 0.02 * length(inertia));
    }
}

}  // namespace
}  // namespace tendril::test
