// Strands that keep the shape of their rest pose.
#include "solvers/rest_shape.h"
#include "support/sanitized.h"
#include "support/simd.h"
#include "support/styles.h"
#include "support/thread_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <numbers>

namespace tendril::test {
namespace {

WorldSettings stiff_settings(float local, float global = 0, double rate = 60, int substeps = 4)
{
    WorldSettings s;
    s.dt = 1 / rate;
    s.substeps = substeps;
    s.shape.local = local;
    s.shape.global = global;
    return s;
}

void run_for(World& world, double seconds)
{
    const double end = world.time() + seconds - 1e-9;
    while (world.time() < end) world.step();
}

/// The largest speed of any particle over some time [m/s], from positions.
double fastest_over(World& world, double seconds)
{
    double fastest = 0;
    const double end = world.time() + seconds - 1e-9;
    while (world.time() < end) {
        world.step();
        fastest = std::max(fastest, world.measure().fastest);
    }
    return fastest;
}

// The tip of a straight, horizontal strand sags by gravity over the stiffness, however many particles it has.
TEST(RestShape, LocalStiffnessIsTheSagOfALevelStrand)
{
    for (const size_t particles : {16u, 32u, 64u}) {
        World world = styled_world(stiff_settings(4000), particles);
        run_for(world, 4);
        const Vec3d tip = points_of(world, 0).back();
        EXPECT_NEAR(-tip.y, 9.81 / 4000, 0.08 * 9.81 / 4000) << particles;
    }
}

// Far from its root, a strand with only a global stiffness yields by gravity over that stiffness.
TEST(RestShape, GlobalStiffnessIsTheSagOfAParticle)
{
    World world = styled_world(stiff_settings(0, 2000), 32);
    run_for(world, 4);
    const std::vector<Vec3d> level = points_of(world, 0);
    EXPECT_NEAR(-level.back().y, 9.81 / 2000, 0.05 * 9.81 / 2000);
    EXPECT_NEAR(-level[20].y, 9.81 / 2000, 0.05 * 9.81 / 2000);
}

TEST(RestShape, RestStaysAtRest)
{
    for (const auto& [local, global] :
         {std::pair{100.0f, 0.0f}, std::pair{10000.0f, 0.0f}, std::pair{300.0f, 100.0f}}) {
        WorldSettings settings = stiff_settings(local, global);
        settings.gravity = {0, 0, 0};
        World world = styled_world(settings, 32);
        std::vector<std::vector<Vec3d>> before;
        for (size_t s = 0; s < styles().size(); ++s) before.push_back(points_of(world, s));
        run_for(world, kSanitized ? 1 : 10);
        for (size_t s = 0; s < styles().size(); ++s)
            EXPECT_LT(apart(points_of(world, s), before[s]), 1e-4 * length_of(world, s)) << styles()[s].name;
    }
}

// Under gravity strands sag, come to rest and do not flicker, whether soft or stiff, with long or short steps.
TEST(RestShape, ComesToRestUnderGravity)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const double rate : {30.0, 60.0, 120.0})
        for (const int substeps : {1, 8})
            for (const float local : {10.0f, 100.0f, 1000.0f, 100000.0f})
                for (const float global : {0.0f, 100.0f}) {
                    World world = styled_world(stiff_settings(local, global, rate, substeps), 32);
                    run_for(world, 5);
                    EXPECT_LT(fastest_over(world, 1), 1e-3)
                        << rate << " Hz, " << substeps << " substeps, " << local << " " << global;
                    EXPECT_LT(world.measure().stretch_max, 1e-6);
                }
}

/// The steady-state amplitude of the tip of a straight strand of n segments, in units of that of its root.
double measured_gain(const WorldSettings& settings, size_t n, double frequency)
{
    constexpr double kSwing = 1e-3, kSettle = 2;  // [m], [s]
    const auto shake = [=](double t, std::span<Pose> bones) {
        bones[0].position = {0, 0, kSwing * std::min(1.0, t) * std::sin(2 * std::numbers::pi * frequency * t)};
    };
    World world = styled_world(settings, n + 1, shake);
    run_for(world, kSettle);
    double sum = 0;
    int count = 0;
    for (; world.time() < kSettle + 1 - 1e-9; ++count) {  // whole periods
        world.step();
        const double z = points_of(world, 0).back().z;
        sum += z * z;
    }
    return std::sqrt(2 * sum / count) / kSwing;
}

