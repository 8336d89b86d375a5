// Friction and repulsion by the grid alone, on strands at given positions.
#include "interaction/grid.h"
#include "math/random.h"
#include "support/sanitized.h"
#include "support/strand_bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::test {
namespace {

constexpr InteractionStep kStep{0.01, 0.01};
constexpr double kGridSubstep = 0.005;

Groom loose_ropes(uint32_t strands, float spacing, uint32_t particles = 8)
{
    RopeStyle style;
    style.strands = strands;
    style.particles = particles;
    style.length = 0.01f * static_cast<float>(particles - 1);
    style.spacing = spacing;
    style.ends = Ends::kFree;
    return *make_groom(*make_ropes(style));
}

Groom head(uint32_t strands, uint32_t particles)
{
    SphereStyle style;
    style.strands = strands;
    style.particles = particles;
    style.length_spread = 0.2f;
    return *make_groom(*make_sphere_hair(style));
}

/// One groom that interacts with itself through a grid.
struct Meeting {
    explicit Meeting(Groom g) : groom(std::move(g)), strands(groom, RootKind::kOnBone) {}

    /// Sets the motion of a whole strand: its displacement over the last step, and the position of its root after it.
    void place(size_t strand, const Vec3d& root, const Vec3d& moved)
    {
        strands.set_root(strand, root - moved);
        strands.begin_step();
        roots.emplace_back(strand, root);
    }
    void arrive()
    {
        for (const auto& [strand, root] : roots) strands.set_root(strand, root);
        roots.clear();
    }
    void apply(const GridSettings& settings, std::shared_ptr<Executor> executor = make_serial_executor())
    {
        grid.configure({.method = InteractionMethod::kGrid, .grid = settings, .sph = {}, .contacts = {}});
        const InteractingGroom self{&groom, &strands, 0, 1e-6, kGridSubstep};
        grid.apply({&self, 1}, kStep, *executor);
    }
    /// Change of velocity, for strands without initial drift [m/s].
    Vec3d change(size_t strand, int level) const
    {
        return to_double(strands.drift(strand, level)) * (1 / kGridSubstep);
    }

