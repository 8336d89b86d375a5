// Follow-the-leader on hair, which is held at its root. [Mueller12] sections 3.1 to 3.5.
#include "support/ropes.h"
#include "support/simd.h"
#include "support/strand_bench.h"
#include "world/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

namespace tendril::test {
namespace {

struct Fall {
    double gained;         ///< largest energy above that at the start, in units of the drop
    double kinetic_first;  ///< mean kinetic energy in the first second, in units of the drop
    double first_swing;    ///< how far the tip swings to the other side in the first second [m]
    double late_swing;     ///< largest swing of the tip between 4 and 5 s [m]
    double worst_stretch;
};

// The rope of the paper starts horizontal and falls, with any step and number of substeps.
Fall fall(const WorldSettings& settings)
{
    const RopeStyle style = paper_rope();
    World world = make_world(style, settings);
    const double start = world.measure().potential, drop = drop_energy(style, 0.01, 10);
    Fall f{-1e9, 0, 0, 0, 0};
    size_t in_first_second = 0;
    while (world.time() < 6) {
        world.step();
        const Metrics m = world.measure();
        f.gained = std::max(f.gained, (m.energy() - start) / drop);
        f.worst_stretch = std::max(f.worst_stretch, m.stretch_max);
        const double x = world.position({kRope, 0, 29}).x;
        if (world.time() <= 1) {
            f.kinetic_first += m.kinetic / drop;
            ++in_first_second;
            f.first_swing = std::max(f.first_swing, -x);
        }
        if (world.time() > 4 && world.time() <= 5) f.late_swing = std::max(f.late_swing, std::abs(x));
    }
    f.kinetic_first /= static_cast<double>(in_first_second);
    return f;
}

Fall fall(float correction, int substeps = 1)
{
    WorldSettings settings = paper_settings();
    settings.substeps = substeps;
    settings.solver.dftl.velocity_correction = correction;
    return fall(settings);
}

// Fig. 4: without the correction each particle acts as if it were infinitely heavier than the next, which adds energy.
TEST(Dftl, WithoutVelocityCorrectionTheRopeGainsEnergy)
{
    EXPECT_GT(fall(0.0f).gained, 5);
}

// Fig. 5: with the correction the motion is that of a rope. 0.9 gains a little energy and moves faster in the
// first second; 1 gains almost none.
TEST(Dftl, VelocityCorrectionBoundsTheEnergy)
{
    const Fall compromise = fall(0.9f), full = fall(1.0f);
    EXPECT_LT(compromise.gained, 0.3);
    EXPECT_LT(full.gained, 0.05);
    EXPECT_GT(compromise.kinetic_first, full.kinetic_first);
}

TEST(Dftl, VelocityCorrectionIsPerFrameWhateverTheSubsteps)
{
    EXPECT_LT(fall(0.9f, 8).gained, 0.3);
    EXPECT_LT(fall(1.0f, 8).gained, 0.05);
}

// The same eight substeps taken one by one, so that the energy is measured at each of them instead of as a mean over
// the step.
TEST(Dftl, EnergyStaysBoundedAtEverySubstep)
{
    for (const double s : {0.9, 1.0}) {
        WorldSettings settings = paper_settings();
        settings.dt = 0.01 / 8;
        settings.solver.dftl.velocity_correction = static_cast<float>(std::pow(s, 1.0 / 8));
        EXPECT_LT(fall(settings).gained, s < 1 ? 0.3 : 0.05);
    }
}

TEST(Dftl, SubstepsTakeTheArtificialDampingAway)
{
    const Fall one = fall(1.0f, 1), eight = fall(1.0f, 8);
    EXPECT_GE(eight.late_swing, 0.5 * eight.first_swing);
    EXPECT_LT(one.late_swing, 0.1 * one.first_swing);
}

TEST(Dftl, NoSegmentStretchesInTheFall)
{
    EXPECT_LT(fall(0.9f, 1).worst_stretch, 1e-6);
    EXPECT_LT(fall(0.0f, 8).worst_stretch, 1e-6);
}

struct Wave {
    int arrival = -1;  ///< step at which the middle has moved by a millimetre
    double amplitude = 0;
    double gained = -1e9;
};

// A hanging rope at rest, whose tip is kicked sideways.
Wave wave_from_the_tip(bool backward_pass)
{
    RopeStyle style = paper_rope();
    style.direction = {0, -1, 0};
    DftlSettings settings;
    settings.backward_pass = backward_pass;
    StrandBench rope(std::move(*make_groom(*make_ropes(style))), settings, 0.01, 1, {0, -10, 0});
    for (int i = 0; i < 100; ++i) rope.step();
    Vec3f kicked = rope.strands.drift(0, 29);
    kicked.x += 5.0f * 0.01f;
    rope.strands.set_drift(0, 29, kicked);

    Wave wave;
    Meter meter;
    double start = 0;
    for (int i = 1; i <= 80; ++i) {
        rope.step();
        const double energy = meter.measure(rope.strands, {0, -10, 0}, 0.01, 0.01, *rope.executor).energy();
        if (i == 1) start = energy;
        wave.gained = std::max(wave.gained, (energy - start) / drop_energy(style, 0.01, 10));
        const double x = std::abs(rope.strands.position(0, 15).x);
        if (wave.arrival < 0 && x > 1e-3) wave.arrival = i;
        wave.amplitude = std::max(wave.amplitude, x);
    }
    return wave;
}

// Section 3.4.
TEST(Dftl, BackwardPassLetsWavesTravelUpSooner)
{
    const Wave plain = wave_from_the_tip(false), backward = wave_from_the_tip(true);
    ASSERT_GT(plain.arrival, 0);
    ASSERT_GT(backward.arrival, 0);
    EXPECT_LE(2 * backward.arrival, plain.arrival);
    EXPECT_GT(backward.amplitude, plain.amplitude);
    EXPECT_LE(backward.gained, 1e-6);
}

TEST(Dftl, BackwardPassAddsNoEnergyToTheFall)
{
    for (const float s : {0.9f, 1.0f}) {
        WorldSettings settings = paper_settings();
        settings.solver.dftl.velocity_correction = s;
        const double plain = fall(settings).gained;
        settings.solver.dftl.backward_pass = true;
        EXPECT_LE(fall(settings).gained, plain) << "s = " << s;
    }
}

// Section 3.5, Eq. 11 as geometry: the distance of particles two edges apart is at least 2 s l, and lengths hold as
// well.
double worst_bend_violation(float limit, BendOrder order, double* stretch)
{
    WorldSettings settings = paper_settings();
    settings.solver.dftl.bend_limit = limit;
    settings.solver.dftl.bend_order = order;
    World world = make_world(paper_rope(), settings, [](double t, std::span<Pose> bones) {
        bones[0].position = {0.3 * std::sin(6 * t), 0.1 * std::cos(9 * t), 0};
    });
    double worst = 0;
    for (int i = 0; i < 500; ++i) {
        world.step();
        *stretch = std::max(*stretch, world.measure().stretch_max);
        const auto p = positions(world);
        for (size_t k = 2; k < p.size(); ++k) worst = std::max(worst, limit - length(p[k] - p[k - 2]) / 0.04);
    }
    return worst;
}

TEST(Dftl, BendLimitHoldsTogetherWithTheLengths)
{
    for (const float limit : {0.3f, 0.6f, 0.9f, 0.99f}) {
        double stretch = 0;
        EXPECT_LT(worst_bend_violation(limit, BendOrder::kTogether, &stretch), 1e-3) << limit;
        EXPECT_LT(stretch, 1e-6) << limit;
    }
}

TEST(Dftl, BendLimitInTheOrderOfThePaperIsUndoneInPart)
{
    double stretch = 0;
    EXPECT_GT(worst_bend_violation(0.9f, BendOrder::kPaper, &stretch), 1e-2);
    EXPECT_LT(stretch, 1e-6);
}

// A limit of 1 allows no bend at all: the rope is a stick.
TEST(Dftl, BendLimitOfOneIsAStick)
{
    double stretch = 0;
    EXPECT_LT(worst_bend_violation(1.0f, BendOrder::kTogether, &stretch), 1e-3);
    WorldSettings settings = paper_settings();
    settings.solver.dftl.bend_limit = 1;
    settings.air = {2, 1};
    World world = make_world(paper_rope(), settings);
    for (int i = 0; i < 3000; ++i) world.step();
    EXPECT_LT(world.measure().fastest, 0.05);  // rounding of the angle keeps a stick trembling
}

// Eq. 12 with the right constant: the angle between two segments is 2 arcsin s at the limit.
TEST(Dftl, BendLimitMatchesItsAngle)
{
    const float limit = 0.8f;
    DftlSettings settings;
    settings.bend_limit = limit;
    // The last segment is folded back onto the one before it.
    GroomData data{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1.2f, 0.1f, 0}}, {0, 4}, {}};
    StrandBench rope(std::move(*make_groom(data)), settings, 0.01, 1, {0, 0, 0});
    rope.step();
    const Vec3d a = to_double(rope.strands.edge(0, 2)), b = to_double(rope.strands.edge(0, 3));
    const double l0 = length(a), l = length(b), chord = length(a + b);
    EXPECT_NEAR(chord, limit * (l0 + l), 1e-5);

