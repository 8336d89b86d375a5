// Guides and the strands that follow them.
#include "support/meshes.h"
#include "tendril/hair_style.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace tendril::test {
namespace {

GroomData hair_on_square(uint32_t count, uint64_t seed)
{
    const Mesh square = make_square(8);
    ScatterSettings scatter;
    scatter.count = count;
    scatter.seed = seed;
    HairStyle style;
    style.curl = CurlPattern::kWavy;
    style.particles = 24;
    style.seed = seed;
    return grow_hair(square, *scatter_roots(square, scatter), style)->data;
}

struct Moved {
    std::vector<Vec3f> guides, roots, out;
    std::vector<Quat> turns;
};

/// Moves all guides and roots by one rigid motion.
Moved move_rigidly(const Children& children, const Groom& guides, const Pose& pose)
{
    Moved moved;
    const auto carry = [&](const Vec3f& p) { return to_float(transform_point(pose, to_double(p))); };
    for (const Vec3f& p : guides.data().points) moved.guides.push_back(carry(p));
    for (size_t s = 0; s < children.groom().strand_count(); ++s) {
        moved.roots.push_back(carry(children.groom().points(s)[0]));
        moved.turns.push_back(pose.rotation);
    }
    moved.out.resize(children.groom().point_count());
    const CurvesView view{moved.guides, {}, guides.first_points(), {0, 0, 0}};
    children.interpolate(view, moved.roots, moved.turns, moved.out, *make_serial_executor());
    return moved;
}

TEST(Guides, RigidMotionMovesChildrenRigidly)
{
    const Groom guides = *make_groom(hair_on_square(40, 1));
    for (GuideMode mode : {GuideMode::kSingle, GuideMode::kThree}) {
        const Children children(guides, *make_groom(hair_on_square(300, 2)), mode);
        const Pose pose{{1, 2, 3}, rotation_about({0, 0.6, 0.8}, 1.1)};
        const Moved moved = move_rigidly(children, guides, pose);
        double worst = 0;
        for (size_t i = 0; i < moved.out.size(); ++i) {
            const Vec3d expected = transform_point(pose, to_double(children.groom().data().points[i]));
            worst = std::max(worst, length(to_double(moved.out[i]) - expected));
        }
        EXPECT_LT(worst, 1e-5);
    }
}

TEST(Guides, ChildrenDoNotStretch)
{
    const Groom guides = *make_groom(hair_on_square(40, 1));
    const Children children(guides, *make_groom(hair_on_square(300, 2)), GuideMode::kThree);
    Moved moved = move_rigidly(children, guides, {});
    for (size_t i = 0; i < moved.guides.size(); ++i)  // bend each guide differently
        moved.guides[i].x += 0.05f * moved.guides[i].y * static_cast<float>(i % 7);
    const CurvesView view{moved.guides, {}, guides.first_points(), {0, 0, 0}};
    children.interpolate(view, moved.roots, moved.turns, moved.out, *make_serial_executor());
    for (size_t s = 0; s < children.groom().strand_count(); ++s) {
        const auto rest = children.groom().rest_lengths(s);
        const size_t first = children.groom().first_points()[s];
        for (size_t i = 1; i < rest.size(); ++i)
            EXPECT_NEAR(length(moved.out[first + i] - moved.out[first + i - 1]) / rest[i], 1, 1e-4);
    }
}

TEST(Guides, ThreeGuidesSurroundTheChild)
{
    const GroomData guides = hair_on_square(60, 1), children = hair_on_square(300, 2);
    size_t surrounded = 0;
    const auto found = find_guides(guides, children, GuideMode::kThree);
    for (size_t s = 0; s < found.size(); ++s) {
        const ChildGuides& g = found[s];
        EXPECT_NEAR(g.weights[0] + g.weights[1] + g.weights[2], 1, 1e-5);
        Vec3f p{0, 0, 0};
        for (size_t k = 0; k < 3; ++k) p += guides.points[guides.first_point[g.guides[k]]] * g.weights[k];
        surrounded += length(p - children.points[children.first_point[s]]) < 1e-5f;
    }
    EXPECT_GT(surrounded, 220u);  // children at the rim have guides on one side only
}

TEST(Guides, ChoiceIsEven)
{
    const GroomData data = hair_on_square(1000, 3);
    const auto chosen = choose_guides(data, 0.1);
    EXPECT_EQ(chosen.size(), 100u);
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
    size_t left = 0;
    for (uint32_t s : chosen) left += data.points[data.first_point[s]].x < 0.5f;
    EXPECT_NEAR(static_cast<double>(left), 50, 8);
    EXPECT_EQ(choose_guides(data, 0).size(), 1u);
    EXPECT_EQ(choose_guides(data, 1).size(), 1000u);
}

// Files may contain strands without points or with points that are not finite; choosing from them must work.
TEST(Guides, ChoosingToleratesStrandsWithoutARoot)
{
    GroomData data;
    data.first_point = {0, 0, 1, 3, 5};
    data.points = {{1, 2, 3}, {std::numeric_limits<float>::quiet_NaN(), 0, 0}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}};
    for (double share : {0.0, 0.5, 1.0}) EXPECT_GE(choose_guides(data, share).size(), 1u);
    EXPECT_EQ(with_follow_hairs(data, 2, 0.1f, 1).strand_count(), 8u);
}

TEST(Guides, FollowHairsStayWithinTheirRadius)
{
    const GroomData data = hair_on_square(10, 1);
    const GroomData all = with_follow_hairs(data, 4, 0.01f, 1);
    ASSERT_EQ(all.strand_count(), 50u);
    EXPECT_TRUE(std::equal(data.points.begin(), data.points.end(), all.points.begin()));
    for (size_t s = 10; s < 50; ++s) {
        const Vec3f a = all.points[all.first_point[s]], b = data.points[data.first_point[(s - 10) / 4]];
        EXPECT_LE(length(a - b), 0.0101f);
    }
    EXPECT_TRUE(make_groom(all, RepairPolicy::kRefuse));
}

}  // namespace
}  // namespace tendril::test
