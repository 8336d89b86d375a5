// Depths against brute force over all triangles in double: a turning head, and bodies far from the origin.
#include "body/mesh_depth.h"
#include "body/body.h"
#include "math/random.h"
#include "support/data.h"
#include "support/head.h"
#include "support/meshes.h"
#include "support/sanitized.h"
#include "support/solids.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace tendril::test {
namespace {

Vec3d in_box(uint32_t i, const Vec3d& low, const Vec3d& high)
{
    const auto at = [&](uint32_t k, double a, double b) { return a + (b - a) * uniform(5, 3 * i + k); };
    return {at(0, low.x, high.x), at(1, low.y, high.y), at(2, low.z, high.z)};
}

/// A character that plays a clip, with its MeshDepth.
struct Actor {
    std::shared_ptr<const Character> character;
    std::shared_ptr<const Surface> surface;
    Body body;
    MeshDepth depth;

    Actor(Character c, int clip)
        : character(std::make_shared<Character>(std::move(c))),
          surface(std::make_shared<Surface>(character->mesh.vertices, character->mesh.triangles)),
          body([&] {
              BodyDescription description;
              description.character = character;
              description.play.clip = clip;
              return description;
          }()),
          depth(surface, character->mesh.vertices)
    {
    }

    /// Returns the vertices, relative to the origin.
    std::vector<Vec3f> move_to(double time, const Vec3d& origin, Executor& executor)
    {
        BodySample sample;
        body.sample(time, sample);
        const MeshView mesh = body.mesh_in(sample, executor);
        depth.update(mesh.vertices, origin, executor);
        return {mesh.vertices.begin(), mesh.vertices.end()};
    }
};

/// For a connected surface that does not intersect itself.
void expect_matches_brute_force(const MeshDepth& depth, const Surface& surface, const SurfacePose& pose,
                                const Vec3d& origin, uint32_t count)
{
    const Vec3d low = to_double(depth.tree().low()), high = to_double(depth.tree().high()), margin{0.05, 0.05, 0.05};
    size_t inside = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const Vec3d p = in_box(i, low - margin, high + margin) + origin;
        const Vec3d local = p - origin;
        const double found = depth.depth(p);
        if (winding_number(surface, pose, local) > 0.5) {
            EXPECT_NEAR(found, brute_nearest(surface, pose, local).distance, 1e-13) << i;
            ++inside;
        } else {
            EXPECT_LE(found, 0) << i;
            EXPECT_LE(-found, brute_nearest(surface, pose, local).distance + 1e-6) << i;
        }
    }
    EXPECT_GT(inside, count / 20);
}

TEST(MeshDepth, MatchesBruteForceForATurningHead)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    Actor actor(make_bust(), 0);
    const auto executor = threads(2);
    for (const double time : {0.0, 1.1, 2.3, 4.4}) {
        const auto vertices = actor.move_to(time, {0, 0, 0}, *executor);
        SurfacePose pose;
        actor.surface->pose(vertices, pose, *executor);
        expect_matches_brute_force(actor.depth, *actor.surface, pose, {0, 0, 0}, 400);
    }
}

TEST(MeshDepth, StaysPreciseFarFromTheOrigin)
{
    Actor actor(make_bust(), 0);
    const auto executor = threads(1);
    const Vec3d origin{65536, -4096, 131072};  // sums with positions of the head are exact
    const auto vertices = actor.move_to(1.7, origin, *executor);
    SurfacePose pose;
    actor.surface->pose(vertices, pose, *executor);
    expect_matches_brute_force(actor.depth, *actor.surface, pose, origin, 200);
}

TEST(MeshDepth, IsTheSameForAnyNumberOfThreads)
{
    Actor one(make_bust(), 0), many(make_bust(), 0);
    one.move_to(2, {1, 2, 3}, *threads(1));
    many.move_to(2, {1, 2, 3}, *threads(4));
    for (uint32_t i = 0; i < 2000; ++i) {
        const Vec3d p = in_box(i, {0.7, 1.8, 2.8}, {1.3, 2.4, 3.2});
        EXPECT_EQ(one.depth.depth(p), many.depth.depth(p)) << i;
    }
}