// With critical damping a wave satisfies (D + sqrt(k) (1 - 1/r))^2 = 0, with D = 1 - exp(-i w h) and r the factor by
// which one segment multiplies the wave. So |r| = |1 / (1 + D / sqrt(k))| is below 1 for every w, and the tip of a
// strand whose root does not turn swings by (1 + n (1 - r)) r^n. If damping acted relative to the preceding segment, 1
// mm at the root would move the tip by half the length of the strand.
TEST(RestShape, WavesDoNotGrowOnTheirWayToTheTip)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    constexpr size_t kSegments = 29;
    for (const float local : {6.0f, 50.0f, 300.0f})
        for (const double frequency : {1.0, 2.0, 4.0, 8.0}) {
            WorldSettings settings = stiff_settings(local, 0, 240, 1);
            settings.gravity = {0, 0, 0};
            settings.shape.drag = 0;
            const double root_k = std::sqrt(static_cast<double>(local) / 2) * kSegments * settings.dt;
            const std::complex<double> d = 1.0 - std::polar(1.0, -2 * std::numbers::pi * frequency * settings.dt);
            const std::complex<double> r = 1.0 / (1.0 + d / root_k);
            const double gain = std::abs((1.0 + static_cast<double>(kSegments) * (1.0 - r)) * std::pow(r, kSegments));
            EXPECT_NEAR(measured_gain(settings, kSegments, frequency), gain, 0.01 * gain + 0.002)
                << local << " at " << frequency << " Hz";
        }
}

TEST(RestShape, LookDoesNotDependOnTheStep)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const float local : {200.0f, 1000.0f, 10000.0f}) {
        World reference = styled_world(stiff_settings(local), 32);
        run_for(reference, 8);
        for (const double rate : {30.0, 60.0, 120.0})
            for (const int substeps : {1, 4, 8}) {
                World world = styled_world(stiff_settings(local, 0, rate, substeps), 32);
                run_for(world, 8);
                for (size_t s = 0; s < styles().size(); ++s)
                    EXPECT_LT(apart(points_of(world, s), points_of(reference, s)), 0.005 * length_of(world, s))
                        << styles()[s].name << " " << local << " " << rate << " Hz, " << substeps << " substeps";
            }
    }
}

TEST(RestShape, LookDoesNotDependOnTheNumberOfParticles)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const float local : {200.0f, 1000.0f, 10000.0f}) {
        World reference = styled_world(stiff_settings(local), 32);
        run_for(reference, 8);
        for (const size_t particles : {16u, 64u}) {
            World world = styled_world(stiff_settings(local), particles);
            run_for(world, 8);
            for (size_t s = 0; s < styles().size(); ++s)
                EXPECT_LT(apart(points_of(world, s), points_of(reference, s)), 0.05 * length_of(world, s))
                    << styles()[s].name << " " << local << " " << particles;
        }
    }
}

TEST(RestShape, SagFreeHairStaysWhereItWasGroomed)
{
    for (const auto& [local, global] : {std::pair{200.0f, 0.0f}, std::pair{1000.0f, 100.0f}, std::pair{0.0f, 500.0f}})
        for (const float fade : {0.0f, 0.7f}) {
            WorldSettings settings = stiff_settings(local, global);
            settings.shape.sag_free = true;
            settings.shape.fade = fade;
            World world = styled_world(settings, 32);
            std::vector<std::vector<Vec3d>> before;
            for (size_t s = 0; s < styles().size(); ++s) before.push_back(points_of(world, s));
            for (int i = 0; i < (kSanitized ? 5 : 120); ++i) {
                world.step();
                for (size_t s = 0; s < styles().size(); ++s)
                    ASSERT_LT(length(points_of(world, s).back() - before[s].back()), 0.01 * length_of(world, s))
                        << styles()[s].name << " " << local << " " << global << " " << fade << " at " << world.time();
            }
        }
}

