// The tree over a moving surface against brute force in double, and its signs against winding numbers.
#include "body/moving_tree.h"
#include "math/random.h"
#include "support/fields.h"
#include "support/head.h"
#include "support/simd.h"
#include "support/solids.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace tendril::test {
namespace {

/// A mesh with everything needed to query it.
struct Posed {
    Mesh mesh;
    Surface surface;
    SurfacePose pose;
    MovingTree tree;

    explicit Posed(Mesh m) : mesh(std::move(m)), surface(mesh.vertices, mesh.triangles), tree(surface, mesh.vertices)
    {
        move_to(mesh.vertices, *make_serial_executor());
    }
    Posed(const Posed&) = delete;  // the tree points to surface and pose

    void move_to(const std::vector<Vec3f>& vertices, Executor& executor)
    {
        surface.pose(vertices, pose, executor);
        tree.refit(surface, pose, executor);
    }
};

/// The first half of the points are anywhere, the second half close to the surface.
Vec3d test_point(const Posed& posed, uint32_t i, uint32_t count, double reach)
{
    const Vec3d p = random_point(i, reach);
    if (i < count / 2) return p;
    const Vec3d q = brute_nearest(posed.surface, posed.pose, p).point;
    return q + (p - q) * 0.003;
}

Vec3d point_of(const Posed& posed, uint32_t triangle, const Vec3d& weights)
{
    const auto& t = posed.surface.triangles()[triangle];
    return to_double(posed.pose.vertices[t[0]]) * weights.x + to_double(posed.pose.vertices[t[1]]) * weights.y +
           to_double(posed.pose.vertices[t[2]]) * weights.z;
}

constexpr uint32_t kPoints = 400;

/// For a connected surface that does not intersect itself.
void expect_matches_brute_force(const Posed& posed, double reach)
{
    for (uint32_t i = 0; i < kPoints; ++i) {
        const Vec3d p = to_double(to_float(test_point(posed, i, kPoints, reach)));
        const double distance = brute_nearest(posed.surface, posed.pose, p).distance;
        const bool inside = winding_number(posed.surface, posed.pose, p) > 0.5;

        const auto quick = posed.tree.nearest(to_float(p), 1e3f);
        ASSERT_TRUE(quick) << i;
        EXPECT_NEAR(std::abs(quick->distance), distance, 2e-6 * reach) << i;
        EXPECT_EQ(quick->distance < 0, inside) << i << " at " << distance;
        EXPECT_NEAR(length(quick->normal), 1, 1e-5) << i;
        const Vec3d foot = point_of(posed, quick->triangle, to_double(quick->weights));
        EXPECT_LT(length(foot + to_double(quick->normal * quick->distance) - p), 1e-5 * reach) << i;

        const auto exact = posed.tree.nearest_exact(p, 1e3);
        ASSERT_TRUE(exact) << i;
        EXPECT_NEAR(exact->distance, inside ? -distance : distance, 1e-13 * reach) << i;
        const Vec3d foot_exact = point_of(posed, exact->triangle, exact->weights);
        EXPECT_LT(length(foot_exact + exact->normal * exact->distance - p), 1e-11 * reach) << i;
    }
}

TEST(MovingTree, MatchesBruteForceForASphere)
{
    expect_matches_brute_force(Posed(make_sphere_mesh(1, 24)), 1.5);
}

TEST(MovingTree, MatchesBruteForceForABox)
{
    expect_matches_brute_force(Posed(make_box_mesh({1, 0.4f, 0.05f}, 7)), 1.5);
}

TEST(MovingTree, MatchesBruteForceForATorus)
{
    expect_matches_brute_force(Posed(make_torus_mesh(1, 0.3, 48, 20)), 1.6);
}

TEST(MovingTree, MatchesBruteForceForAnOpenSphere)
{
    const Posed posed(cut_above(make_sphere_mesh(1, 24), 0.4f));
    EXPECT_EQ(posed.surface.closed_holes(), 1u);
    expect_matches_brute_force(posed, 1.5);
}

/// Rotated about y by an angle that increases with y, and bent.
std::vector<Vec3f> twisted(const std::vector<Vec3f>& vertices, double amount)
{
    std::vector<Vec3f> result;
    for (const Vec3f& v : vertices) {
        const Vec3d p = rotate(rotation_about({0, 1, 0}, amount * static_cast<double>(v.y)), to_double(v));
        result.push_back(to_float(p + Vec3d{0.3 * amount * p.y * p.y, 0, 0}));
    }
    return result;
}

TEST(MovingTree, FollowsAMovingSurface)
{
    Posed posed(make_box_mesh({0.3f, 1, 0.5f}, 10));
    for (const double amount : {0.0, 0.4, 0.9}) {
        posed.move_to(twisted(posed.mesh.vertices, amount), *make_serial_executor());
        expect_matches_brute_force(posed, 1.5);
    }
}

// Near the tip of a spike, a point outside is behind the half-space of most faces, and each face has the tip as its
// nearest point: [Boercsoek20] 3.5 would push the point through the spike. The pseudonormal gives the correct side.
TEST(MovingTree, FindsTheSideWhereHalfSpacesFail)
{
    Mesh spike;
    spike.vertices = {{0.1f, 0, 0}, {0, 0, -0.1f}, {-0.1f, 0, 0}, {0, 0, 0.1f}, {0, 1, 0}};
    spike.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {0, 3, 2}, {0, 2, 1}};
    const Posed posed(spike);
    const Vec3d tip{0, 1, 0}, p = tip + Vec3d{0.05, 0.006, 0.001};
    int wrong = 0;
    for (size_t t = 0; t < 4; ++t) wrong += dot(p - tip, to_double(posed.pose.face_normals[t])) < 0;
    EXPECT_GE(wrong, 1);
    ASSERT_LT(winding_number(posed.surface, posed.pose, p), 0.5);
    const auto found = posed.tree.nearest(to_float(p), 1);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->distance, length(p - tip), 1e-6);
    EXPECT_GT(posed.tree.nearest_exact(p, 1)->distance, 0);
    // All around the tip and along the sharp edges.
    for (uint32_t i = 0; i < 500; ++i) {
        const double along = uniform(3, i);
        const Vec3d on_edge = tip * along + to_double(spike.vertices[i % 4]) * (1 - along);
        const Vec3d q = on_edge + random_point(i, 0.02);
        EXPECT_EQ(posed.tree.nearest(to_float(q), 1)
                      ->distance<0, winding_number(posed.surface, posed.pose, to_double(to_float(q)))> 0.5)
            << i;
    }
}