    GroomData even{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1.00001f, 0.001f, 0}}, {0, 4}, {}};
    StrandBench stick(std::move(*make_groom(even)), settings, 0.01, 1, {0, 0, 0});
    stick.step();
    const Vec3d c = to_double(stick.strands.edge(0, 2)), d = to_double(stick.strands.edge(0, 3));
    const double between = 3.14159265358979 - std::acos(dot(c, d) / (length(c) * length(d)));
    EXPECT_NEAR(between, 2 * std::asin(0.8), 1e-4);
}

// Section 3.1: without dynamics a strand follows its root along its own curve, and stops when the root stops.
TEST(Dftl, StaticProjectionFollowsTheRootAndStops)
{
    WorldSettings settings = paper_settings();
    settings.solver.dftl.dynamic = false;
    World world = make_world(paper_rope(), settings, [](double t, std::span<Pose> bones) {
        bones[0].position = {0, std::min(t, 0.5), 0};
    });
    for (int i = 0; i < 50; ++i) world.step();
    EXPECT_GT(world.position({kRope, 0, 1}).y, 0.3);
    const auto held = positions(world);
    for (int i = 0; i < 20; ++i) world.step();
    const auto later = positions(world);
    for (size_t i = 0; i < held.size(); ++i) EXPECT_LT(length(later[i] - held[i]), 1e-7);
    EXPECT_LT(world.measure().stretch_max, 1e-6);
}

