// Colliders fitted to characters: the distance of the skin from them, at rest and in motion.
#include "body/body.h"
#include "body/moving_tree.h"
#include "math/vectors.h"
#include "solvers/contact/contact.h"
#include "support/data.h"
#include "support/sanitized.h"
#include "support/solids.h"
#include "tendril/collider.h"
#include "tendril/mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::test {
namespace {

/// Distances of triangle centroids from the surface of the colliders.
struct Closeness {
    double median = 0, p95 = 0;            // of the unsigned distance
    double protrusion = 0, shortfall = 0;  // the farthest that colliders protrude from the skin, and stay below it
    double size = 0;                       // of the character: the diagonal of its bounding box
};

Closeness closeness(const Character& character, const std::vector<Collider>& colliders, const ClipPlay& play = {},
                    double time = 0, int group = -1)
{
    BodyDescription description;
    description.character = std::make_shared<Character>(character);
    description.play = play;
    Body body(description);
    BodySample sample;
    body.sample(time, sample);
    std::vector<PosedCollider> placed;
    for (const Collider& c : colliders) placed.emplace_back(c, sample.bones[c.bone]);

    const MeshView mesh = body.mesh_in(sample, *make_serial_executor());
    Closeness result;
    Vec3d low = to_double(mesh.vertices[0]), high = low;
    for (const Vec3f& v : mesh.vertices)
        low = component_min(low, to_double(v)), high = component_max(high, to_double(v));
    result.size = length(high - low);
    std::vector<double> distances;
    for (size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (group >= 0 && character.mesh.groups[t] != static_cast<uint32_t>(group)) continue;
        const auto& [a, b, c] = mesh.triangles[t];
        const Vec3d p = to_double(mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) * (1.0 / 3);
        double depth = -std::numeric_limits<double>::infinity();
        for (const PosedCollider& collider : placed) depth = std::max(depth, collider.depth(p));
        distances.push_back(std::abs(depth));
        result.protrusion = std::max(result.protrusion, depth);
        result.shortfall = std::max(result.shortfall, -depth);
    }
    std::sort(distances.begin(), distances.end());
    result.median = distances[distances.size() / 2];
    result.p95 = distances[distances.size() * 95 / 100];
    return result;
}

/// Bounds are relative to the character's size.
void expect_close(const Character& character, const std::vector<Collider>& colliders, double median, double p95,
                  const ClipPlay& play = {}, double time = 0)
{
    const Closeness c = closeness(character, colliders, play, time);
    EXPECT_LT(c.median, median * c.size) << "at " << time;
    EXPECT_LT(c.p95, p95 * c.size) << "at " << time;
}

TEST(FitColliders, FollowTheSkinOfTheBuiltInCharacters)
{
    for (const Character& character : {make_bust(), make_creature()}) {
        const auto colliders = fit_colliders(character);
        EXPECT_LE(colliders.size(), 64u);
        expect_close(character, colliders, 0.0025, 0.007);
        for (const Collider& c : colliders) {
            EXPECT_GE(c.bone, 1u);
            EXPECT_LE(c.bone, character.bones.size());
            EXPECT_TRUE(is_finite(c.a) && is_finite(c.b));
            EXPECT_GT(std::min(c.radius_a, c.radius_b), 0.0f);
        }
    }
}

TEST(FitColliders, FollowTheSkinWhileAClipPlays)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const Character bust = make_bust(), creature = make_creature();
    const auto of_bust = fit_colliders(bust), of_creature = fit_colliders(creature);
    for (const double time : {0.3, 0.7, 1.3}) {
        expect_close(bust, of_bust, 0.003, 0.009, {.clip = 0}, time);
        expect_close(creature, of_creature, 0.003, 0.009, {.clip = 1}, time);
    }
}

// A long search that was specialized to the built-in head had left 3.15 mm.
TEST(FitColliders, FitTheScalpClosely)
{
    const Character bust = make_bust();
    const Closeness fitted = closeness(bust, fit_colliders(bust), {}, 0, 0);
    EXPECT_LT(fitted.protrusion, 0.005);
    EXPECT_LT(fitted.shortfall, 0.005);
    EXPECT_LT(fitted.p95, 0.00315);
}