TEST(MovingTree, HasANormalOnTheSurfaceItself)
{
    const Posed posed(make_box_mesh({1, 1, 1}, 4));
    const auto normal_at = [&](const Vec3f& p) {
        const auto found = posed.tree.nearest(p, 1);
        EXPECT_TRUE(found);
        EXPECT_NEAR(found->distance, 0, 1e-7);
        return to_double(found->normal);
    };
    EXPECT_LT(length(normal_at({1, 0.3f, 0.1f}) - Vec3d{1, 0, 0}), 1e-6);
    EXPECT_LT(length(normal_at({1, 1, 0.1f}) - Vec3d{1, 1, 0} * std::sqrt(0.5)), 1e-6);
    EXPECT_LT(length(normal_at({1, 1, 1}) - Vec3d{1, 1, 1} * std::sqrt(1.0 / 3)), 1e-4);
    const auto inside = posed.tree.nearest({0.999f, 0.3f, 0.1f}, 1);
    EXPECT_LT(length(to_double(inside->normal) - Vec3d{1, 0, 0}), 1e-6);
}

TEST(MovingTree, SearchesNoFartherThanAsked)
{
    const Posed posed(make_box_mesh({1, 1, 1}, 6));
    EXPECT_FALSE(posed.tree.nearest({1.3f, 0, 0}, 0.29f));
    EXPECT_TRUE(posed.tree.nearest({1.3f, 0, 0}, 0.31f));
    EXPECT_FALSE(posed.tree.nearest({0.7f, 0, 0}, 0.29f));  // too deep
    EXPECT_TRUE(posed.tree.nearest({0.7f, 0, 0}, 0.31f));
    EXPECT_FALSE(posed.tree.nearest_exact({1.3, 0, 0}, 0.3 - 1e-9));
    EXPECT_TRUE(posed.tree.nearest_exact({1.3, 0, 0}, 0.3 + 1e-9));
    EXPECT_FALSE(posed.tree.nearest({std::nanf(""), 0, 0}, 1));
    EXPECT_FALSE(Posed(Mesh{}).tree.nearest({0, 0, 0}, 1));
}

