// [Mueller12] Eq. 13 and 14 as printed, against a plain program of them.
#include "interaction/printed_grid.h"
#include "bench/allocations.h"
#include "math/random.h"
#include "tendril/groom.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace tendril::test {
namespace {

constexpr double kCell = 0.02, kShortStep = 0.01, kTwoSubsteps = 0.005;
constexpr size_t kCrowdRopes = 40;
constexpr int kCrowdLevels = 8;

/// Loose ropes at random positions with random velocities.
struct PrintedCrowd {
    PrintedCrowd()
    {
        for (size_t s = 0; s < kCrowdRopes; ++s) {
            strands.set_root(s, random(3 * s, 0.05) + Vec3d{1, -2, 3});
            for (int i = 0; i < kCrowdLevels; ++i)
                strands.set_drift(s, i, to_float(random(1000 + 16 * s + static_cast<size_t>(i), 0.01)));
        }
    }
    static Vec3d random(uint64_t seed, double size)
    {
        return Vec3d{uniform(seed, 0) - 0.5, uniform(seed, 1) - 0.5, uniform(seed, 2) - 0.5} * (2 * size);
    }
    static Groom ropes()
    {
        RopeStyle style;
        style.strands = kCrowdRopes;
        style.particles = kCrowdLevels;
        style.length = 0.07f;
        style.ends = Ends::kFree;
        return *make_groom(*make_ropes(style));
    }

    std::vector<Vec3d> velocities() const
    {
        std::vector<Vec3d> out;
        for (size_t s = 0; s < kCrowdRopes; ++s)
            for (int i = 0; i < kCrowdLevels; ++i) out.push_back(to_double(strands.drift(s, i)) * (1 / kTwoSubsteps));
        return out;
    }
    std::vector<Vec3d> places() const
    {
        std::vector<Vec3d> out;
        for (size_t s = 0; s < kCrowdRopes; ++s)
            for (int i = 0; i < kCrowdLevels; ++i) out.push_back(strands.position(s, i));
        return out;
    }
    void apply(float s_friction, float s_repulsion, double dt = kShortStep)
    {
        GridSettings settings;
        settings.cell = static_cast<float>(kCell);
        settings.s_friction = s_friction;
        settings.s_repulsion = s_repulsion;
        PrintedGrid grid(settings);
        const InteractingGroom self{&groom, &strands, 0, 1e-6, kTwoSubsteps};
        grid.apply({&self, 1}, {dt, dt}, *executor);
    }

    Groom groom = ropes();
    Strands strands{groom, RootKind::kOnBone};
    std::shared_ptr<Executor> executor = make_serial_executor();
};

using NodeIndex = std::array<int64_t, 3>;
struct PlainNode {
    double density = 0;
    Vec3d momentum{0, 0, 0};
};

/// Calls `visit(node, weight, slope)` for the eight nodes around p.
template <class Visit>
void for_each_node(const Vec3d& p, const Visit& visit)
{
    const double at[]{p.x / kCell, p.y / kCell, p.z / kCell};
    for (int k = 0; k < 8; ++k) {
        NodeIndex node;
        double w[3], d[3];
        for (size_t axis = 0; axis < 3; ++axis) {
            const bool high = k >> axis & 1;
            const double low = std::floor(at[axis]), t = at[axis] - low;
            node[axis] = static_cast<int64_t>(low) + high;
            w[axis] = high ? t : 1 - t;
            d[axis] = high ? 1 : -1;
        }
        visit(node, w[0] * w[1] * w[2], Vec3d{d[0] * w[1] * w[2], w[0] * d[1] * w[2], w[0] * w[1] * d[2]});
    }
}

std::vector<Vec3d> plain_equations_13_and_14(const PrintedCrowd& crowd, double friction, double repulsion, double dt)
{
    std::map<NodeIndex, PlainNode> nodes;
    const std::vector<Vec3d> x = crowd.places();
    std::vector<Vec3d> v = crowd.velocities();
    for (size_t i = 0; i < x.size(); ++i)
        for_each_node(x[i], [&](const NodeIndex& at, double w, const Vec3d&) {
            nodes[at].density += w;
            nodes[at].momentum += v[i] * w;
        });
    for (size_t i = 0; i < x.size(); ++i) {
        Vec3d grid{0, 0, 0}, gradient{0, 0, 0};
        for_each_node(x[i], [&](const NodeIndex& at, double w, const Vec3d& slope) {
            const PlainNode& node = nodes[at];
            grid += node.momentum * (w / node.density);
            gradient += slope * node.density;
        });
        v[i] = v[i] * (1 - friction) + grid * friction;            // Eq. 13
        v[i] += gradient * (repulsion / (length(gradient) * dt));  // Eq. 14
    }
    return v;
}

double max_apart(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b)
{
    double worst = 0;
    for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, length(a[i] - b[i]));
    return worst;
}