// One static step against the closed form: the particle is on the line to its new parent, at the rest length.
TEST(Dftl, StaticProjectionIsTheNearestPointOnTheSphere)
{
    DftlSettings settings;
    settings.dynamic = false;
    GroomData data{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, {0, 3}, {}};
    StrandBench strand(std::move(*make_groom(data)), settings, 0.01, 1, {0, 0, 0});
    strand.frame[0].moved = {0, 1, 0};
    strand.strands.frame.position = {0, 1, 0};
    strand.step();
    const Vec3d p1 = strand.strands.position(0, 1), p2 = strand.strands.position(0, 2);
    const double s = std::sqrt(0.5);
    EXPECT_NEAR(p1.x, s, 1e-6);
    EXPECT_NEAR(p1.y, 1 - s, 1e-6);
    const Vec3d to{1 - s, s, 0};  // from p1 to the old position of the last particle
    EXPECT_NEAR(p2.x, p1.x + to.x / length(to), 1e-6);
    EXPECT_NEAR(p2.y, p1.y + to.y / length(to), 1e-6);
}

// A chain of one segment is a pendulum: at small angles it swings with omega = sqrt(g/l).
TEST(Dftl, OneSegmentIsAPendulum)
{
    WorldSettings settings = paper_settings();
    settings.dt = 0.001;
    RopeStyle style;
    style.particles = 2;
    style.length = 1;
    style.direction = {0.05f, -1, 0};
    World world = make_world(style, settings);
    // The time between the first two passages through the lowest point is half a period.
    double first = -1, second = -1, before = world.position({kRope, 0, 1}).x;
    while (second < 0 && world.time() < 5) {
        world.step();
        const double x = world.position({kRope, 0, 1}).x;
        if ((x < 0) != (before < 0)) (first < 0 ? first : second) = world.time();
        before = x;
    }
    EXPECT_NEAR(second - first, 3.14159265 / std::sqrt(10.0), 0.01);
}