// Sag-free at any gravity: the limit on the lift g/K is the length of the strand.
TEST(RestShape, SagFreeUnderWeakGravity)
{
    WorldSettings settings = stiff_settings(0, 1);
    settings.gravity = {0, -0.1, 0};
    settings.shape.sag_free = true;
    World world = styled_world(settings, 24);
    std::vector<Vec3d> before;
    for (size_t s = 0; s < styles().size(); ++s) before.push_back(points_of(world, s).back());
    run_for(world, kSanitized ? 0.5 : 3);
    for (size_t s = 0; s < styles().size(); ++s)
        EXPECT_LT(length(points_of(world, s).back() - before[s]), 0.001 * length_of(world, s)) << styles()[s].name;
}

/// A groom of one horizontal strand, and its targets.
struct LevelStrand {
    static constexpr double kLength = 0.3;
    static constexpr int kPoints = 16;

    std::span<const float> targets(const ShapeSettings& settings)
    {
        const ShapeInput input = shape.over_substeps(groom, strands, settings, {0, -9.81, 0}, 1.0 / 240, *executor);
        return {input.buckets[0].targets, kPoints * kTargetRows * kLanes};
    }
    /// Distance of the global target of a level from the groomed position [m].
    double lift(const ShapeSettings& settings, int level)
    {
        const std::span<const float> rows = targets(settings);
        Vec3d target{0, 0, 0};
        for (int i = 1; i <= level; ++i) {
            const size_t row = strands.layout().particle_row(0, i, kTargetRows) + kGlobalTarget * kLanes;
            target += to_double(vector_at(&rows[row]));
        }
        return length(target - Vec3d{kLength * level / (kPoints - 1), 0, 0});  // the root's frame is along the strand
    }

    Groom groom = *make_groom({.points = sample(styles()[0], kPoints), .first_point = {0, kPoints}});
    Strands strands{groom, RootKind::kOnBone};
    RestShape shape;
    std::shared_ptr<Executor> executor = make_serial_executor();
};

TEST(RestShape, GlobalTargetsAreLiftedByTheWeightAndNoFartherThanTheStrandIsLong)
{
    LevelStrand strand;
    const auto lift = [&](float global) { return strand.lift({.global = global, .sag_free = true}, 8); };
    EXPECT_NEAR(lift(500), 9.81 / 500, 1e-6);
    EXPECT_NEAR(lift(40), 9.81 / 40, 1e-6);
    EXPECT_NEAR(lift(1), LevelStrand::kLength, 1e-6);
}

// This also holds if the targets were lifted before: the form may change while the world runs.
TEST(RestShape, ThePrintedFormIsNeverSagFree)
{
    ShapeSettings settings{.local = 0.3f, .global = 0.1f, .sag_free = true, .form = Form::kStable};
    LevelStrand strand, plain;
    const std::span<const float> lifted = strand.targets(settings);
    settings.sag_free = false;
    const std::span<const float> as_groomed = plain.targets(settings);
    EXPECT_FALSE(std::equal(lifted.begin(), lifted.end(), as_groomed.begin()));
    settings.sag_free = true;
    settings.form = Form::kPaper;
    const std::span<const float> printed = strand.targets(settings);
    EXPECT_TRUE(std::equal(printed.begin(), printed.end(), as_groomed.begin()));
}

TEST(RestShape, ThePrintedFormHasNoDrag)
{
    const auto hash_with = [](float drag) {
        WorldSettings settings = stiff_settings(0.3f, 0.1f);
        settings.shape.form = Form::kPaper;
        settings.shape.drag = drag;
        World world = styled_world(settings, 16);
        run_for(world, 0.1);
        return world.state_hash();
    };
    EXPECT_EQ(hash_with(0), hash_with(20));
}

/// How often a strand winds around the line from its root to its tip, and its mean distance from the axis [m].
struct Curl {
    double turns = 0, radius = 0;
};

Curl curl_of(const std::vector<Vec3d>& p)
{
    const Vec3d axis = (p.back() - p.front()) * (1 / length(p.back() - p.front()));
    Vec3d middle{0, 0, 0};
    for (const Vec3d& x : p) middle += x * (1.0 / static_cast<double>(p.size()));
    Curl curl;
    Vec3d before{0, 0, 0};
    for (size_t i = 0; i < p.size(); ++i) {
        const Vec3d r = p[i] - middle, out = r - axis * dot(r, axis);
        curl.radius += length(out) / static_cast<double>(p.size());
        if (i > 0) curl.turns += std::atan2(dot(cross(before, out), axis), dot(before, out)) / (2 * std::numbers::pi);
        before = out;
    }
    return curl;
}