// A point inside one solid counts as inside even if it is near the surface of the other.
TEST(MovingTree, UnitesOverlappingParts)
{
    const Mesh ball = make_sphere_mesh(1, 20), box = make_box_mesh({0.5f, 0.5f, 0.5f}, 5);
    const Posed both(join(ball, box, {0.8f, 0, 0})), first(ball), second(join({}, box, {0.8f, 0, 0}));
    EXPECT_EQ(both.tree.part_count(), 2u);
    for (uint32_t i = 0; i < kPoints; ++i) {
        const Vec3d p = test_point(both, i, kPoints, 1.5);
        const auto exact = both.tree.nearest_exact(p, 10);
        const double a = first.tree.nearest_exact(p, 10)->distance, b = second.tree.nearest_exact(p, 10)->distance;
        EXPECT_EQ(exact->distance, std::min(a, b)) << i;
        EXPECT_EQ(exact->distance<0, winding_number(both.surface, both.pose, p)> 0.5) << i;
        EXPECT_NEAR(both.tree.nearest(to_float(p), 10)->distance, exact->distance, 1e-5) << i;
    }
}

TEST(MovingTree, FillsCavitiesAndIgnoresSheets)
{
    Mesh hole = make_sphere_mesh(0.5f, 12);
    for (auto& t : hole.triangles) std::swap(t[1], t[2]);
    Mesh sheet;
    sheet.vertices = {{2, 0, 0}, {3, 0, 0}, {3, 1, 0}, {2, 1, 0}};
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    const Posed posed(join(join(make_sphere_mesh(1, 16), hole, {0, 0, 0}), sheet, {0, 0, 0}));
    EXPECT_EQ(posed.tree.part_count(), 2u);
    EXPECT_LT(posed.tree.nearest({0.1f, 0, 0}, 5)->distance, -0.8f);
    EXPECT_NEAR(posed.tree.nearest({2.5f, 0.5f, 0}, 5)->distance, std::sqrt(2.5 * 2.5 + 0.25) - 1, 0.02);
}

TEST(MovingTree, SameBitsForAnyNumberOfThreadsAndAnyInstructionSet)
{
    const Mesh mesh = make_torus_mesh(1, 0.3, 64, 24);
    const auto vertices = twisted(mesh.vertices, 0.7);
    const auto answers = [&](int thread_count) {
        Posed posed(mesh);
        posed.move_to(vertices, *threads(thread_count));
        std::vector<SurfacePoint<float>> list;
        for (uint32_t i = 0; i < 300; ++i) list.push_back(*posed.tree.nearest(to_float(random_point(i, 1.5)), 9));
        return list;
    };
    const auto expect_same = [](const auto& a, const auto& b) {
        for (size_t i = 0; i < a.size(); ++i) {
            EXPECT_EQ(a[i].distance, b[i].distance);
            EXPECT_EQ(a[i].triangle, b[i].triangle);
            EXPECT_TRUE(a[i].normal == b[i].normal && a[i].weights == b[i].weights);
        }
    };
    const auto reference = answers(1);
    expect_same(reference, answers(2));
    expect_same(reference, answers(5));
    for (const int64_t target : instruction_sets()) {
        const UseInstructionSet use(target);
        expect_same(reference, answers(1));
    }
}

}  // namespace
}  // namespace tendril::test