// A strand that was shaken in any way comes to rest, hanging, when it is left alone.
struct Shaken {
    const char* name;
    double dt;
    int substeps;
    DftlSettings dftl;
};

void PrintTo(const Shaken& shaken, std::ostream* out)
{
    *out << shaken.name;
}

class DftlRest : public testing::TestWithParam<Shaken> {};

TEST_P(DftlRest, CrumpledStrandComesToRest)
{
    WorldSettings settings = paper_settings();
    settings.dt = GetParam().dt;
    settings.substeps = GetParam().substeps;
    settings.air = {2, 1};
    settings.solver.dftl = GetParam().dftl;
    World world = make_world(paper_rope(), settings, [](double t, std::span<Pose> bones) {
        const double shaken = std::min(t, 2.0);
        bones[0].position = {0.5 * std::sin(23 * shaken), 0.6 * std::abs(std::sin(17 * shaken)),
                             0.4 * std::sin(31 * shaken)};
    });
    while (world.time() < 40) world.step();
    EXPECT_LT(world.measure().fastest, 1e-3);
    if (GetParam().dftl.bend_limit == 0) {
        EXPECT_NEAR(world.position({kRope, 0, 29}).y, world.position({kRope, 0, 0}).y - 0.58, 1e-3);
    }
}

const Shaken kShaken[] = {
    {"Full", 0.01, 1, {.velocity_correction = 1.0f}},
    {"Compromise", 0.01, 1, {.velocity_correction = 0.9f}},
    {"At60Hz", 1.0 / 60, 1, {.velocity_correction = 1.0f}},
    {"At60HzSubsteps", 1.0 / 60, 4, {.velocity_correction = 0.9f}},
    {"Backward", 0.01, 1, {.velocity_correction = 0.9f, .backward_pass = true}},
    {"BackwardSubsteps", 0.01, 4, {.velocity_correction = 1.0f, .backward_pass = true}},
    {"BendLimit", 0.01, 1, {.velocity_correction = 0.9f, .bend_limit = 0.6f}},
    {"Stiff", 0.01, 1, {.velocity_correction = 1.0f, .bend_limit = 0.99f}},
    {"StiffSubsteps", 1.0 / 60, 8, {.velocity_correction = 1.0f, .bend_limit = 0.99f}},
    {"BendLimitBackward", 0.01, 1, {.velocity_correction = 1.0f, .bend_limit = 0.9f, .backward_pass = true}},
};

INSTANTIATE_TEST_SUITE_P(All, DftlRest, testing::ValuesIn(kShaken), [](const auto& one) { return one.param.name; });

// A strand at rest stays at rest: its drift is the sum of the corrections, not motion.
TEST(Dftl, HangingStrandDoesNotMove)
{
    RopeStyle style = paper_rope();
    style.direction = {0, -1, 0};
    WorldSettings settings = paper_settings();
    settings.solver.dftl.velocity_correction = 1;
    World world = make_world(style, settings);
    for (int i = 0; i < 500; ++i) {
        world.step();
        EXPECT_LT(world.measure().fastest, 1e-4);
    }
}

