// [Rungjiratananon11] as printed: every equation against a scalar re-computation, and what it does on its own.
#include "bench/allocations.h"
#include "support/head.h"
#include "support/sanitized.h"
#include "support/simd.h"
#include "support/strings.h"
#include "tendril/scene.h"

#include <gtest/gtest.h>

#include <numbers>

namespace tendril::test {
namespace {

/// An irregular chain with irregular masses and angles.
void add_crooked(StringBench& bench, int segments)
{
    std::vector<Vec3d> points;
    for (int i = 0; i <= segments; ++i)
        points.push_back({0.01 * i + 0.003 * std::sin(3.1 * i), 0.004 * std::cos(2.3 * i), 0.004 * std::sin(1.7 * i)});
    bench.add(points, 0.002, stiff_material());
    Strings& s = bench.strings;
    s.region_turn.assign(s.size(), Quat{});
    for (size_t i = 0; i < s.size(); ++i) {
        s.mass[i] *= 1 + 0.5 * std::sin(static_cast<double>(5 * i));
        s.inverse_mass[i] = 1 / s.mass[i];
        s.angle[i] = 0.7 * static_cast<double>(i) + 0.1 * std::sin(static_cast<double>(3 * i));
    }
}

PrintedStrings printed_with(int width, TwistIncrement increment = TwistIncrement::kSum)
{
    return {.half_width = width, .twist_half_width = width, .twist_increment = increment};
}

// In a plane, the best rotation of a region is the angle of two sums.
TEST(PrintedStrings, GoalsAreTheMeanOfTheRegionsThatAParticleIsIn)
{
    constexpr int n = 9;
    constexpr int w = 2;
    StringBench bench;
    std::vector<Vec3d> rest;
    for (int i = 0; i <= n; ++i) rest.push_back({0.01 * i, 0.004 * std::sin(0.9 * i), 0});
    bench.add(rest, 0.002, stiff_material());
    Strings& s = bench.strings;
    s.region_turn.assign(s.size(), Quat{});
    s.touching[4] = s.touching[5] = 1;
    std::vector<Vec3d> moved, expected(n + 1, Vec3d{0, 0, 0});
    for (int i = 0; i <= n; ++i) {
        const auto k = static_cast<size_t>(i);
        s.mass[k] *= 1 + 0.3 * i;
        s.inverse_mass[k] = 1 / s.mass[k];
        moved.push_back(rest[k] + Vec3d{0.002 * std::sin(2.0 * i), 0.003 * std::cos(1.3 * i), 0});
    }
    s.position = moved;
    std::vector<double> regions(n + 1, 0);
    const auto members = [&](int k) { return std::pair{std::max(0, k - w), std::min(int{n}, k + w)}; };
    for (int k = 0; k <= n; ++k) {
        const auto [first, last] = members(k);
        double mass = 0, sum_cos = 0, sum_sin = 0;
        Vec3d c{0, 0, 0}, c0{0, 0, 0};
        const auto weight = [&](int i) {
            const auto [a, b] = members(i);
            const auto p = static_cast<size_t>(i);
            return (s.touching[p] ? 3 : 1) * s.mass[p] / (b - a + 1);
        };
        for (int i = first; i <= last; ++i) {
            mass += weight(i);
            c += moved[static_cast<size_t>(i)] * weight(i);
            c0 += rest[static_cast<size_t>(i)] * weight(i);
        }
        c = c * (1 / mass), c0 = c0 * (1 / mass);
        for (int i = first; i <= last; ++i) {
            const Vec3d p = moved[static_cast<size_t>(i)] - c, q = rest[static_cast<size_t>(i)] - c0;
            sum_cos += weight(i) * dot(p, q);
            sum_sin += weight(i) * cross(q, p).z;
        }
        const double turn = std::atan2(sum_sin, sum_cos);
        for (int i = first; i <= last; ++i) {
            const Vec3d q = rest[static_cast<size_t>(i)] - c0;
            expected[static_cast<size_t>(i)] +=
                c + Vec3d{q.x * std::cos(turn) - q.y * std::sin(turn), q.x * std::sin(turn) + q.y * std::cos(turn), 0};
            regions[static_cast<size_t>(i)] += 1;
        }
    }
    move_to_goals(s, s.pieces[0], w);
    for (size_t i = 0; i <= n; ++i) EXPECT_LT(length(s.position[i] - expected[i] * (1 / regions[i])), 1e-10) << i;
}

// A rigid motion is its own goal; any other is lost at once.
TEST(PrintedStrings, ARigidlyMovedStringStaysAsItIs)
{
    for (const bool straight : {true, false}) {
        StringBench bench;
        if (straight)
            bench.add(straight_line(12, {0, 0, 0}, {1, 0, 0}), 0.002, stiff_material());
        else
            add_crooked(bench, 12);
        Strings& s = bench.strings;
        s.region_turn.assign(s.size(), Quat{});
        const Pose pose{{3, -2, 1}, normalized(Quat{0.3, 0.5, -0.2, 0.7})};
        for (Vec3d& p : s.position) p = transform_point(pose, p);
        const std::vector<Vec3d> before = s.position;
        move_to_goals(s, s.pieces[0], 3);
        for (size_t i = 0; i < s.size(); ++i) EXPECT_LT(length(s.position[i] - before[i]), 1e-9) << i;
    }
}

// Section 3: the half-width is the stiffness. Ours has the stiffness of the material for any half-width.
TEST(PrintedStrings, AWiderRegionIsStiffer)
{
    std::vector<double> sags;
    for (const int w : {1, 2, 4}) {
        StringBench bench;
        bench.add(straight_line(6, {0, 0, 0}, {0.6, 0, 0}), 0.002, *string_material("rubber"));
        bench.strings.region_turn.assign(bench.strings.size(), Quat{});
        bench.behaviour.printed = printed_with(w);
        bench.hold(0), bench.hold(1);
        bench.drag = 20;
        bench.run(2, 0.01);
        sags.push_back(-bench.strings.position.back().y);
    }
    EXPECT_LT(sags[1], 0.8 * sags[0]);
    EXPECT_LT(sags[2], 0.8 * sags[1]);
}

TEST(PrintedStrings, TwistOfRegionsIsThatOfEquations1To3)
{
    constexpr int n = 10, w = 2;
    for (const TwistIncrement increment : {TwistIncrement::kSum, TwistIncrement::kMean}) {
        StringBench bench;
        add_crooked(bench, n);
        Strings& s = bench.strings;
        s.clamped[0] = 1;
        const std::vector<double> before = s.angle;
        std::vector<double> sum(n, 0), regions(n, 0);
        for (int k = 0; k < n; ++k) {
            double weighted = 0, mass = 0;
            for (int j = std::max(0, k - w); j <= std::min(n - 1, k + w); ++j) {
                const auto p = static_cast<size_t>(j);
                weighted += before[p] * (s.mass[p] + s.mass[p + 1]) / 2;
                mass += (s.mass[p] + s.mass[p + 1]) / 2;
            }
            for (int i = std::max(0, k - w); i <= std::min(n - 1, k + w); ++i) {
                sum[static_cast<size_t>(i)] += weighted / mass;
                regions[static_cast<size_t>(i)] += 1;
            }
        }
        EXPECT_EQ(spread_twist_by_regions(s, s.pieces[0], printed_with(w, increment)), 0u);
        EXPECT_EQ(s.angle[0], before[0]);
        for (size_t i = 1; i < n; ++i) {
            const double expected = increment == TwistIncrement::kSum ? before[i] + sum[i] : sum[i] / regions[i];
            EXPECT_NEAR(s.angle[i], expected, 1e-12 * std::abs(expected)) << i;
        }
    }
}

// A string whose rigidity doubles from one half to the other has regions of half the width in its weak half.
TEST(PrintedStrings, RegionsOfTwistAreNarrowerWhereTheStringIsWeaker)
{
    StringBench bench;
    bench.add(straight_line(40, {0, 0, 0}, {1, 0, 0}), 0.002, stiff_material());
    Strings& s = bench.strings;
    for (size_t i = 20; i < s.size(); ++i) s.twist_stiffness[i] /= 2;
    for (const size_t turned : {size_t{9}, size_t{30}}) {
        std::fill(s.angle.begin(), s.angle.end(), 0.0);
        s.angle[turned] = 1;
        spread_twist_by_regions(s, s.pieces[0], printed_with(4, TwistIncrement::kMean));
        const auto changed = std::count_if(s.angle.begin(), s.angle.end(), [](double a) { return a != 0; });
        EXPECT_EQ(changed, turned == 9 ? 17 : 9);  // 4 w + 1
    }
}

// Eq. 2 and 3 as printed: the angle is multiplied by up to 2 w + 2 in every substep.
TEST(PrintedStrings, TheSumOverRegionsGrowsUntilItIsBounded)
{
    StringBench bench;
    bench.gravity = {0, 0, 0};
    bench.add(straight_line(30, {0, 0, 0}, {1, 0, 0}), 0.002, stiff_material());
    bench.behaviour.printed = printed_with(1);
    bench.hold(0), bench.hold(1);
    bench.clamps = {{0, bench.strings.across[0]}};
    bench.strings.angle[15] = 1e-3;
    bench.step(0.01);
    bench.step(0.01);
    EXPECT_NEAR(bench.strings.angle[15], 1e-3 * (1 + 1) * (1 + 1) + 2 * 2e-3 / 3, 1.5e-3);
    for (int i = 0; i < 3; ++i) bench.step(0.01);
    const double before = bench.strings.angle[15];
    bench.step(0.01);
    EXPECT_GT(bench.strings.angle[15], 2.5 * before);
    EXPECT_EQ(bench.stepper.bounded, 0u);
    for (int i = 0; i < 30; ++i) bench.step(0.01);
    EXPECT_GT(bench.stepper.bounded, 0u);
    EXPECT_NEAR(bench.strings.angle[15], 2000 * std::numbers::pi, 1e-6);
}

TEST(PrintedStrings, TheForceOfTwistIsThatOfEquations4And5)
{
    constexpr size_t n = 8;
    StringBench bench;
    add_crooked(bench, static_cast<int>(n));
    Strings& s = bench.strings;
    EXPECT_EQ(apply_printed_forces(s, s.pieces[0], 1e-6), 0u);
    double whole = 0;
    for (size_t i = 0; i < n; ++i) whole += s.rest[i];
    const auto binormal = [&](size_t i) {
        if (i == 0 || i >= n) return Vec3d{0, 0, 0};
        const Vec3d a = s.position[i] - s.position[i - 1], b = s.position[i + 1] - s.position[i];
        return cross(a, b) * (2 / (length(a) * length(b) + dot(a, b)));
    };
    for (size_t i = 0; i <= n; ++i) {
        Vec3d force{0, 0, 0};
        if (i >= 1 && i + 1 < n)
            force =
                (binormal(i + 1) + binormal(i - 1)) *
                (-s.twist_stiffness[i] / whole * (s.angle[i + 1] - 2 * s.angle[i] + s.angle[i - 1]) / (2 * s.rest[i]));
        EXPECT_LT(length(s.acceleration[i] * s.mass[i] - force), 1e-12 + 1e-9 * length(force)) << i;
    }
}

TEST(PrintedStrings, UniformTwistHasNoForce)
{
    StringBench bench;
    add_crooked(bench, 8);
    Strings& s = bench.strings;
    for (size_t i = 0; i < s.size(); ++i) s.angle[i] = 2 * static_cast<double>(i);
    apply_printed_forces(s, s.pieces[0], 0.01);
    for (const Vec3d& a : s.acceleration) EXPECT_LT(length(a), 1e-9);
    twist_centreline(s, s.pieces[0]);  // ours bends the string
    double most = 0;
    for (const Vec3d& a : s.acceleration) most = std::max(most, length(a));
    EXPECT_GT(most, 1e-3);
}

TEST(PrintedStrings, LengthsAreLimitedOneAfterTheOther)
{
    constexpr double h = 0.01;
    for (const double k_stiff : {0.0, 350.0}) {
        StringBench bench;
        add_crooked(bench, 8);
        Strings& s = bench.strings;
        for (size_t i = 0; i < s.size(); ++i) s.position[i] = s.position[i] * (1 + 0.05 * static_cast<double>(i));
        s.inverse_mass[0] = 0;
        std::vector<Vec3d> x = s.position;
        std::vector<double> free_length;
        for (size_t i = 0; i < 8; ++i) free_length.push_back(length(x[i + 1] - x[i]));
        for (int iteration = 0; iteration < 3; ++iteration)
            for (size_t i = 0; i < 8; ++i) {
                const Vec3d e = x[i + 1] - x[i];
                const double l = length(e), both = s.inverse_mass[i] + s.inverse_mass[i + 1];
                if (l <= s.rest[i]) continue;
                const Vec3d move = e * ((l - s.rest[i]) / l / both);
                x[i] += move * s.inverse_mass[i];
                x[i + 1] -= move * s.inverse_mass[i + 1];
            }
        PrintedStrings settings = printed_with(1);
        settings.iterations = 3;
        settings.tension_stiffness = k_stiff;
        limit_strain(s, s.pieces[0], settings, h);
        for (size_t i = 0; i < 8; ++i) {
            EXPECT_LT(length(s.position[i] - x[i]), 1e-12);
            // Eq. 8
            const double both = s.inverse_mass[i] + s.inverse_mass[i + 1];
            const double stiffness = k_stiff > 0 ? k_stiff : 1 / (h * h * both);
            const double tension = stiffness * (free_length[i] - length(x[i + 1] - x[i]));
            EXPECT_NEAR(s.tension[i], tension, 1e-9 * std::abs(tension) + 1e-12) << i;
        }
    }
}

// 5.1 and 5.4: L_max = e L_0 + L_0, with the strain e of a curve of two slopes; beyond the yield point it stays.
TEST(PrintedStrings, TheMaximumLengthFollowsTheStressStrainCurve)
{
    const StringMaterial nylon = *string_material("nylon");
    StringBench bench;
    bench.add(straight_line(3, {0, 0, 0}, {0.3, 0, 0}), 0.002, nylon);
    Strings& s = bench.strings;
    const double area = s.stiffness[0] / nylon.young;
    const double stresses[] = {0.5 * nylon.yield, -0.5 * nylon.yield, 1.2 * nylon.yield};
    for (size_t i = 0; i < 3; ++i) {
        s.tension[i] = area * stresses[i];
        const double strain = nylon.strain_at(std::abs(stresses[i]));
        EXPECT_NEAR(max_length(s, i), s.rest[i] * (1 + strain), 1e-9) << i;
    }
    keep_plastic_strain(s, s.pieces[0]);
    std::fill(s.tension.begin(), s.tension.end(), 0.0);
    EXPECT_EQ(max_length(s, 0), s.rest[0]);
    EXPECT_EQ(max_length(s, 1), s.rest[1]);
    EXPECT_NEAR(max_length(s, 2), s.rest[2] * (1 + nylon.strain_at(1.2 * nylon.yield)), 1e-9);
}

/// The tensions of a hanging rope of 20 segments at rest, in units of the weight of a particle.
std::vector<double> tensions_at_rest(std::optional<PrintedStrings> printed, bool bends)
{
    StringBench bench;
    StringMaterial soft = stiff_material();
    soft.bend_modulus = 0;
    bench.add(straight_line(20, {0, 0, 0}, {0, -1, 0}), 0.002, soft);
    Strings& s = bench.strings;
    s.region_turn.assign(s.size(), Quat{});
    bench.behaviour.printed = printed;
    bench.hold(0);
    bench.drag = 20;
    bench.run(bends ? 3 : 1, printed ? 0.01 : 1e-3);
    std::vector<double> out;
    for (size_t i = 0; i < 20; ++i) out.push_back(s.tension[i] / (s.mass[1] * 9.81));
    return out;
}

// Only the first particles fall differently from their neighbours.
TEST(PrintedStrings, Equation8SeesOnlyTheFirstSegmentsOfAHangingRope)
{
    PrintedStrings settings = printed_with(1);
    settings.iterations = 200;
    const std::vector<double> printed = tensions_at_rest(settings, true), ours = tensions_at_rest({}, false);
    EXPECT_GT(printed[0], 0.5);
    EXPECT_LT(printed[0], 1);
    for (size_t i = 0; i < 20; ++i) {
        EXPECT_NEAR(ours[i], 19.5 - static_cast<double>(i), 0.2) << i;
        if (i > 0) {
            EXPECT_LT(std::abs(printed[i]), i < 3 ? 0.1 : 1e-3) << i;
        }
    }
}

// Eq. 8 alone, without shape matching: the first segment, and nothing else.
TEST(PrintedStrings, Equation8AloneSeesOnlyTheFirstSegment)
{
    StringBench bench;
    bench.add(straight_line(20, {0, 0, 0}, {0, -1, 0}), 0.002, stiff_material());
    Strings& s = bench.strings;
    s.inverse_mass[0] = 0;
    constexpr double h = 0.01;
    for (size_t i = 1; i < s.size(); ++i) s.position[i].y -= 9.81 * h * h;  // where a substep of free fall takes them
    PrintedStrings settings = printed_with(1);
    settings.iterations = 20000;
    limit_strain(s, s.pieces[0], settings, h);
    EXPECT_NEAR(s.tension[0], s.mass[1] * 9.81, 1e-6 * s.mass[1] * 9.81);
    for (size_t i = 1; i < 20; ++i) EXPECT_LT(std::abs(s.tension[i]), 1e-6 * s.mass[1] * 9.81) << i;
}

TEST(PrintedStrings, EverySegmentBeyondItsStrengthTears)
{
    StringBench bench;
    bench.add(straight_line(6, {0, 0, 0}, {0.6, 0, 0}), 0.002, *string_material("nylon"));
    Strings& s = bench.strings;
    s.tension[1] = 1.01 * s.strength[1];
    s.tension[2] = 0.99 * s.strength[2];
    s.tension[4] = -1.01 * s.strength[4];  // Eq. 6 has no sign
    std::vector<size_t> torn;
    EXPECT_TRUE(tear_printed(s, s.pieces[0], torn));
    EXPECT_EQ(torn, (std::vector<size_t>{1, 4}));
    EXPECT_FALSE(tear_printed(s, {2, 4}, torn));
}

// 5.4: the tension is the force, in the substep after the release.
TEST(PrintedStrings, TheTensionIsTheForceThatBouncesBack)
{
    StringBench bench;
    bench.add(straight_line(4, {0, 0, 0}, {0.4, 0, 0}), 0.002, stiff_material());
    Strings& s = bench.strings;
    s.tension = {1, 2, -3, 4, 0};
    apply_printed_forces(s, s.pieces[0], 1e-6);
    for (const Vec3d& a : s.acceleration) EXPECT_EQ(length(a), 0);
    bounce_back(s, s.pieces[0]);
    apply_printed_forces(s, s.pieces[0], 1e-6);
    const double expected[] = {1, 1, -5, 7, -4};
    for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(s.acceleration[i].x * s.mass[i], expected[i], 1e-12) << i;
    apply_printed_forces(s, s.pieces[0], 1e-6);
    for (const Vec3d& a : s.acceleration) EXPECT_EQ(length(a), 0);
}

WorldSettings printed_settings()
{
    WorldSettings settings = windy();
    settings.solver.type = SolverType::kChainShape;
    settings.solver.form = Form::kPaper;
    settings.solver.string.half_width = 2;
    settings.interaction.method = InteractionMethod::kContacts;
    settings.interaction.contacts.search = PairSearch::kSevenVoxels;
    return settings;
}

/// Clamped ropes between a shaking body and one that turns, and hair that hangs.
World printed_world(const WorldSettings& settings, std::shared_ptr<Executor> executor = make_serial_executor(),
                    double far = 0)
{
    World world(settings, std::move(executor));
    const BodyId head = world.add_body({.name = "head", .function = [far](double t, std::span<Pose> bones) {
                                            shake_head(t, bones);
                                            if (t > 0.1) bones[0].position.x += far;
                                        }});
    const BodyId hand = world.add_body({.name = "hand", .function = [](double t, std::span<Pose> bones) {
                                            bones[0].position = {0.8, 0, 0};
                                            bones[0].rotation = rotation_about({1, 0, 0}, 3 * t);
                                        }});
    SphereStyle hair;
    hair.strands = 10;
    hair.particles = 12;
    EXPECT_TRUE(world.add_groom(*make_groom(*make_sphere_hair(hair)), {.body = head}));
    RopeStyle rope;
    rope.strands = 2;
    rope.particles = 21;
    rope.spacing = 0.001f;
    GroomSettings clamped{.body = head};
    clamped.clamped = true;
    const auto ropes = world.add_groom(*make_groom(*make_ropes(rope)), clamped);
    EXPECT_TRUE(ropes);
    EXPECT_TRUE(world.hold({*ropes, 0, 20}, hand, 0, {0, 0, 0}, {.clamped = true, .until = 0.15}));
    EXPECT_TRUE(world.hold({*ropes, 1, 20}, hand, 0, {0, 0, 0}, {.clamped = true}));
    EXPECT_TRUE(world.add_collider({.body = head, .radius_a = 0.09f}));
    return world;
}

TEST(PrintedStrings, SameBitsForAnyThreadsAndInstructionSet)
{
    const auto hash = [](std::shared_ptr<Executor> executor) {
        World world = printed_world(printed_settings(), std::move(executor));
        for (int i = 0; i < 14; ++i) world.step();
        return world.state_hash();
    };
    const uint64_t one = hash(make_serial_executor());
    for (const int n : {2, 3}) EXPECT_EQ(hash(threads(n)), one) << n;
    for (const int64_t target : instruction_sets()) {
        UseInstructionSet use(target);
        EXPECT_EQ(hash(make_serial_executor()), one) << target;
    }
}

TEST(PrintedStrings, SameBitsAfterSaveAndLoad)
{
    // Every step, so that the release of the rope is between two of them.
    World world = printed_world(printed_settings());
    for (int i = 0; i < 20; ++i) {
        World loaded = printed_world(printed_settings());
        ASSERT_TRUE(loaded.load(world.save()));
        world.step(), loaded.step();
        ASSERT_EQ(loaded.state_hash(), world.state_hash()) << i;
    }
}

TEST(PrintedStrings, AStepDoesNotAllocateAfterWarmUp)
{
    if (!bench::can_count_allocations()) GTEST_SKIP() << "allocations cannot be counted in this build";
    WorldSettings settings = printed_settings();
    settings.interaction.method = InteractionMethod::kNone;
    World world = printed_world(settings);
    for (int i = 0; i < 60; ++i) world.step();
    bench::AllocationCount allocations;
    for (int i = 0; i < 20; ++i) world.step();
    EXPECT_EQ(allocations.so_far(), 0u);
}

TEST(PrintedStrings, FiniteUnderExtremes)
{
    const struct {
        double dt, gravity, far;
        float stiffness, wind;
    } abuses[] = {{0.001, 9.81, 0, 0, 2},  {0.2, 9.81, 0, 0, 2},        {0.01, 1e6, 0, 0, 2},
                  {0.01, 9.81, 100, 0, 2}, {0.01, 9.81, 1e8, 1e12f, 2}, {0.2, 1e6, 100, 1e12f, 1000}};
    for (const auto& abuse : abuses)
        for (const bool tears : {true, false}) {
            WorldSettings settings = printed_settings();
            settings.dt = abuse.dt;
            settings.gravity = {0, -abuse.gravity, 0};
            settings.wind.velocity = {abuse.wind, 0, 0};
            settings.solver.string.tension_stiffness = abuse.stiffness;
            settings.solver.string.tears = tears;
            settings.interaction.method = InteractionMethod::kNone;
            World world = printed_world(settings, make_serial_executor(), abuse.far);
            size_t bounded = 0;
            for (int i = 0; i < 40; ++i) {
                bounded += world.step().bounded;
                const Metrics m = world.measure();
                ASSERT_EQ(m.nonfinite, 0u) << abuse.dt << ' ' << abuse.gravity << ' ' << abuse.far << " step " << i;
                ASSERT_TRUE(std::isfinite(m.energy()))
                    << abuse.dt << ' ' << abuse.gravity << ' ' << abuse.far << ' ' << i;
            }
            EXPECT_GT(bounded, 0u);  // twist
        }
}

// The form belongs to the groom: strings of both forms move in one world, and ours do not notice.
TEST(PrintedStrings, BothFormsMoveInOneWorld)
{
    const auto tip = [](bool with_printed) {
        WorldSettings settings;
        settings.solver.type = SolverType::kChainShape;
        settings.solver.string.max_substeps = 4;
        settings.substeps = 4;
        World world(settings, make_serial_executor());
        const BodyId body = world.add_body({.name = "head", .function = shake_head});
        RopeStyle rope;
        rope.particles = 21;
        EXPECT_TRUE(world.add_groom(*make_groom(*make_ropes(rope)), {.body = body}));
        if (with_printed) {
            GroomSettings other{.body = body, .behaviour = {.solver = settings.solver}};
            other.behaviour.solver->form = Form::kPaper;
            other.behaviour.solver->string.half_width = 4;
            EXPECT_TRUE(world.add_groom(*make_groom(*make_ropes(rope)), other));
        }
        for (int i = 0; i < 30; ++i) world.step();
        if (with_printed) {
            EXPECT_GT(length(world.position({{0}, 0, 20}) - world.position({{1}, 0, 20})), 1e-3);
        }
        return world.position({{0}, 0, 20});
    };
    EXPECT_EQ(tip(true), tip(false));
}

// A crate on a rope: the lengths pull it back, if not by as much as they should.
TEST(PrintedStrings, ARopeCarriesARigidBody)
{
    const auto read =
        read_scene(std::string(TENDRIL_SOURCE_DIR) + "/scenes/papers/rungjiratananon11_tension.toml",
                   {{"solver.form", "paper"}, {"solver.string_iterations", "100"}, {"body.1.mass", "0.5"}});
    ASSERT_TRUE(read) << read.error();
    auto world = build_world(*read, make_serial_executor());
    ASSERT_TRUE(world);
    for (int i = 0; i < 200; ++i) EXPECT_EQ(world->step().substeps, 1);
    const double y = world->pose({1}).position.y;
    EXPECT_LT(y, -2);
    EXPECT_GT(y, -4);
}

}  // namespace
}  // namespace tendril::test
