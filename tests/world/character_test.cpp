// Hair on characters: roots follow the skin, bones carry strands, and children follow their guides.
#include "support/head.h"
#include "tendril/hair_style.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tendril::test {
namespace {

struct HairyBust {
    std::shared_ptr<const Character> character;
    Mesh rest;
    std::vector<MeshPoint> roots;
    GrownHair hair;
};

/// Hair on the scalp of the bust.
HairyBust make_hairy_bust(uint32_t strands)
{
    HairyBust bust;
    bust.character = std::make_shared<const Character>(make_bust());
    bust.rest = bust.character->mesh;
    std::vector<Affine> bones(bust.character->bones.size());
    pose_bones(*bust.character, {}, 0, bones);
    skin(*bust.character, bones, bust.rest.vertices, *make_serial_executor());
    ScatterSettings scatter;
    scatter.count = strands;
    scatter.groups = {"scalp"};
    bust.roots = *scatter_roots(bust.rest, scatter);
    HairStyle style;
    style.particles = 12;
    bust.hair = *grow_hair(bust.rest, bust.roots, style);
    return bust;
}

struct AnimatedWorld {
    World world;
    BodyId body;
    GroomId groom;
};

AnimatedWorld make_animated_world(const HairyBust& bust, std::shared_ptr<Executor> executor, int substeps = 2)
{
    WorldSettings settings;
    settings.substeps = substeps;
    AnimatedWorld animated{World(settings, std::move(executor)), {}, {}};
    BodyDescription body;
    body.character = bust.character;
    body.play.clip = *find_clip(*bust.character, "look_around");
    body.function = [](double t, std::span<Pose> bones) { bones[0].position = {0.1 * t, 0, 0}; };
    animated.body = animated.world.add_body(std::move(body));
    GroomSettings groom;
    groom.body = animated.body;
    groom.binding = bust.hair.binding;
    animated.groom = *animated.world.add_groom(*make_groom(bust.hair.data), groom);
    return animated;
}

TEST(WorldCharacter, RootsFollowTheSkin)
{
    const HairyBust bust = make_hairy_bust(200);
    AnimatedWorld animated = make_animated_world(bust, make_serial_executor());
    std::vector<Affine> bones(bust.character->bones.size());
    Mesh now = bust.rest;
    for (int frame = 0; frame < 60; ++frame) {
        animated.world.step();
        pose_bones(*bust.character, {*find_clip(*bust.character, "look_around"), true, 1.0}, animated.world.time(),
                   bones);
        skin(*bust.character, bones, now.vertices, *make_serial_executor());
        for (size_t s = 0; s < bust.roots.size(); ++s) {
            const Vec3d wanted = position_of(now, bust.roots[s]) + Vec3d{0.1 * animated.world.time(), 0, 0};
            ASSERT_LT(length(animated.world.position({animated.groom, s, 0}) - wanted), 1e-6);
        }
    }
    const MeshView mesh = animated.world.mesh(animated.body, animated.world.time());
    ASSERT_EQ(mesh.vertices.size(), now.vertices.size());
    ASSERT_EQ(mesh.triangles.size(), now.triangles.size());
    for (size_t v = 0; v < now.vertices.size(); ++v) {
        const Vec3d wanted = to_double(now.vertices[v]) + Vec3d{0.1 * animated.world.time(), 0, 0};
        ASSERT_LT(length(to_double(mesh.vertices[v]) + mesh.origin - wanted), 1e-6);
    }
    EXPECT_TRUE(animated.world.mesh({7}, 0).vertices.empty());
    const Metrics metrics = animated.world.measure();
    EXPECT_LT(metrics.stretch_max, 1e-6);
    EXPECT_EQ(metrics.nonfinite, 0u);
}

TEST(WorldCharacter, SameBitsForAnyNumberOfThreads)
{
    const HairyBust bust = make_hairy_bust(2000);
    std::vector<uint64_t> hashes;
    for (int n : {1, 2, 3}) {
        AnimatedWorld animated = make_animated_world(bust, threads(n));
        for (int frame = 0; frame < 20; ++frame) animated.world.step();
        hashes.push_back(animated.world.state_hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(WorldCharacter, TeleportCarriesHairWithTheSkin)
{
    const HairyBust bust = make_hairy_bust(50);
    AnimatedWorld animated = make_animated_world(bust, make_serial_executor());
    animated.world.step();
    const Vec3d edge =
        animated.world.position({animated.groom, 7, 5}) - animated.world.position({animated.groom, 7, 0});
    ASSERT_TRUE(animated.world.teleport(animated.body));
    const Vec3d after =
        animated.world.position({animated.groom, 7, 5}) - animated.world.position({animated.groom, 7, 0});
    EXPECT_LT(length(edge - after), 1e-6);
}

// A strand that is bound to one bone follows it.
TEST(WorldCharacter, BonesCarryStrands)
{
    const auto character = std::make_shared<const Character>(make_bust());
    const int clip = *find_clip(*character, "look_around");
    World world({}, make_serial_executor());
    BodyDescription description;
    description.character = character;
    description.play.clip = clip;
    const BodyId body = world.add_body(std::move(description));
    GroomData data;
    data.first_point = {0, 2};
    data.points = {{0, 0.4f, 0.1f}, {0, 0.5f, 0.1f}};
    WeightedBoneBinding binding;
    binding.rest.resize(1 + character->bones.size());
    binding.weights = {{{{static_cast<uint32_t>(character->bones.size()), 1.0f}, {}, {}, {}}}};
    GroomSettings settings;
    settings.body = body;
    settings.binding = binding;
    const auto groom = world.add_groom(*make_groom(data), settings);
    ASSERT_TRUE(groom) << groom.error();
    std::vector<Affine> bones(character->bones.size());
    for (int frame = 0; frame < 30; ++frame) {
        world.step();
        pose_bones(*character, {clip, true, 1.0}, world.time(), bones);
        const Vec3d wanted =
            transform_point(bones.back(), {0, to_double(data.points[0]).y, to_double(data.points[0]).z});
        EXPECT_LT(length(world.position({*groom, 0, 0}) - wanted), 1e-6);
    }
}

/// A bust that turns its head, with hair of which a tenth are guides and the others children.
struct ChildrenWorld {
    World world{{}, make_serial_executor()};
    BodyId body;
    GroomId guides;
    ChildrenId children;
};

ChildrenWorld make_children_world(const HairyBust& bust)
{
    const auto strands = static_cast<uint32_t>(bust.hair.data.strand_count());
    const auto chosen = choose_guides(bust.hair.data, 0.1);
    std::vector<uint32_t> others;
    for (uint32_t s = 0; s < strands; ++s)
        if (!std::binary_search(chosen.begin(), chosen.end(), s)) others.push_back(s);
    const auto part = [&](const std::vector<uint32_t>& list) {
        TriangleBinding binding;
        binding.rest = bust.hair.binding.rest;
        for (uint32_t s : list) {
            binding.triangles.push_back(bust.hair.binding.triangles[s]);
            binding.weights.push_back(bust.hair.binding.weights[s]);
        }
        return binding;
    };
    ChildrenWorld made;
    BodyDescription body;
    body.character = bust.character;
    body.play.clip = 0;
    GroomSettings settings;
    settings.body = made.body = made.world.add_body(std::move(body));
    settings.binding = part(chosen);
    made.guides = *made.world.add_groom(*make_groom(subset(bust.hair.data, chosen)), settings);
    made.children = *made.world.add_children(made.guides, *make_groom(subset(bust.hair.data, others)),
                                             GuideMode::kThree, part(others));
    return made;
}

/// The points of children in the world.
std::vector<Vec3d> points_of(World& world, ChildrenId children)
{
    const CurvesView view = world.curves(children);
    std::vector<Vec3d> points;
    for (const Vec3f& p : view.points) points.push_back(view.origin + to_double(p));
    return points;
}

TEST(WorldChildren, FollowTheirGuidesWithoutStretch)
{
    const HairyBust bust = make_hairy_bust(600);
    ChildrenWorld made = make_children_world(bust);
    World& world = made.world;
    EXPECT_EQ(world.strand_count(), 60u);
    const auto worst_edge = [&] {
        const CurvesView view = world.curves(made.children);
        double worst = 0;
        for (size_t s = 0; s + 1 < view.first_point.size(); ++s) {
            const auto rest = world.children(made.children).rest_lengths(s);
            for (size_t i = 1; i < rest.size(); ++i) {
                const size_t at = view.first_point[s] + i;
                const double l = static_cast<double>(length(view.points[at] - view.points[at - 1]));
                worst = std::max(worst, std::abs(l / static_cast<double>(rest[i]) - 1));
            }
        }
        return worst;
    };
    // Before the first step, every strand has its rest pose on the first pose of the clip.
    EXPECT_LT(worst_edge(), 1e-4);
    for (int frame = 0; frame < 60; ++frame) world.step();
    EXPECT_LT(worst_edge(), 1e-4);
    // The hair hangs: the tips of children are well below their roots.
    const CurvesView view = world.curves(made.children);
    double drop = 0;
    const size_t children = view.first_point.size() - 1;
    for (size_t s = 0; s < children; ++s)
        drop += static_cast<double>(view.points[view.first_point[s + 1] - 1].y - view.points[view.first_point[s]].y);
    EXPECT_LT(drop / static_cast<double>(children), -0.15);
    EXPECT_FALSE(world.add_children(GroomId{7}, *make_groom(bust.hair.data), GuideMode::kSingle, OneBoneBinding{}));
}

TEST(WorldChildren, VelocitiesAreDisplacementsOverTheStep)
{
    ChildrenWorld made = make_children_world(make_hairy_bust(600));
    World& world = made.world;
    const CurvesView at_rest = world.curves(made.children);
    ASSERT_EQ(at_rest.velocities.size(), at_rest.points.size());
    for (const Vec3f& v : at_rest.velocities) EXPECT_EQ(length(v), 0);
    for (int step = 0; step < 60; ++step) world.step();
    const std::vector<Vec3d> before = points_of(world, made.children);
    world.step();
    const std::vector<Vec3d> now = points_of(world, made.children);
    const CurvesView view = world.curves(made.children);
    double worst = 0, fastest = 0;
    for (size_t i = 0; i < now.size(); ++i) {
        const Vec3d velocity = (now[i] - before[i]) * (1 / world.settings().dt);
        fastest = std::max(fastest, length(velocity));
        worst = std::max(worst, length(velocity - to_double(view.velocities[i])));
    }
    EXPECT_GT(fastest, 0.05);
    EXPECT_LT(worst, 1e-3);
}

// A jump of the body is no motion, and neither is what a clip does while strands settle.
TEST(WorldChildren, RootsHaveNoVelocityAfterATeleport)
{
    ChildrenWorld made = make_children_world(make_hairy_bust(200));
    World& world = made.world;
    const auto fastest_root = [&] {
        const CurvesView view = world.curves(made.children);
        float fastest = 0;
        for (size_t s = 0; s + 1 < view.first_point.size(); ++s)
            fastest = std::max(fastest, length(view.velocities[view.first_point[s]]));
        return fastest;
    };
    for (int step = 0; step < 60; ++step) world.step();
    EXPECT_GT(fastest_root(), 0);
    const std::vector<std::byte> state = world.save();
    ASSERT_TRUE(world.teleport(made.body));
    EXPECT_EQ(fastest_root(), 0);
    ASSERT_TRUE(world.load(state));
    EXPECT_GT(fastest_root(), 0);
    world.reset();
    EXPECT_EQ(fastest_root(), 0);
    world.step();
    EXPECT_GT(fastest_root(), 0);
    ASSERT_TRUE(world.settle(0.1));
    EXPECT_EQ(fastest_root(), 0);
}

// With the guides and weights that a world gives out, and the rest poses, a host can place the roots itself.
TEST(WorldChildren, WeightsOfTheirGuidesSumToOne)
{
    ChildrenWorld made = make_children_world(make_hairy_bust(200));
    const auto guides = made.world.child_guides(made.children);
    ASSERT_EQ(guides.size(), made.world.children(made.children).strand_count());
    for (const ChildGuides& child : guides) {
        EXPECT_NEAR(child.weights[0] + child.weights[1] + child.weights[2], 1, 1e-5);
        for (const uint32_t guide : child.guides) EXPECT_LT(guide, made.world.groom(made.guides).strand_count());
    }
}

// The curves of the guides are reused, but not if the body was moved since.
TEST(WorldChildren, FollowABodyThatIsPushedBetweenSteps)
{
    const HairyBust bust = make_hairy_bust(100);
    World world({}, make_serial_executor());
    BodyDescription description;
    description.vertices = bust.character->mesh.vertices.size();
    const BodyId body = world.add_body(description);
    GroomSettings settings;
    settings.body = body;
    settings.binding = bust.hair.binding;
    ASSERT_TRUE(world.push_vertices(body, bust.character->mesh.vertices, {0, 0, 0}, 0));
    const GroomId guides = *world.add_groom(*make_groom(bust.hair.data), settings);
    const ChildrenId children =
        *world.add_children(guides, *make_groom(bust.hair.data), GuideMode::kSingle, bust.hair.binding);
    const std::vector<Vec3d> before = points_of(world, children);
    ASSERT_TRUE(world.push_vertices(body, bust.character->mesh.vertices, {1, 0, 0}, 0));
    const std::vector<Vec3d> after = points_of(world, children);
    for (size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i].x - before[i].x, 1, 1e-5);
}

// Roots on bones go through other code than roots on triangles. A child that is its own guide is that guide.
TEST(WorldChildren, AreTheirGuidesIfTheyAreTheSameStrands)
{
    const auto character = std::make_shared<const Character>(make_bust());
    const HairyBust bust = make_hairy_bust(100);
    WeightedBoneBinding weighted;
    weighted.rest.resize(1 + character->bones.size());
    const auto last = static_cast<uint32_t>(character->bones.size());
    weighted.weights.assign(100, {{{last, 0.7f}, {last - 1, 0.3f}, {}, {}}});
    for (const RootBinding& binding : {RootBinding(OneBoneBinding{last}), RootBinding(weighted)}) {
        World world({}, make_serial_executor());
        BodyDescription description;
        description.character = character;
        description.play.clip = 0;
        GroomSettings settings;
        settings.body = world.add_body(std::move(description));
        settings.binding = binding;
        const GroomId guides = *world.add_groom(*make_groom(bust.hair.data), settings);
        const ChildrenId children =
            *world.add_children(guides, *make_groom(bust.hair.data), GuideMode::kSingle, binding);
        for (int step = 0; step < 60; ++step) world.step();
        const CurvesView one = world.curves(guides), other = world.curves(children);
        float worst = 0, worst_velocity = 0;
        for (size_t i = 0; i < one.points.size(); ++i) {
            worst = std::max(worst, length(one.points[i] - other.points[i]));
            worst_velocity = std::max(worst_velocity, length(one.velocities[i] - other.velocities[i]));
        }
        EXPECT_LT(worst, 1e-5f);
        EXPECT_LT(worst_velocity, 1e-3f);
    }
    World world({}, make_serial_executor());
    EXPECT_FALSE(world.add_children(GroomId{7}, *make_groom(bust.hair.data), GuideMode::kSingle, OneBoneBinding{}));
}

}  // namespace
}  // namespace tendril::test