// The result must not depend on the position of the strand: 8 km away the edges have the same bits.
TEST(Dftl, TranslationChangesNothing)
{
    auto at = [](double x) {
        return make_world(paper_rope(), paper_settings(), [x](double t, std::span<Pose> bones) {
            bones[0].position = {x + 0.25 * std::floor(4 * t), 0, 0};
        });
    };
    World here = at(0), far = at(8192);
    for (int i = 0; i < 200; ++i) {
        here.step();
        far.step();
    }
    const auto a = positions(here), b = positions(far);
    for (size_t i = 0; i < a.size(); ++i) EXPECT_LT(length(b[i] - a[i] - Vec3d{8192, 0, 0}), 1e-9);
}

// If gravity, rest pose and motion are rotated together, so is the result.
TEST(Dftl, RotationTurnsTheResult)
{
    WorldSettings down = paper_settings(), side = paper_settings();
    side.gravity = {10, 0, 0};
    RopeStyle along_x = paper_rope(), along_y = paper_rope();
    along_y.direction = {0, 1, 0};
    World a = make_world(along_x, down), b = make_world(along_y, side);
    for (int i = 0; i < 30; ++i) {
        a.step();
        b.step();
    }
    const auto p = positions(a), q = positions(b);  // (x, y) -> (-y, x)
    for (size_t i = 0; i < p.size(); ++i) EXPECT_LT(length(q[i] - Vec3d{-p[i].y, p[i].x, 0}), 1e-4);
}

Groom mixed_groom()
{
    SphereStyle style;
    style.strands = 75;  // an odd number of blocks, some of them not full
    style.particles = 17;
    GroomData data = *make_sphere_hair(style);
    style.strands = 30;
    style.particles = 9;
    const GroomData more = *make_sphere_hair(style);
    const uint32_t shift = static_cast<uint32_t>(data.points.size());
    data.points.insert(data.points.end(), more.points.begin(), more.points.end());
    for (size_t s = 1; s < more.first_point.size(); ++s) data.first_point.push_back(shift + more.first_point[s]);
    // One strand with uneven segments makes its bucket uneven.
    data.points[5].y += 0.01f;
    return std::move(*make_groom(std::move(data)));
}

WorldSettings everything_on()
{
    WorldSettings settings;
    settings.substeps = 3;
    settings.air = {3, 1};
    settings.wind.velocity = {2, 0, 1};
    settings.wind.gust = 0.5f;
    settings.wind.turbulence = 1;
    settings.solver.dftl.bend_limit = 0.7f;
    settings.solver.dftl.backward_pass = true;
    return settings;
}

uint64_t hash_of_rope(const WorldSettings& settings, int steps)
{
    World world(settings, make_serial_executor());
    const BodyId body = world.add_body({.name = "head", .function = [](double t, std::span<Pose> bones) {
                                            bones[0].rotation = rotation_about({0, 1, 0}, t * t);
                                            bones[0].position = {t, 0, 0};
                                        }});
    EXPECT_TRUE(world.add_groom(mixed_groom(), {.body = body}));
    for (int i = 0; i < steps; ++i) world.step();
    return world.state_hash();
}

// SSSE3, AVX2 and AVX-512 must give the same bits: no estimates, no fused operations.
TEST(Dftl, EveryInstructionSetGivesTheSameBits)
{
    for (const WorldSettings& settings : {WorldSettings{}, everything_on()}) {
        std::vector<uint64_t> hashes;
        for (const int64_t target : instruction_sets()) {
            const UseInstructionSet use(target);
            hashes.push_back(hash_of_rope(settings, 40));
        }
        ASSERT_FALSE(hashes.empty());
        for (uint64_t h : hashes) EXPECT_EQ(h, hashes.front());
    }
}

// Golden hashes: if they change, the results of the method change on every machine, which belongs in the changelog.
TEST(Dftl, GoldenHashes)
{
    EXPECT_EQ(hash_of_rope(WorldSettings{}, 40), 0x23567f9258940b7fu);
    EXPECT_EQ(hash_of_rope(everything_on(), 40), 0x5dbbe81a24cab7c2u);
}

}  // namespace
}  // namespace tendril::test
