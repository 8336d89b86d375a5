// Guides and the strands that follow them.
#include "groom/children.h"
#include "support/meshes.h"
#include "support/simd.h"
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

constexpr double kGuideStep = 0.01;

/// The motion of a body over a step.
struct RigidMotion {
    Pose before, now;
};

struct MovedChildren {
    std::vector<Vec3f> guides, guide_velocities;
    std::vector<Vec3f> points, velocities;  // of the children
};

/// Interpolates children whose roots move rigidly.
void interpolate(Children& children, const Groom& guides, const RigidMotion& motion, MovedChildren& moved,
                 Executor& executor = *make_serial_executor())
{
    const auto roots = [&](size_t first, ChildRoots& out) {
        for (size_t lane = 0; lane < ChildRoots::kCount; ++lane) {
            const size_t s = children.order()[std::min(first + lane, children.order().size() - 1)];
            const Vec3d root = to_double(children.groom().points(s)[0]);
            const Vec3d now = transform_point(motion.now, root), step = now - transform_point(motion.before, root);
            const double position[3] = {now.x, now.y, now.z}, by[3] = {step.x, step.y, step.z};
            for (size_t c = 0; c < 3; ++c) {
                const Vec3d axis{c == 0 ? 1.0 : 0, c == 1 ? 1.0 : 0, c == 2 ? 1.0 : 0};
                const Vec3f is = to_float(rotate(motion.now.rotation, axis)),
                            was = to_float(rotate(motion.before.rotation, axis));
                out.position[c][lane] = static_cast<float>(position[c]);
                out.moved[c][lane] = static_cast<float>(by[c]);
                out.turn[c][lane] = is.x, out.turn[3 + c][lane] = is.y, out.turn[6 + c][lane] = is.z;
                out.turn_before[c][lane] = was.x, out.turn_before[3 + c][lane] = was.y;
                out.turn_before[6 + c][lane] = was.z;
            }
        }
    };
    moved.points.resize(children.groom().point_count());
    moved.velocities.resize(moved.points.size());
    const CurvesView view{moved.guides, moved.guide_velocities, guides.first_points(), {0, 0, 0}};
    children.interpolate(view, kGuideStep, roots, moved.points, moved.velocities, executor);
}

/// Moves all guides and roots by one rigid motion.
MovedChildren move_rigidly(Children& children, const Groom& guides, const RigidMotion& motion)
{
    MovedChildren moved;
    for (const Vec3f& p : guides.data().points) {
        const Vec3d now = transform_point(motion.now, to_double(p));
        moved.guides.push_back(to_float(now));
        moved.guide_velocities.push_back(
            to_float((now - transform_point(motion.before, to_double(p))) * (1 / kGuideStep)));
    }
    interpolate(children, guides, motion, moved);
    return moved;
}

TEST(Guides, RigidMotionMovesChildrenRigidly)
{
    const Groom guides = *make_groom(hair_on_square(40, 1));
    for (GuideMode mode : {GuideMode::kSingle, GuideMode::kThree}) {
        Children children(guides, *make_groom(hair_on_square(300, 2)), mode);
        const RigidMotion motion{{{1.02, 2, 3}, rotation_about({0, 0.6, 0.8}, 0.9)},
                                 {{1, 2, 3}, rotation_about({0, 0.6, 0.8}, 1.1)}};
        const MovedChildren moved = move_rigidly(children, guides, motion);
        double worst = 0, worst_velocity = 0;
        for (size_t i = 0; i < moved.points.size(); ++i) {
            const Vec3d rest = to_double(children.groom().data().points[i]), now = transform_point(motion.now, rest),
                        velocity = (now - transform_point(motion.before, rest)) * (1 / kGuideStep);
            worst = std::max(worst, length(to_double(moved.points[i]) - now));
            worst_velocity = std::max(worst_velocity, length(to_double(moved.velocities[i]) - velocity));
        }
        EXPECT_LT(worst, 1e-5);
        EXPECT_LT(worst_velocity, 1e-3);  // of up to 20 m/s
    }
}

// The number of points of a child may differ from that of its guides, and between children.
TEST(Guides, ChildrenOfOtherLengthsMoveRigidly)
{
    const Groom guides = *make_groom(hair_on_square(40, 1));
    GroomData uneven = hair_on_square(50, 2);
    uneven.widths.clear(), uneven.colours.clear(), uneven.transparencies.clear();
    std::vector<Vec3f> points;
    std::vector<uint32_t> first{0};
    for (uint32_t s = 0; s < 50; ++s) {
        const uint32_t count = 2 + s % 21;
        points.insert(points.end(), uneven.points.begin() + uneven.first_point[s],
                      uneven.points.begin() + uneven.first_point[s] + count);
        first.push_back(static_cast<uint32_t>(points.size()));
    }
    uneven.points = points, uneven.first_point = first;
    Children children(guides, *make_groom(uneven), GuideMode::kThree);
    const RigidMotion motion{{}, {{0, 0, 1}, rotation_about({0, 1, 0}, 0.2)}};
    const MovedChildren moved = move_rigidly(children, guides, motion);
    for (size_t i = 0; i < points.size(); ++i)
        EXPECT_LT(length(to_double(moved.points[i]) - transform_point(motion.now, to_double(points[i]))), 1e-5);
}