/// The farthest that colliders protrude from the skin, for bones that do not deform the mesh.
double largest_protrusion(const Mesh& mesh, const std::vector<Collider>& colliders)
{
    const Surface surface(mesh.vertices, mesh.triangles);
    SurfacePose pose;
    surface.pose(mesh.vertices, pose, *make_serial_executor());
    MovingTree tree(surface, mesh.vertices);
    tree.refit(surface, pose, *make_serial_executor());
    constexpr int kDirections = 200;
    double most = 0;
    for (const Collider& c : colliders)
        for (int i = 0; i < kDirections; ++i)
            for (const double t : {0.0, 0.5, 1.0}) {
                const double z = 1 - 2 * (i + 0.5) / kDirections, r = std::sqrt(1 - z * z), turn = 2.39996323 * i;
                const double radius = static_cast<double>(c.radius_a) * (1 - t) + static_cast<double>(c.radius_b) * t;
                const Vec3d p = c.a * (1 - t) + c.b * t + Vec3d{r * std::cos(turn), r * std::sin(turn), z} * radius;
                most = std::max(most, static_cast<double>(tree.nearest(to_float(p), 10)->distance));
            }
    return most;
}

TEST(FitColliders, DoNotProtrudeFromTheSkin)
{
    for (const Character& character : {make_bust(), make_creature()})
        EXPECT_LT(largest_protrusion(character.mesh, fit_colliders(character)), 0.01);
}

// Surfaces hidden inside the body would make its colliders thinner.
TEST(FitColliders, IgnoreHiddenSurfaces)
{
    Character ball;
    ball.mesh = join(make_sphere_mesh(0.2f), make_sphere_mesh(0.15f), {0.02f, 0, 0});
    const auto colliders = fit_colliders(ball);
    ASSERT_EQ(colliders.size(), 1u);
    EXPECT_NEAR(std::max(colliders[0].radius_a, colliders[0].radius_b), 0.2, 0.002);
}

TEST(FitColliders, SphereWithoutBonesGetsOneSphereOnItsFrame)
{
    Character ball;
    ball.mesh = make_sphere_mesh(0.2f);
    const auto colliders = fit_colliders(ball);
    ASSERT_EQ(colliders.size(), 1u);
    EXPECT_EQ(colliders[0].bone, 0u);
    const Closeness c = closeness(ball, colliders);
    EXPECT_LT(std::max(c.protrusion, c.shortfall), 0.001);
}

// A pose is rigid, so the colliders must include the scale of a bone.
TEST(FitColliders, FitScaledBones)
{
    Character bust = make_bust();
    bust.nodes[0].scale = {3, 3, 3};
    bust.nodes[0].rotation = rotation_about({1, 0, 0}, 0.5);
    bust.nodes[0].translation = {1, -2, 0.5};
    const auto colliders = fit_colliders(bust);
    expect_close(bust, colliders, 0.0025, 0.007);
    expect_close(bust, colliders, 0.003, 0.009, {.clip = 0}, 0.7);
}

TEST(FitColliders, UseTheAllowedNumber)
{
    const Character creature = make_creature();
    for (const size_t most : {1, 5, 20}) {
        const auto colliders = fit_colliders(creature, {}, {.most = most, .tolerance = 0.001});
        EXPECT_EQ(colliders.size(), most);
    }
    EXPECT_TRUE(fit_colliders(Character{}).empty());
}

TEST(FitColliders, BelongToTheBodyAndAreDeterministic)
{
    const Character creature = make_creature();
    const auto once = fit_colliders(creature, {3}), again = fit_colliders(creature, {3});
    ASSERT_EQ(once.size(), again.size());
    for (size_t i = 0; i < once.size(); ++i) {
        EXPECT_EQ(once[i].body.index, 3u);
        EXPECT_TRUE(once[i].a == again[i].a && once[i].b == again[i].b);
        EXPECT_EQ(once[i].radius_a, again[i].radius_a);
    }
}

// A fox about 155 units long, and a man from a file with z up.
TEST(FitColliders, FollowTheSkinOfCharactersFromFiles)
{
    for (const char* name : {"gltf_rigged/CesiumMan.glb", "gltf_rigged/Fox.glb"}) {
        TENDRIL_NEEDS_DATA(file, name);
        const auto character = read_character(file);
        ASSERT_TRUE(character);
        const auto colliders = fit_colliders(*character);
        expect_close(*character, colliders, 0.0025, 0.007);
        for (const double time : {0.3, 1.1}) expect_close(*character, colliders, 0.004, 0.012, {.clip = 0}, time);
    }
}

}  // namespace
}  // namespace tendril::test
