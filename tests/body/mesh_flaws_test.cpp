// Flaws of meshes: holes, inconsistent winding, and triangles that face inwards.
#include "support/data.h"
#include "support/meshes.h"
#include "support/solids.h"
#include "tendril/mesh.h"
#include "tendril/rigid_body.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tendril::test {
namespace {

MeshFlaws flaws_of(const Mesh& mesh)
{
    return find_flaws(mesh.vertices, mesh.triangles);
}

/// Turns the triangles from `first` on to the other side.
Mesh turned(Mesh mesh, size_t first = 0)
{
    for (size_t t = first; t < mesh.triangles.size(); ++t) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    return mesh;
}

void expect_sound(const Mesh& mesh, const std::string& name)
{
    const MeshFlaws flaws = flaws_of(mesh);
    EXPECT_EQ(flaws.open_edges, 0u) << name;
    EXPECT_EQ(flaws.twisted_edges, 0u) << name;
    EXPECT_EQ(flaws.inside_out, 0u) << name;
}

TEST(MeshFlaws, OwnMeshesHaveNone)
{
    expect_sound(make_bust().mesh, "bust");
    expect_sound(make_creature().mesh, "creature");
    expect_sound(make_sphere_mesh(0.1f), "sphere");
    expect_sound(make_box_mesh({1, 2, 3}, 4), "box");
    expect_sound(join(make_sphere_mesh(1), make_torus_mesh(0.4, 0.1, 20, 10), {3, 0, 0}), "two parts");
    RigidBody box;
    expect_sound(rigid_mesh(box), "rigid body");
}

TEST(MeshFlaws, OpenEdgesAreCounted)
{
    const MeshFlaws square = flaws_of(make_square(4));
    EXPECT_EQ(square.triangles, 32u);
    EXPECT_EQ(square.open_edges, 16u);
    EXPECT_EQ(square.twisted_edges, 0u);
    EXPECT_EQ(square.inside_out, 0u);  // a sheet has no inside
    const MeshFlaws cup = flaws_of(cut_above(make_sphere_mesh(1, 16), 0.1f));
    EXPECT_EQ(cup.open_edges, 32u);
    EXPECT_EQ(cup.inside_out, 0u);
}

TEST(MeshFlaws, TrianglesThatFaceInwardsAreCounted)
{
    const Mesh ball = make_sphere_mesh(1, 16);
    const size_t all = flaws_of(ball).triangles;
    const MeshFlaws flipped = flaws_of(turned(ball));
    EXPECT_EQ(flipped.inside_out, all);
    EXPECT_EQ(flipped.open_edges + flipped.twisted_edges, 0u);
    EXPECT_EQ(flaws_of(turned(cut_above(ball, 0.1f))).open_edges, 32u);
    EXPECT_GT(flaws_of(turned(cut_above(ball, 0.1f))).inside_out, all / 3);
    // One part of two.
    const Mesh two = join(make_sphere_mesh(2, 16), ball, {5, 0, 0});
    EXPECT_EQ(flaws_of(turned(two, two.triangles.size() - ball.triangles.size())).inside_out, all);
    // The cavity of a hollow ball faces its inside, as it should.
    const Mesh hollow = join(make_sphere_mesh(2, 16), turned(ball), {0, 0, 0});
    EXPECT_EQ(flaws_of(hollow).inside_out, 0u);
    EXPECT_EQ(flaws_of(turned(hollow)).inside_out, flaws_of(make_sphere_mesh(2, 16)).triangles);
}

TEST(MeshFlaws, EdgesBetweenOppositeWindingsAreCounted)
{
    const Mesh ball = make_sphere_mesh(1, 16);
    Mesh one = ball;
    std::swap(one.triangles[100][1], one.triangles[100][2]);
    EXPECT_EQ(flaws_of(one).twisted_edges, 3u);
    EXPECT_EQ(flaws_of(one).open_edges, 0u);
    EXPECT_EQ(flaws_of(one).inside_out, 0u);
    EXPECT_GT(flaws_of(turned(ball, ball.triangles.size() / 2)).twisted_edges, 16u);
}

TEST(MeshFlaws, CharactersFromFilesFaceOutwards)
{
    for (const char* name : {"gltf_rigged/CesiumMan.glb", "gltf_rigged/Fox.glb"}) {
        TENDRIL_NEEDS_DATA(file, name);
        const auto character = read_character(file);
        ASSERT_TRUE(character);
        EXPECT_EQ(flaws_of(character->mesh).inside_out, 0u) << name;
        EXPECT_EQ(flaws_of(character->mesh).twisted_edges, 0u) << name;
    }
}

}  // namespace
}  // namespace tendril::test
