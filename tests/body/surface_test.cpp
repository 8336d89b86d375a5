// The surface of a mesh: closed for any input, with pseudonormals that tell inside from outside [Baerentzen05].

#include "body/surface.h"
#include "math/random.h"
#include "support/data.h"
#include "support/fields.h"
#include "support/head.h"
#include "support/solids.h"

#include <gtest/gtest.h>

#include <map>

namespace tendril::test {
namespace {

Surface surface_of(const Mesh& mesh)
{
    return Surface(mesh.vertices, mesh.triangles);
}

SurfacePose pose_of(const Surface& surface, const Mesh& mesh)
{
    SurfacePose pose;
    surface.pose(mesh.vertices, pose, *make_serial_executor());
    return pose;
}

/// Every directed edge has its opposite.
bool is_closed(const Surface& surface)
{
    std::map<std::pair<uint32_t, uint32_t>, int> balance;
    for (const auto& t : surface.triangles())
        for (int k = 0; k < 3; ++k) {
            const uint32_t a = t[k], b = t[(k + 1) % 3];
            balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
        }
    return std::all_of(balance.begin(), balance.end(), [](const auto& entry) { return entry.second == 0; });
}

double volume(const Surface& surface, const SurfacePose& pose)
{
    double sum = 0;
    for (const auto& t : surface.triangles())
        sum +=
            dot(cross(to_double(pose.vertices[t[0]]), to_double(pose.vertices[t[1]])), to_double(pose.vertices[t[2]]));
    return sum / 6;
}

/// Compares signs by the pseudonormal of the nearest feature with the winding number, at many points near and far.
void expect_correct_signs(const Mesh& mesh, double reach)
{
    const Surface surface = surface_of(mesh);
    const SurfacePose pose = pose_of(surface, mesh);
    for (uint32_t i = 0; i < 400; ++i) {
        Vec3d p = random_point(i, reach);
        const BruteNearest near = brute_nearest(surface, pose, p);
        if (i % 2) p = near.point + (p - near.point) * 0.01;  // close to the surface
        const BruteNearest nearest = brute_nearest(surface, pose, p);
        const auto& t = surface.triangles()[nearest.triangle];
        const auto flat = flat_triangle(pose.vertices[t[0]], pose.vertices[t[1]], pose.vertices[t[2]]);
        const auto at = nearest_on(flat, to_float(p));
        EXPECT_NEAR(std::sqrt(static_cast<double>(at.distance2)), nearest.distance, 2e-6 * reach) << i;
        const float side = signed_side(flat, surface.feature_normals(pose, nearest.triangle), to_float(p), at);
        EXPECT_EQ(side<0, winding_number(surface, pose, p)> 0.5) << i << " feature " << at.feature;
    }
}

TEST(FieldSurface, WeldsSeamsOfABox)
{
    const Mesh mesh = make_box_mesh({1, 2, 3}, 4);
    const Surface surface = surface_of(mesh);
    EXPECT_EQ(surface.vertex_count(), 6u * 16 + 2);
    EXPECT_EQ(surface.closed_holes(), 0u);
    EXPECT_EQ(surface.triangles().size(), mesh.triangles.size());
    EXPECT_TRUE(is_closed(surface));
    EXPECT_NEAR(volume(surface, pose_of(surface, mesh)), 48, 1e-4);
}

TEST(FieldSurface, FlipsAnInsideOutMesh)
{
    Mesh mesh = make_box_mesh({1, 1, 1}, 2);
    for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
    const Surface surface = surface_of(mesh);
    EXPECT_NEAR(volume(surface, pose_of(surface, mesh)), 8, 1e-5);
}

TEST(FieldSurface, ClosesAHoleAtTheMeanOfItsRim)
{
    const Mesh mesh = cut_above(make_sphere_mesh(1.0f, 24), 0.7f);
    const Surface surface = surface_of(mesh);
    EXPECT_EQ(surface.closed_holes(), 1u);
    EXPECT_TRUE(is_closed(surface));
    const SurfacePose pose = pose_of(surface, mesh);
    const Vec3f& middle = pose.vertices.back();
    EXPECT_NEAR(middle.x, 0, 1e-5);
    EXPECT_NEAR(middle.z, 0, 1e-5);
    EXPECT_GT(middle.y, 0.5f);
    // The middle moves with the rim.
    std::vector<Vec3f> motion(mesh.vertices.size(), {1, 2, 3}), carried(surface.vertex_count());
    surface.carry(motion, carried, *make_serial_executor());
    EXPECT_EQ(carried.back(), (Vec3f{1, 2, 3}));
}

TEST(FieldSurface, SignsAreCorrectEverywhere)
{
    expect_correct_signs(make_box_mesh({0.5f, 0.3f, 0.4f}, 3), 0.8);
    expect_correct_signs(make_torus_mesh(0.5, 0.2, 24, 12), 0.9);
    expect_correct_signs(make_sphere_mesh(0.5f, 12), 0.8);
    expect_correct_signs(cut_above(make_sphere_mesh(0.5f, 16), 0.2f), 0.8);
    // A star with sharp dents: saddles and needles around every corner.
    Mesh star = make_sphere_mesh(0.5f, 10);
    for (size_t v = 0; v < star.vertices.size(); ++v) {
        const Vec3f& p = star.vertices[v];
        const float shrink = (std::llround(40 * (p.x + 2 * p.y + 3 * p.z)) & 1) != 0 ? 0.5f : 1.0f;
        star.vertices[v] = p * shrink;
    }
    expect_correct_signs(star, 0.7);
}

TEST(FieldSurface, ClosesAnyTriangleSoup)
{
    Mesh soup;
    for (uint32_t i = 0; i < 300; ++i) soup.vertices.push_back(to_float(random_point(i, 1)));
    for (uint32_t i = 0; i < 400; ++i)
        soup.triangles.push_back({static_cast<uint32_t>(300 * uniform(1, 3 * i)),
                                  static_cast<uint32_t>(300 * uniform(1, 3 * i + 1)),
                                  static_cast<uint32_t>(300 * uniform(1, 3 * i + 2))});
    const Surface surface = surface_of(soup);
    EXPECT_TRUE(is_closed(surface));
    const SurfacePose pose = pose_of(surface, soup);
    for (uint32_t i = 0; i < 50; ++i) {
        const double w = winding_number(surface, pose, random_point(1000 + i, 1));
        EXPECT_NEAR(w, std::round(w), 1e-3);
    }
    // Three faces at one edge, a single triangle, no triangles, and a degenerate one.
    for (const std::vector<std::array<uint32_t, 3>>& triangles :
         {std::vector<std::array<uint32_t, 3>>{{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}, {{0, 1, 2}}, {}, {{5, 5, 6}}}) {
        const Surface odd(soup.vertices, triangles);
        EXPECT_TRUE(is_closed(odd));
        pose_of(odd, soup);
    }
}

TEST(FieldSurface, DegenerateTrianglesHaveDistances)
{
    // All corners on a line, or at one point.
    const Vec3f a{0, 0, 0}, b{1, 0, 0}, c{3, 0, 0};
    for (const auto& t :
         {flat_triangle(a, b, c), flat_triangle(b, c, a), flat_triangle(c, a, b), flat_triangle(a, c, c)}) {
        EXPECT_NEAR(nearest_on(t, Vec3f{2, 3, 4}).distance2, 25, 1e-4);
        EXPECT_NEAR(nearest_on(t, Vec3f{5, 0, 0}).distance2, 4, 1e-5);
    }
    EXPECT_NEAR(nearest_on(flat_triangle(b, b, b), Vec3f{1, 2, 0}).distance2, 4, 1e-5);
}

TEST(FieldSurface, SameBitsForAnyNumberOfThreads)
{
    const Mesh mesh = cut_above(make_sphere_mesh(1.0f, 80), 0.7f);
    const Surface surface = surface_of(mesh);
    const SurfacePose one = pose_of(surface, mesh);
    for (int n : {2, 3, 8}) {
        SurfacePose many;
        surface.pose(mesh.vertices, many, *threads(n));
        EXPECT_EQ(one.vertex_normals, many.vertex_normals);
        EXPECT_EQ(one.edge_normals, many.edge_normals);
    }
}

TEST(FieldSurface, ScannedHeadIsClosed)
{
    TENDRIL_NEEDS_DATA(file, "head_leeperrysmith/LeePerrySmith.glb");
    const auto head = read_character(file);
    ASSERT_TRUE(head);
    const Surface surface = surface_of(head->mesh);
    EXPECT_TRUE(is_closed(surface));
    EXPECT_GT(volume(surface, pose_of(surface, head->mesh)), 0);
}

}  // namespace
}  // namespace tendril::test