/// A hollow ring around the y axis, made by revolving a nearly closed letter C.
Mesh make_split_ring(double slit)
{
    constexpr uint32_t kArc = 40, kAround = 48;
    std::vector<Vec3d> profile;
    for (const double tube : {0.3, 0.2})
        for (uint32_t k = 0; k <= kArc; ++k) {
            const double share = tube > 0.25 ? k : kArc - k, angle = slit / 2 + (2 * kPi - slit) * share / kArc;
            profile.push_back({1 + tube * std::cos(angle), tube * std::sin(angle), 0});
        }
    const auto across = static_cast<uint32_t>(profile.size());
    Mesh mesh;
    for (uint32_t i = 0; i < kAround; ++i)
        for (const Vec3d& p : profile)
            mesh.vertices.push_back(to_float(rotate(rotation_about({0, 1, 0}, 2 * kPi * i / kAround), p)));
    for (uint32_t i = 0; i < kAround; ++i)
        for (uint32_t k = 0; k < across; ++k) {
            const uint32_t j = (i + 1) % kAround, l = (k + 1) % across;
            mesh.triangles.push_back({i * across + k, i * across + l, j * across + l});
            mesh.triangles.push_back({i * across + k, j * across + l, j * across + k});
        }
    return mesh;
}

// The flood fill does not pass a slit narrower than a cell. Points behind the slit are outside nonetheless.
TEST(MeshDepth, QueriesTheTreeWhereTheFloodDoesNotReach)
{
    for (const double slit : {0.004, 0.6}) {
        const Mesh ring = make_split_ring(slit);
        MeshDepth depth(std::make_shared<Surface>(ring.vertices, ring.triangles), ring.vertices);
        depth.update(ring.vertices, {0, 0, 0}, *make_serial_executor());
        EXPECT_LE(depth.depth({1, 0, 0}), 0);
        EXPECT_LE(depth.depth({0, 0.1, 1}), 0);
        EXPECT_NEAR(depth.depth({0.75, 0, 0}), 0.05, 0.01);  // inside the wall
        EXPECT_NEAR(depth.depth({-1, 0.24, 0}), 0.04, 0.01);
        EXPECT_LE(depth.depth({0, 0, 0}), 0);
        EXPECT_LE(depth.depth({30, 0, 0}), 0);
    }
}

TEST(MeshDepth, SmallPartsDoNotHideTheLargeOneAroundThem)
{
    const Mesh both = join(make_sphere_mesh(1, 32), make_box_mesh({0.1f, 0.1f, 0.1f}, 3), {0, 0, 0});
    MeshDepth depth(std::make_shared<Surface>(both.vertices, both.triangles), both.vertices);
    depth.update(both.vertices, {0, 0, 0}, *make_serial_executor());
    for (const double x : {0.0, 0.099, 0.101, 0.11, 0.5}) EXPECT_NEAR(depth.depth({x, 0, 0}), 1 - x, 0.01) << x;
    EXPECT_LE(depth.depth({std::nan(""), 0, 0}), 0);
}

// An open shell around another part, such as a skirt around legs: closed by flat covers, it would contain the part, and
// hair on the part would be deep inside.
TEST(MeshDepth, AnOpenShellContainsNothingInside)
{
    Mesh shell = make_box_mesh({1, 1, 1}, 8);
    std::erase_if(shell.triangles, [&](const auto& t) {
        return std::all_of(t.begin(), t.end(), [&](uint32_t v) { return std::abs(shell.vertices[v].y) > 0.999f; });
    });
    const Mesh both = join(shell, make_sphere_mesh(0.2f, 16), {0, 0.3f, 0});
    MeshDepth depth(std::make_shared<Surface>(both.vertices, both.triangles), both.vertices);
    depth.update(both.vertices, {0, 0, 0}, *make_serial_executor());
    const auto near = depth.measure({0, 0.53, 0});  // three centimetres above the ball
    EXPECT_EQ(near.depth, 0);
    EXPECT_FALSE(near.known);
    EXPECT_NEAR(depth.depth({0, 0.45, 0}), 0.05, 0.01);  // inside the ball
    EXPECT_TRUE(depth.measure({0, 0.45, 0}).known);
    EXPECT_TRUE(depth.measure({2, 0, 0}).known);
    EXPECT_LE(depth.depth({2, 0, 0}), 0);
}