TEST(RestShape, CurlSurvivesAShake)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    constexpr size_t kCurls = 4;
    const auto shake = [](double t, std::span<Pose> bones) {
        const double s = t > 5 && t < 8 ? std::sin(4 * std::numbers::pi * (t - 5)) : 0;
        bones[0].position = {0.08 * s, 0, 0.03 * s};
        bones[0].rotation = rotation_about({0, 1, 0}, 0.8 * s);
    };
    World world = styled_world(stiff_settings(300), 48, shake);
    run_for(world, 5);
    const Curl before = curl_of(points_of(world, kCurls));
    EXPECT_GT(std::abs(before.turns), 4);
    double moved = 0;
    const std::vector<Vec3d> settled = points_of(world, kCurls);
    while (world.time() < 8) {
        world.step();
        moved = std::max(moved, length(points_of(world, kCurls).back() - settled.back()));
        ASSERT_LT(world.measure().stretch_max, 1e-6);
    }
    EXPECT_GT(moved, 0.08) << "it was not shaken";
    run_for(world, 4);
    const Curl after = curl_of(points_of(world, kCurls));
    EXPECT_NEAR(after.turns, before.turns, 0.05 * std::abs(before.turns));
    EXPECT_NEAR(after.radius, before.radius, 0.05 * before.radius);
}

TEST(RestShape, SameBitsForThreadsInstructionSetsAndAfterLoading)
{
    const auto turn = [](double t, std::span<Pose> bones) {
        bones[0].rotation = rotation_about({0, 0.8, 0.6}, std::sin(5 * t));
    };
    WorldSettings settings = stiff_settings(500, 50);
    World straight = styled_world(settings, 20, turn);
    run_for(straight, 0.5);
    for (const int64_t target : instruction_sets()) {
        UseInstructionSet use(target);
        World other = styled_world(settings, 20, turn);
        run_for(other, 0.5);
        EXPECT_EQ(other.state_hash(), straight.state_hash()) << target;
    }
    for (const unsigned threads : {2u, 3u, 8u}) {
        World first = styled_world(settings, 20, turn, std::make_shared<HostExecutor>(threads));
        run_for(first, 0.25);
        World second = styled_world(settings, 20, turn, std::make_shared<HostExecutor>(threads));
        ASSERT_TRUE(second.load(first.save()));
        run_for(second, 0.25);
        EXPECT_EQ(second.state_hash(), straight.state_hash()) << threads;
    }
}

TEST(RestShape, AbuseStaysFiniteAndUnstretched)
{
    const auto jerk = [](double t, std::span<Pose> bones) {
        bones[0].position = {t > 0.2 ? 100.0 : 0.0, 0, 0};
        bones[0].rotation = rotation_about({0.6, 0.8, 0}, 50 * t);
    };
    for (const double dt : {0.001, 1.0 / 60, 0.2})
        for (const float local : {0.01f, 1000.0f, 1e9f})
            for (const Form form : {Form::kStable, Form::kPaper}) {
                WorldSettings settings = stiff_settings(local, local);
                settings.dt = dt;
                settings.gravity = {0, -9810, 0};
                settings.shape.form = form;
                World world = styled_world(settings, 24, jerk);
                for (int i = 0; i < (kSanitized ? 3 : 40); ++i) world.step();
                const Metrics m = world.measure();
                EXPECT_EQ(m.nonfinite, 0u) << dt << " " << local;
                EXPECT_LT(m.stretch_max, 1e-4) << dt << " " << local;
            }
}

TEST(RestShape, AbsurdSettingsDoNoHarm)
{
    using S = ShapeSettings;
    using Limits = std::numeric_limits<float>;
    for (const auto setting : {&S::local, &S::global, &S::fade, &S::damping, &S::drag, &S::load})
        for (const float value : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), Limits::max(), -1.0f})
            for (const Form form : {Form::kStable, Form::kPaper}) {
                WorldSettings settings = stiff_settings(1000, 100);
                settings.shape.form = form;
                settings.shape.*setting = value;
                World world = styled_world(settings, 12);
                for (int i = 0; i < 5; ++i) world.step();
                const Metrics m = world.measure();
                EXPECT_EQ(m.nonfinite, 0u) << value;
                EXPECT_LT(m.stretch_max, 1e-4) << value;
            }
}

