#include "body/body.h"
#include "body/track.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tendril {
namespace {

double value_at(const Track& track, double t)
{
    double y = 0;
    track.sample(t, {&y, 1});
    return y;
}

TEST(Track, PassesThroughPushedValuesAndIsConstantOutside)
{
    Track track(1);
    for (const double t : {0.0, 0.1, 0.25, 0.3}) {
        const double y = std::sin(t);
        track.push(t, {&y, 1});
    }
    for (const double t : {0.0, 0.1, 0.25, 0.3}) EXPECT_NEAR(value_at(track, t), std::sin(t), 1e-15);
    EXPECT_EQ(value_at(track, -5), 0);
    EXPECT_NEAR(value_at(track, 9), std::sin(0.3), 1e-15);
}

TEST(Track, VelocityIsContinuous)
{
    Track track(1);
    for (int k = 0; k < 20; ++k) {
        const double y = std::sin(0.2 * k + 0.03 * (k % 3)), t = 0.03 * k + 0.007 * (k % 2);
        track.push(t, {&y, 1});
    }
    double worst = 0, before = (value_at(track, 1e-4) - value_at(track, 0)) / 1e-4;
    for (double t = 1e-4; t < 0.56; t += 1e-4) {
        const double v = (value_at(track, t + 1e-4) - value_at(track, t)) / 1e-4;
        worst = std::max(worst, std::abs(v - before));
        before = v;
    }
    EXPECT_LT(worst, 0.5);  // the speed is about 7
}

// Third order between the keys: the error drops by about a factor of eight when keys are twice as frequent.
TEST(Track, ConvergesToASmoothMotion)
{
    auto worst_error = [](double h) {
        Track track(1);
        for (int k = 0; k * h < 2; ++k) {
            const double y = std::sin(3 * k * h);
            track.push(k * h, {&y, 1});
        }
        double worst = 0;
        for (double t = 0.5; t < 1.5; t += 0.001)
            worst = std::max(worst, std::abs(value_at(track, t) - std::sin(3 * t)));
        return worst;
    };
    EXPECT_LT(worst_error(0.02), worst_error(0.04) / 6);
}

TEST(Track, ForgettingKeepsLaterValues)
{
    Track full(1), pruned(1);
    for (int k = 0; k < 50; ++k) {
        const double y = std::cos(0.3 * k), t = 0.1 * k;
        full.push(t, {&y, 1});
        pruned.push(t, {&y, 1});
        pruned.forget_before(t - 0.25);
        for (double s = std::max(0.0, t - 0.25); s <= t; s += 0.01) EXPECT_EQ(value_at(full, s), value_at(pruned, s));
    }
}

TEST(Body, RejectsInvalidPoses)
{
    Body body({.name = "pushed"});
    Pose pose;
    EXPECT_TRUE(body.push_poses(0, {&pose, 1}));
    pose.position.x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(body.push_poses(1, {&pose, 1}));
    pose.position.x = 1e30;
    EXPECT_FALSE(body.push_poses(1, {&pose, 1}));
    pose = {{0, 0, 0}, {0, 0, 0, 0}};
    EXPECT_FALSE(body.push_poses(1, {&pose, 1}));
    const Pose two[2];
    EXPECT_FALSE(body.push_poses(1, two));
    BodySample out;
    EXPECT_TRUE(body.sample(1, out));
    EXPECT_EQ(out.bones[0].position.x, 0);
}

TEST(Body, ClipLoopsAndRunsAtItsSpeed)
{
    Clip clip;
    for (int k = 0; k <= 4; ++k) {
        clip.times.push_back(0.25 * k);
        clip.poses.push_back({{std::sin(6.283185307 * 0.25 * k), 0, 0}, {}});
    }
    clip.speed = 2;
    Body body({.name = "clip", .clip = clip});
    BodySample a, b;
    ASSERT_TRUE(body.sample(0.1, a));
    ASSERT_TRUE(body.sample(0.6, b));
    EXPECT_NEAR(a.bones[0].position.x, b.bones[0].position.x, 1e-9);  // one second of clip takes half a second
    ASSERT_TRUE(body.sample(0.125, a));
    EXPECT_NEAR(a.bones[0].position.x, 1, 1e-9);
}

TEST(Body, IgnoresClipKeysWithoutPoses)
{
    Clip clip;
    clip.times = {0, 1, 2};
    clip.poses = {{{0, 0, 0}, {}}, {{1, 0, 0}, {}}, {{2, 0, 0}, {}}};
    Body body({.name = "two bones", .bones = 2, .clip = clip});
    BodySample out;
    EXPECT_TRUE(body.sample(5, out));
    EXPECT_EQ(out.bones.size(), 2u);
}

// A quaternion and its negative are the same rotation; the body must not spin between them.
TEST(Body, InterpolatesAlongTheShorterArc)
{
    Body body({.name = "pushed"});
    const Quat q = rotation_about({0, 1, 0}, 0.2);
    const Pose poses[] = {{{0, 0, 0}, rotation_about({0, 1, 0}, 0.1)}, {{0, 0, 0}, {-q.x, -q.y, -q.z, -q.w}}};
    body.push_poses(0, {poses, 1});
    body.push_poses(1, {poses + 1, 1});
    BodySample out;
    ASSERT_TRUE(body.sample(0.5, out));
    const Vec3d forward = rotate(out.bones[0].rotation, {0, 0, 1});
    EXPECT_NEAR(std::atan2(forward.x, forward.z), 0.15, 1e-3);
}

/// A triangle on the second of two nodes, each of which moves what it carries, with a clip that turns the first node.
std::shared_ptr<Character> two_nodes()
{
    auto character = std::make_shared<Character>();
    character->mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    character->mesh.triangles = {{0, 1, 2}};
    character->nodes.resize(2);
    character->nodes[0].translation = {0, 2, 0};
    character->nodes[0].scale = {3, 3, 3};
    character->nodes[1].parent = 0;
    character->nodes[1].translation = {1, 0, 0};
    character->bones = {{1, {}}};
    character->weights.resize(3, VertexWeights{{0, 0, 0, 0}, {1, 0, 0, 0}});
    CharacterClip clip{"turn", 1, {}};
    clip.channels.push_back({0, ChannelTarget::kTranslation, Interpolation::kLinear, {0, 1}, {{0, 2, 0}, {5, 2, 0}}});
    character->clips.push_back(clip);
    return character;
}

// The mesh of a file with nodes, of which no clip is played, is as rigid as one without: its distance field is built
// once and carried.
TEST(Body, AMeshOnNodesThatDoNotMoveIsUnbent)
{
    Body still({.name = "still", .character = two_nodes()});
    ASSERT_NE(still.unbent_vertices(), nullptr);
    EXPECT_EQ(*still.unbent_vertices(), (std::vector<Vec3f>{{3, 2, 0}, {6, 2, 0}, {3, 5, 0}}));
    Body moving({.name = "moving", .character = two_nodes(), .play = {.clip = 0}});
    EXPECT_EQ(moving.unbent_vertices(), nullptr);

    BodySample sample;
    ASSERT_TRUE(still.sample(0, sample));
    sample.bones[0].position = {10, 0, 0};
    const MeshView mesh = still.mesh_in(sample, *make_serial_executor());
    EXPECT_EQ(to_float(to_double(mesh.vertices[1]) + mesh.origin), (Vec3f{16, 2, 0}));
    const uint32_t last = 2;
    Vec3d found;
    ASSERT_TRUE(still.vertices_in(sample, {&last, 1}, {&found, 1}, *make_serial_executor()));
    EXPECT_EQ(found, (Vec3d{13, 5, 0}));
}

}  // namespace
}  // namespace tendril