// A wavy sheet, closed by a flat cover, is inside out in its valley. The normal of the cover then says that everything
// above the valley is inside.
TEST(MeshDepth, APartElsewhereDoesNotDeepenAPoint)
{
    Mesh sheet = make_square(16);
    for (Vec3f& v : sheet.vertices) {
        const double wave = std::sin(2 * kPi * static_cast<double>(v.x));
        v = {2 * v.x - 1, static_cast<float>(wave > 0 ? wave : 0.6 * wave), 2 * v.z - 1};
    }
    const Vec3f valley{0.5f, 0.6f, 0};
    const Mesh both = join(sheet, make_sphere_mesh(0.1f, 16), valley);
    MeshDepth depth(std::make_shared<Surface>(both.vertices, both.triangles), both.vertices);
    ASSERT_EQ(depth.tree().part_count(), 2u);
    depth.update(both.vertices, {0, 0, 0}, *make_serial_executor());
    EXPECT_NEAR(depth.depth({0.5, 0.69, 0}), 0.01, 0.003);
    EXPECT_LE(depth.depth({0.5, 0.71, 0}), 0);
}

// Far from a small hole, the triangles of the mesh alone say where the inside is.
TEST(MeshDepth, SmallHolesMatterOnlyNearThem)
{
    const Mesh ball = cut_above(make_sphere_mesh(1, 48), 0.97f);
    MeshDepth depth(std::make_shared<Surface>(ball.vertices, ball.triangles), ball.vertices);
    depth.update(ball.vertices, {0, 0, 0}, *make_serial_executor());
    for (const Vec3d& p : {Vec3d{0, 0, 0}, {0.9, 0, 0}, {0, -0.95, 0}, {0, 0.5, 0}}) {
        EXPECT_NEAR(depth.depth(p), 1 - length(p), 0.04) << p.x << ' ' << p.y;
        EXPECT_TRUE(depth.measure(p).known);
    }
    EXPECT_FALSE(depth.measure({0, 0.93, 0}).known);
    EXPECT_LE(depth.depth({0, 0.93, 0}), 0);
}

TEST(MeshDepth, AnEmptySurfaceContainsNothing)
{
    MeshDepth depth(std::make_shared<Surface>(), {});
    depth.update({}, {0, 0, 0}, *make_serial_executor());
    EXPECT_LE(depth.depth({0, 0, 0}), 0);
}

// The sign must follow the winding number, also where limbs press into each other; the depth is that of the nearest
// skin.
TEST(MeshDepth, AgreesWithWindingNumbersForCharactersFromFiles)
{
    for (const char* name : {"gltf_rigged/CesiumMan.glb", "gltf_rigged/Fox.glb"}) {
        TENDRIL_NEEDS_DATA(file, name);
        auto character = read_character(file);
        ASSERT_TRUE(character);
        Actor actor(std::move(*character), 0);
        const auto vertices = actor.move_to(0.4, {0, 0, 0}, *make_serial_executor());
        SurfacePose pose;
        actor.surface->pose(vertices, pose, *make_serial_executor());
        const Vec3d low = to_double(actor.depth.tree().low()), high = to_double(actor.depth.tree().high());
        size_t differ = 0;
        for (uint32_t i = 0; i < 600; ++i) {
            const Vec3d p = in_box(i, low, high);
            differ += (actor.depth.depth(p) > 0) != (winding_number(*actor.surface, pose, p) > 0.5);
        }
        EXPECT_LE(differ, 6u) << name;
    }
}

}  // namespace
}  // namespace tendril::test