// [Sanchez15] Eq. 8-14 as printed keep the style, but curls flutter by themselves. Therefore it is not the default.
TEST(RestShape, ThePrintedFormFlutters)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    WorldSettings settings = stiff_settings(0.3f, 0.1f, 60, 1);
    settings.shape.form = Form::kPaper;
    World world = styled_world(settings, 32);
    run_for(world, 5);
    EXPECT_GT(fastest_over(world, 1), 0.3);
    // The same coefficients in the stable form.
    settings.shape.form = Form::kStable;
    settings.shape.units = ShapeUnits::kPaper;
    World stable = styled_world(settings, 32);
    run_for(stable, 5);
    EXPECT_LT(fastest_over(stable, 1), 1e-3);
    EXPECT_LT(apart(points_of(stable, 0), {{0, 0, 0}, {0.3, 0, 0}}), 0.1);
}

// Roots on a triangle of a mesh take its frame: hair turns with it as with a bone.
TEST(RestShape, SampledRootsTurnTheirHair)
{
    const auto turn = [](double t) { return rotation_about({0.6, 0.8, 0}, 2 * std::sin(3 * t)); };
    WorldSettings settings = stiff_settings(3000, 300);
    World on_bone = styled_world(settings, 24, [&](double t, std::span<Pose> bones) { bones[0].rotation = turn(t); });
    World pushed(settings, make_serial_executor());
    const std::vector<Vec3f> rest{{0, 0, 0}, {0.1f, 0, 0}, {0, 0, 0.1f}};
    const auto at = [&](double t) {
        std::vector<Vec3f> now;
        for (const Vec3f& v : rest) now.push_back(to_float(rotate(turn(t), to_double(v))));
        return now;
    };
    const BodyId body = pushed.add_body({.name = "skin", .vertices = 3});
    ASSERT_TRUE(pushed.push_vertices(body, at(0), {0, 0, 0}, 0));
    const size_t strands = styles().size();
    TriangleBinding binding;
    binding.triangles.assign(strands, {0, 1, 2});
    binding.weights.assign(strands, {1, 0, 0});
    binding.rest = rest;
    ASSERT_TRUE(pushed.add_groom(on_bone.groom({0}), {.body = body, .binding = binding}));
    for (int i = 0; i < (kSanitized ? 3 : 60); ++i) {
        const double end = pushed.time() + settings.dt;
        for (int k = 1; k <= 8; ++k) {
            const double t = pushed.time() + settings.dt * k / 8;
            ASSERT_TRUE(pushed.push_vertices(body, at(t), {0, 0, 0}, t));
        }
        pushed.step();
        on_bone.step();
        ASSERT_NEAR(pushed.time(), end, 1e-12);
        for (size_t s = 0; s < strands; ++s)
            ASSERT_LT(apart(points_of(pushed, s), points_of(on_bone, s)), 1e-5 * length_of(on_bone, s))
                << styles()[s].name << " at " << end;
    }
}

TEST(RestShape, StrengthByStrand)
{
    WorldSettings settings = stiff_settings(2000);
    World world(settings, make_serial_executor());
    const BodyId body = world.add_body({.name = "hand"});
    GroomData data;
    data.first_point = {0};
    for (int s = 0; s < 3; ++s) {
        const auto points = sample(styles()[0], 24);
        data.points.insert(data.points.end(), points.begin(), points.end());
        data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
    }
    ASSERT_TRUE(world.add_groom(*make_groom(data), {.body = body, .stiffness = {1, 0.5f, 0}}));
    run_for(world, 4);
    const double first = -points_of(world, 0).back().y, second = -points_of(world, 1).back().y;
    EXPECT_NEAR(second, 2 * first, 0.05 * first);
    EXPECT_LT(points_of(world, 2).back().y, -0.25) << "it hangs";
    EXPECT_FALSE(world.add_groom(*make_groom(data), {.body = body, .stiffness = {1}}));
    EXPECT_FALSE(world.add_groom(*make_groom(data), {.body = body, .stiffness = {1, 1, -1}}));
}

}  // namespace
}  // namespace tendril::test