    Groom groom;
    Strands strands;
    GridInteraction grid{GridSettings{}};
    std::vector<std::pair<size_t, Vec3d>> roots;
};

GridSettings friction_alone(float rate)
{
    GridSettings s;
    s.friction = rate;
    s.repulsion = 0;
    return s;
}

GridSettings repulsion_alone(float acceleration)
{
    GridSettings s;
    s.friction = 0;
    s.repulsion = acceleration;
    return s;
}

Vec3d random_vector(uint64_t seed, double size)
{
    return Vec3d{uniform(seed, 0) - 0.5, uniform(seed, 1) - 0.5, uniform(seed, 2) - 0.5} * (2 * size);
}

TEST(Grid, FrictionKeepsMomentum)
{
    Meeting m(loose_ropes(100, 0.003f));
    for (size_t s = 0; s < 100; ++s)
        m.place(s, m.strands.root(s) + random_vector(s, 0.01), random_vector(s + 999, 0.01));
    m.arrive();
    m.apply(friction_alone(50));
    Vec3d sum{0, 0, 0};
    double size = 0;
    for (size_t s = 0; s < 100; ++s)
        for (int i = 0; i < m.strands.levels(s); ++i) {
            sum += m.change(s, i);
            size += length(m.change(s, i));
        }
    EXPECT_GT(size, 10.0);
    EXPECT_LT(length(sum), 1e-6 * size);
}

// Ropes at the same position, every other one moving in the opposite direction, so that their mean is at rest.
constexpr double kSpeed = 1e-4;  // so slow that they stay at the same position [m/s]

double speed_left(double dt, int substeps, double rate, double seconds)
{
    StrandBench bench(loose_ropes(8, 0), DftlSettings{}, dt, substeps, {0, 0, 0});
    const auto speed = [&](size_t s) { return s % 2 == 0 ? kSpeed : -kSpeed; };
    for (size_t s = 0; s < 8; ++s)
        for (int i = 0; i < bench.strands.levels(s); ++i)
            bench.strands.set_drift(s, i, {0, static_cast<float>(speed(s) * dt / substeps), 0});
    bench.step();
    GridInteraction grid(friction_alone(static_cast<float>(rate)));
    const InteractingGroom self{&bench.groom, &bench.strands, 0, 1e-6, dt / substeps};
    const int steps = static_cast<int>(std::lround(seconds / dt));
    for (int k = 0; k < steps; ++k) {
        grid.apply({&self, 1}, {dt, dt}, *bench.executor);
        bench.step();
    }
    return (bench.strands.root(0) - bench.strands.root_before(0)).y / (kSpeed * dt);
}

TEST(Grid, FrictionDecaysAtItsRateWhateverTheStep)
{
    const double expected = std::exp(-3.0 * 0.5);
    EXPECT_NEAR(speed_left(0.1, 1, 3, 0.5), expected, 0.01 * expected);
    EXPECT_NEAR(speed_left(0.05, 4, 3, 0.5), expected, 0.01 * expected);
    EXPECT_NEAR(speed_left(0.01, 1, 3, 0.5), expected, 0.01 * expected);
    EXPECT_NEAR(speed_left(0.01, 3, 3, 0.5), expected, 0.01 * expected);
}

TEST(Grid, StrandsThatMoveTogetherFeelNothing)
{
    Meeting m(loose_ropes(40, 0.004f));
    for (size_t s = 0; s < 40; ++s) m.place(s, m.strands.root(s), {0.05, 0.02, -0.01});
    m.arrive();
    m.apply(friction_alone(1e6f));
    for (size_t s = 0; s < 40; ++s)
        for (int i = 0; i < m.strands.levels(s); ++i) EXPECT_LT(length(m.change(s, i)), 1e-5);
}

TEST(Grid, HeldRootsActButAreNotMoved)
{
    RopeStyle style;
    style.strands = 20;
    style.particles = 6;
    style.length = 0.05f;
    style.spacing = 0.002f;
    Meeting m(*make_groom(*make_ropes(style)));
    m.strands.frame.position = {0, 0.01, 0};  // the frame and its strands have moved
    for (size_t s = 0; s < 20; s += 2)
        for (int i = 1; i < 6; ++i) m.strands.set_edge(s, i, {0, -0.01f, 0});
    m.apply(GridSettings{});
    double most = 0;
    for (size_t s = 0; s < 20; ++s) {
        EXPECT_EQ(m.strands.drift(s, 0), (Vec3f{0, 0, 0}));
        for (int i = 1; i < 6; ++i) most = std::max(most, length(m.change(s, i)));
    }
    EXPECT_GT(most, 0.005);
    // Six lanes of each block are padding and stay unchanged.
    const BlockRef block = m.strands.blocks(0, 0);
    for (size_t lane = 10; lane < kLanes; ++lane)
        for (int i = 0; i < 6; ++i) EXPECT_EQ(block.state[(i * kStateRows + 4) * kLanes + lane], 0.0f);
}

TEST(Grid, RepulsionPushesAwayFromTheDenserSide)
{
    Meeting m(loose_ropes(40, 0.01f));
    const double middle = 0.5 * (m.strands.root(0).z + m.strands.root(39).z);
    for (size_t s = 0; s < 40; ++s) {
        const Vec3d r = m.strands.root(s);
        m.place(s, {r.x, r.y, middle + 0.15 * (r.z - middle)}, {0, 0, 0});
    }
    m.arrive();
    m.apply(repulsion_alone(5));
    for (size_t s : {0, 1, 2, 3, 36, 37, 38, 39}) {
        const double outwards = m.strands.root(s).z > middle ? 1 : -1;
        for (int i = 0; i < 8; ++i) {
            EXPECT_GT(m.change(s, i).z * outwards, 0.02 * 5 * kStep.dt) << s << " " << i;
            EXPECT_LT(length(m.change(s, i)), 5 * kStep.dt * 1.0001);
        }
    }
}

TEST(Grid, PushIsLimitedToHalfACell)
{
    Meeting m(loose_ropes(40, 0.01f));
    for (size_t s = 0; s < 40; ++s)
        m.place(s, m.strands.root(0) + Vec3d{0, 0, 1e-3 * static_cast<double>(s)}, {0, 0, 0});
    m.arrive();
    m.apply(repulsion_alone(1e6f));
    double most = 0;
    for (size_t s = 0; s < 40; ++s)
        for (int i = 0; i < 8; ++i) most = std::max(most, length(m.change(s, i)) * kStep.dt);
    EXPECT_LE(most, 0.5 * m.grid.cell() * 1.0001);
    EXPECT_GT(most, 0.1 * m.grid.cell());
}

/// Largest push on hair in its rest pose, over several rigid motions, as a share of the maximum push.
double push_at_rest(float tolerance, int motions)
{
    double most = 0;
    Meeting m(head(kSanitized ? 100 : 400, 16));
    GridSettings settings = repulsion_alone(1);
    settings.tolerance = tolerance;
    for (int k = 0; k < motions; ++k) {
        m.strands = Strands(m.groom, RootKind::kOnBone);
        Pose pose;
        if (k > 0) pose.position = random_vector(static_cast<uint64_t>(k), 3.0);
        if (k % 2 == 1) {
            const Vec3d axis = random_vector(static_cast<uint64_t>(k) + 77, 1);
            pose.rotation = rotation_about(axis * (1 / length(axis)), static_cast<double>(k));
        }
        m.strands.carry([&](size_t) { return pose; });
        m.strands.frame = m.strands.frame_before = pose;
        m.apply(settings);
        for (size_t s = 0; s < m.strands.strand_count(); ++s)
            for (int i = 1; i < m.strands.levels(s); ++i) most = std::max(most, length(m.change(s, i)) / kStep.dt);
    }
    return most;
}

TEST(Grid, RestPoseIsNotPushedAtAnyPosition)
{
    EXPECT_EQ(push_at_rest(1.1f, kSanitized ? 3 : 9), 0.0);
    EXPECT_LT(push_at_rest(1.0f, kSanitized ? 3 : 9), 0.1);
}

// Two grooms on one head increase each other's density, at rest as well.
TEST(Grid, GroomsInOneFrameRestTogether)
{
    Meeting a(head(kSanitized ? 50 : 200, 12)), b(head(kSanitized ? 50 : 200, 12));
    for (const uint64_t frame_of_b : {0, 1}) {
        GridInteraction grid(repulsion_alone(5));
        const InteractingGroom both[] = {{&a.groom, &a.strands, 0, 1e-6, kGridSubstep},
                                         {&b.groom, &b.strands, frame_of_b, 1e-6, kGridSubstep}};
        grid.apply(both, kStep, *make_serial_executor());
        double most = 0;
        for (size_t s = 0; s < a.strands.strand_count(); ++s)
            for (int i = 1; i < 12; ++i) most = std::max(most, length(a.change(s, i)));
        if (frame_of_b == 0)
            EXPECT_EQ(most, 0.0);
        else
            EXPECT_GT(most, 0.01) << "their rest poses are separate, so they are crowded";
    }
}

TEST(Grid, RestDensityIsThatOfTheStrandsAround)
{
    // A sheet of ropes, 4 mm apart, with one particle every 10 mm.
    Meeting m(loose_ropes(30, 0.004f, 20));
    GridSettings settings;
    settings.cell = 0.04f;
    m.apply(settings);
    // A cell covers 10 ropes x 4 particles of the sheet; smoothing across the sheet leaves at most half of that.
    EXPECT_NEAR(m.grid.rest_density(0, 15, 10), 20, 3);
}

TEST(Grid, TenKilometresAwayIsNoDifferent)
{
    GridSettings settings;
    settings.cell = 0.0625f;
    std::vector<Vec3d> here;
    for (const double away : {0.0, 10000.0}) {
        Meeting m(loose_ropes(30, 0.004f));
        m.strands.frame.position = {away, -away, away};
        for (size_t s = 0; s < 30; ++s)
            m.place(s, m.strands.root(s) + m.strands.frame.position + random_vector(s, 0.02),
                    random_vector(s + 99, 0.01));
        m.arrive();
        m.apply(settings);
        for (size_t s = 0, n = 0; s < 30; ++s)
            for (int i = 0; i < 8; ++i, ++n) {
                if (away == 0)
                    here.push_back(m.change(s, i));
                else
                    EXPECT_LT(length(m.change(s, i) - here[n]), 1e-4 * length(here[n]) + 1e-6);
            }
    }
}

// A single grid around both grooms would have 10^21 nodes.
TEST(Grid, FarGroomsHaveGridsOfTheirOwn)
{
    Meeting near(loose_ropes(20, 0.004f)), far(loose_ropes(20, 0.004f)), alone(loose_ropes(20, 0.004f));
    far.strands.frame.position = {1e5, 1e5, 1e5};
    for (Meeting* m : {&near, &far, &alone}) {
        for (size_t s = 0; s < 20; ++s)
            m->place(s, m->strands.root(s) + m->strands.frame.position, random_vector(s, 0.01));
        m->arrive();
    }
    alone.apply(GridSettings{});
    GridInteraction grid{GridSettings{}};
    const InteractingGroom both[] = {{&near.groom, &near.strands, 0, 1e-6, kGridSubstep},
                                     {&far.groom, &far.strands, 1, 1e-6, kGridSubstep}};
    grid.apply(both, kStep, *make_serial_executor());
    for (size_t s = 0; s < 20; ++s)
        for (int i = 0; i < 8; ++i) {
            EXPECT_EQ(near.strands.drift(s, i), alone.strands.drift(s, i));
            EXPECT_GT(length(far.change(s, i)), 0.0);
        }
}

// A strand that has flown away makes the cells larger, but the number of nodes stays within its limit.
TEST(Grid, FlyawayStrandIsAffordable)
{
    Meeting m(loose_ropes(20, 0.004f));
    for (size_t s = 0; s < 20; ++s)
        m.place(s, s == 7 ? Vec3d{3e4, -2e4, 5e4} : m.strands.root(s), random_vector(s, 0.01));
    m.arrive();
    m.apply(GridSettings{});
    for (size_t s = 0; s < 20; ++s)
        for (int i = 0; i < 8; ++i) EXPECT_TRUE(is_finite(m.strands.drift(s, i)));
}

TEST(Grid, NumbersThatAreNotFiniteAreHarmless)
{
    Meeting m(loose_ropes(4, 0.004f));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    m.strands.set_edge(1, 3, {nan, nan, nan});
    m.apply(GridSettings{});  // there is no correct result, but it must not crash
}

}  // namespace
}  // namespace tendril::test