TEST(PrintedGrid, IsEquations13And14)
{
    for (const double dt : {0.01, 0.02}) {
        PrintedCrowd crowd;
        const std::vector<Vec3d> expected = plain_equations_13_and_14(crowd, 0.3, 1e-3, dt);
        crowd.apply(0.3f, 1e-3f, dt);
        EXPECT_LT(max_apart(crowd.velocities(), expected), 1e-4) << dt;
    }
}

// The velocities are those that Eq. 9 stores, not the motion over the last step; sums and shares have equal weights.
TEST(PrintedGrid, FrictionKeepsTheStoredMomentum)
{
    PrintedCrowd crowd;
    const auto sum_of = [](const std::vector<Vec3d>& vectors) {
        Vec3d sum{0, 0, 0};
        for (const Vec3d& v : vectors) sum += v;
        return sum;
    };
    const std::vector<Vec3d> before = crowd.velocities();
    crowd.apply(1, 0);
    EXPECT_GT(max_apart(crowd.velocities(), before), 0.1);
    EXPECT_LT(length(sum_of(crowd.velocities()) - sum_of(before)), 1e-3);
}

/// Mean velocity towards the centre of the crowd that one step adds [m/s].
double drawn_inwards(float s_repulsion, double dt = kShortStep)
{
    PrintedCrowd crowd;
    const std::vector<Vec3d> x = crowd.places(), before = crowd.velocities();
    crowd.apply(0, s_repulsion, dt);
    const std::vector<Vec3d> after = crowd.velocities();
    Vec3d middle{0, 0, 0};
    for (const Vec3d& p : x) middle += p * (1.0 / static_cast<double>(x.size()));
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        const Vec3d inwards = middle - x[i];
        sum += dot(after[i] - before[i], inwards) / length(inwards);
    }
    return sum / static_cast<double>(x.size());
}

// The printed sign attracts, and half the step pushes twice as hard.
TEST(PrintedGrid, RepulsionAsPrintedAttracts)
{
    const double attracted = drawn_inwards(1e-3f);
    EXPECT_GT(attracted, 0.02);
    EXPECT_NEAR(drawn_inwards(-1e-3f), -attracted, 1e-4);
    EXPECT_NEAR(drawn_inwards(1e-3f, kShortStep / 2), 2 * attracted, 1e-3);
}

TEST(PrintedGrid, HeldRootsActButAreNotMoved)
{
    RopeStyle style;
    style.strands = 2;
    style.spacing = 0.001f;
    style.particles = kCrowdLevels;
    style.length = 0.07f;
    const Groom groom = *make_groom(*make_ropes(style));
    Strands strands(groom, RootKind::kOnBone);
    for (int i = 0; i < kCrowdLevels; ++i) strands.set_drift(0, i, {0, 0.001f, 0});
    GridSettings settings;
    settings.s_friction = 0.5f;
    PrintedGrid grid(settings);
    const InteractingGroom self{&groom, &strands, 0, 1e-6, kTwoSubsteps};
    grid.apply({&self, 1}, {kShortStep, kShortStep}, *make_serial_executor());
    EXPECT_EQ(strands.drift(0, 0), (Vec3f{0, 0.001f, 0}));
    EXPECT_EQ(strands.drift(1, 0), (Vec3f{0, 0, 0}));
    EXPECT_GT(strands.drift(1, 1).y, 1e-4f);
}

TEST(PrintedGrid, DoesNotAllocateAfterTheFirstStep)
{
    if (!bench::can_count_allocations()) GTEST_SKIP() << "allocations cannot be counted in this build";
    PrintedCrowd crowd;
    GridSettings settings;
    settings.s_friction = 0.5f;
    PrintedGrid grid(settings);
    const InteractingGroom self{&crowd.groom, &crowd.strands, 0, 1e-6, kTwoSubsteps};
    grid.apply({&self, 1}, {kShortStep, kShortStep}, *crowd.executor);
    bench::AllocationCount allocations;
    grid.apply({&self, 1}, {kShortStep, kShortStep}, *crowd.executor);
    EXPECT_EQ(allocations.so_far(), 0u);
}

// Two crowds a hundred kilometres apart do not share a grid, which would need cells larger than either.
TEST(PrintedGrid, FarGroomsHaveGridsOfTheirOwn)
{
    PrintedCrowd near, far, alone;
    for (size_t s = 0; s < kCrowdRopes; ++s) far.strands.set_root(s, far.strands.root(s) + Vec3d{1e5, 0, 0});
    GridSettings settings;
    settings.cell = static_cast<float>(kCell);
    settings.s_friction = 0.5f;
    PrintedGrid grid(settings);
    const InteractingGroom both[]{{&near.groom, &near.strands, 0, 1e-6, kTwoSubsteps, 1},
                                  {&far.groom, &far.strands, 0, 1e-6, kTwoSubsteps, 2}};
    grid.apply(both, {kShortStep, kShortStep}, *near.executor);
    EXPECT_NEAR(grid.cell(), kCell, 1e-6);
    alone.apply(0.5f, 0);
    EXPECT_EQ(max_apart(near.velocities(), alone.velocities()), 0);
}

}  // namespace
}  // namespace tendril::test