// A child is always where its guides and its root put it, so its velocity is the difference of two such positions.
TEST(Guides, VelocitiesAreDisplacementsOverTheStep)
{
    const Groom guides = *make_groom(hair_on_square(40, 1));
    Children children(guides, *make_groom(hair_on_square(300, 2)), GuideMode::kThree);
    const RigidMotion motion{{{0, 0, 0}, rotation_about({0, 0, 1}, 0.1)},
                             {{0.03, 0, 0.01}, rotation_about({1, 0, 0}, 0.2)}};
    MovedChildren before = move_rigidly(children, guides, {motion.before, motion.before});
    MovedChildren now = move_rigidly(children, guides, {motion.now, motion.now});
    for (size_t i = 0; i < now.guides.size(); ++i) {  // bend each guide differently
        now.guides[i].x += 0.1f * now.guides[i].y * static_cast<float>(i % 7);
        now.guide_velocities[i] = (now.guides[i] - before.guides[i]) * static_cast<float>(1 / kGuideStep);
    }
    interpolate(children, guides, motion, now);
    double worst = 0;
    for (size_t i = 0; i < now.points.size(); ++i)
        worst = std::max(worst, length(to_double(now.points[i]) - to_double(before.points[i]) -
                                       to_double(now.velocities[i]) * kGuideStep));
    EXPECT_LT(worst, 1e-5);
}

TEST(Guides, ChildrenHaveTheSameBitsForAnyThreadsAndInstructionSet)
{
    const Groom guides = *make_groom(hair_on_square(40, 1));
    Children children(guides, *make_groom(hair_on_square(301, 2)), GuideMode::kThree);
    const RigidMotion motion{{}, {{1, 2, 3}, rotation_about({0, 0.6, 0.8}, 0.3)}};
    const MovedChildren one = move_rigidly(children, guides, motion);
    const auto sets = instruction_sets();
    for (const int64_t set : sets) {
        const UseInstructionSet use(set);
        MovedChildren other = one;
        interpolate(children, guides, motion, other, *make_thread_executor(3));
        EXPECT_EQ(one.points, other.points) << set;
        EXPECT_EQ(one.velocities, other.velocities) << set;
    }
}

// Two guides that point in opposite directions leave their child without a direction.
TEST(Guides, ChildrenOfGuidesThatCancelOutKeepTheirLengths)
{
    GroomData pair;
    pair.first_point = {0, 3, 6, 9};
    pair.points = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {1, 1, 0}, {1, 2, 0}, {0, 0, 1}, {0, 1, 1}, {0, 2, 1}};
    const Groom guides = *make_groom(pair);
    GroomData middle;
    middle.first_point = {0, 3};
    middle.points = {{0.5f, 0, 0}, {0.5f, 1, 0}, {0.5f, 2, 0}};
    Children children(guides, *make_groom(middle), GuideMode::kThree);
    MovedChildren moved = move_rigidly(children, guides, {});
    for (size_t i : {1u, 2u}) moved.guides[i].y = -moved.guides[i].y;
    interpolate(children, guides, {}, moved);
    for (size_t i : {1u, 2u}) {
        EXPECT_NEAR(length(moved.points[i] - moved.points[i - 1]), 1, 1e-6);
        EXPECT_TRUE(is_finite(moved.velocities[i]));
    }
}

TEST(Guides, ChildrenDoNotStretch)
{
    const Groom guides = *make_groom(hair_on_square(40, 1));
    Children children(guides, *make_groom(hair_on_square(300, 2)), GuideMode::kThree);
    MovedChildren moved = move_rigidly(children, guides, {});
    for (size_t i = 0; i < moved.guides.size(); ++i)  // bend each guide differently
        moved.guides[i].x += 0.05f * moved.guides[i].y * static_cast<float>(i % 7);
    interpolate(children, guides, {}, moved);
    for (size_t s = 0; s < children.groom().strand_count(); ++s) {
        const auto rest = children.groom().rest_lengths(s);
        const size_t first = children.groom().first_points()[s];
        for (size_t i = 1; i < rest.size(); ++i)
            EXPECT_NEAR(length(moved.points[first + i] - moved.points[first + i - 1]) / rest[i], 1, 1e-4);
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
