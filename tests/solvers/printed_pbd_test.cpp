// Position based dynamics as printed in [Boercsoek20], against Algorithm 1 in double precision.
#include "support/head.h"
#include "support/ropes.h"
#include "support/simd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tendril::test {
namespace {

WorldSettings printed_pbd(int iterations)
{
    WorldSettings settings = paper_settings();
    settings.solver.type = SolverType::kPbd;
    settings.solver.form = Form::kPaper;
    settings.solver.pbd.iterations = iterations;
    return settings;
}

/// Algorithm 1 for a rope that is held by its first particle; all masses are equal.
struct Algorithm1 {
    std::vector<Vec3d> x, v = std::vector<Vec3d>(x.size(), Vec3d{0, 0, 0});

    void step(const WorldSettings& world, double l)
    {
        const PbdSettings& s = world.solver.pbd;
        const auto k_of = [&](float k) {
            const double n = s.iterations;
            return s.corrected_stiffness ? 1 - std::pow(1 - static_cast<double>(k), 1 / n) : static_cast<double>(k);
        };
        std::vector<Vec3d> tmp = x;
        for (size_t i = 1; i < x.size(); ++i) {
            v[i] = (v[i] + world.gravity * world.dt) * static_cast<double>(s.velocity_kept);
            tmp[i] = x[i] + v[i] * world.dt;
        }
        for (int n = 0; n < s.iterations; ++n)
            for (size_t i = 1; i < x.size(); ++i) {
                keep_distance(tmp, i - 1, i, l, k_of(s.stiffness));
                const auto apart = static_cast<size_t>(s.bend_offset);
                if (i >= apart)
                    keep_distance(tmp, i - apart, i, l * s.bend_offset * static_cast<double>(s.bend_distance),
                                  k_of(s.bend_stiffness));
            }
        for (size_t i = 0; i < x.size(); ++i) v[i] = (tmp[i] - x[i]) * (1 / world.dt);
        x = tmp;
    }

private:
    static void keep_distance(std::vector<Vec3d>& p, size_t a, size_t b, double d, double k)
    {
        const Vec3d n = (p[a] - p[b]) * (1 / length(p[a] - p[b]));
        const double c = length(p[a] - p[b]) - d, w = a == 0 ? 0 : 1;
        p[a] -= n * (w / (w + 1) * c * k);
        p[b] += n * (1 / (w + 1) * c * k);
    }
};

TEST(PrintedPbd, IsAlgorithm1)
{
    for (const bool corrected : {false, true}) {
        WorldSettings settings = printed_pbd(3);
        settings.solver.pbd.stiffness = 0.7f;
        settings.solver.pbd.bend_stiffness = 0.2f;
        settings.solver.pbd.bend_offset = 3;
        settings.solver.pbd.bend_distance = 0.6f;
        settings.solver.pbd.velocity_kept = 0.98f;
        settings.solver.pbd.corrected_stiffness = corrected;
        RopeStyle style = paper_rope();
        style.particles = 8;
        World world = make_world(style, settings);
        Algorithm1 expected{positions(world)};
        for (int i = 0; i < 15; ++i) {
            world.step();
            expected.step(settings, 0.58 / 7);
        }
        const std::vector<Vec3d> now = positions(world);
        for (size_t i = 0; i < now.size(); ++i)
            EXPECT_LT(length(now[i] - expected.x[i]), 2e-6) << corrected << ' ' << i;
    }
}

// A particle that hangs on one segment falls by k_s g dt^2 in a step, and every iteration leaves the share 1 - k of the
// error: so the elongation depends on the number n of iterations, unless k' is used.
TEST(PrintedPbd, AnErrorIsLeftByTheShareOfAllIterations)
{
    for (const bool corrected : {false, true})
        for (const int n : {1, 4}) {
            WorldSettings settings = printed_pbd(n);
            settings.solver.pbd.stiffness = 0.5f;
            settings.solver.pbd.velocity_kept = 0.9f;
            settings.solver.pbd.corrected_stiffness = corrected;
            RopeStyle style;
            style.particles = 2;
            style.length = 0.1f;
            World world = make_world(style, settings);
            for (int i = 0; i < 600; ++i) world.step();
            const double left = corrected ? 0.5 : std::pow(0.5, n), fall = 0.9 * 10 * 0.01 * 0.01;
            EXPECT_NEAR(world.measure().stretch_max * 0.1, fall * left / (1 - left), 0.01 * fall) << corrected << n;
        }
}

/// The sums of Eq. 2 and 3 over the displacements since the last step; all masses are equal.
struct Momenta {
    Vec3d linear{0, 0, 0}, angular{0, 0, 0};
    double moved = 0;
};
Momenta momenta(const std::vector<Vec3d>& before, const std::vector<Vec3d>& now)
{
    Momenta out;
    for (size_t i = 0; i < now.size(); ++i) {
        const Vec3d d = now[i] - before[i];
        out.linear += d;
        out.angular += cross(before[i], d);
        out.moved += length(d);
    }
    return out;
}

// Eq. 2 to 8: the corrections of internal constraints keep both momenta.
TEST(PrintedPbd, CorrectionsKeepLinearAndAngularMomentum)
{
    WorldSettings settings = printed_pbd(10);
    settings.gravity = {0, 0, 0};
    settings.solver.pbd.bend_stiffness = 0.5f;
    settings.solver.pbd.bend_distance = 0.6f;
    RopeStyle style = paper_rope();
    style.ends = Ends::kFree;
    World world = make_world(style, settings);
    for (int i = 0; i < 40; ++i) {
        const std::vector<Vec3d> before = positions(world);
        world.step();
        const Momenta of = momenta(before, positions(world));
        EXPECT_LT(length(of.linear), 1e-5) << i;
        EXPECT_LT(length(of.angular), 1e-6) << i;
        if (i == 0) {
            EXPECT_GT(of.moved, 0.01);
        }
    }
}

// Eq. 9 and 10: with masses m_i the corrections are weighted by 1/m_i, so a heavy particle moves less. The masses
// themselves are not visible, but the mean of all displacements then no longer vanishes.
TEST(PrintedPbd, CorrectionsAreWeightedByInverseMass)
{
    const auto drift_of_the_mean = [](float variation) {
        WorldSettings settings = printed_pbd(1);
        settings.gravity = {0, 0, 0};
        settings.solver.pbd.bend_stiffness = 0.5f;
        settings.solver.pbd.bend_distance = 0.6f;
        settings.solver.pbd.mass_variation = variation;
        RopeStyle style = paper_rope();
        style.ends = Ends::kFree;
        World world = make_world(style, settings);
        const std::vector<Vec3d> before = positions(world);
        world.step();
        return length(momenta(before, positions(world)).linear);
    };
    EXPECT_LT(drift_of_the_mean(0), 1e-6);
    EXPECT_GT(drift_of_the_mean(0.9f), 1e-3);
}

// Section 3.5 moves a particle along the normal onto the surface; line 21 keeps that as velocity, and line 24 reflects
// what is left against the normal.
TEST(PrintedPbd, CollisionsPutParticlesOnTheSurface)
{
    for (const float restitution : {0.0f, 0.5f}) {
        WorldSettings settings = printed_pbd(5);
        settings.contact.margin = 0;
        settings.contact.friction = 0.5f;
        settings.contact.restitution = restitution;
        RopeStyle style = paper_rope();
        style.particles = 10;
        style.ends = Ends::kFree;
        World world = make_world(style, settings);
        ASSERT_TRUE(world.add_collider({.body = {0}, .a = {0, -0.05, 0}, .kind = ColliderKind::kPlane}));
        for (int i = 0; i < 60; ++i) {
            world.step();
            for (const Vec3d& p : positions(world)) ASSERT_GT(p.y, -0.05 - 1e-5) << i;
        }
        EXPECT_LT(positions(world)[5].y, -0.02);
    }
}

TEST(PrintedPbd, SameBitsForAnyInstructionSetAndFinite)
{
    const auto hash = [] {
        WorldSettings settings = windy();
        settings.solver.type = SolverType::kPbd;
        settings.solver.form = Form::kPaper;
        settings.solver.pbd.bend_stiffness = 0.3f;
        settings.contact.restitution = 0.5f;
        World world = make_head(settings, 20, make_serial_executor(), shake_head, 8);
        EXPECT_TRUE(world.add_collider({.body = {0}, .radius_a = 0.09f}));
        for (int i = 0; i < 20; ++i) {
            world.step();
            EXPECT_EQ(world.measure().nonfinite, 0u);
        }
        return world.state_hash();
    };
    const uint64_t native = hash();
    for (const int64_t target : instruction_sets()) {
        UseInstructionSet use(target);
        EXPECT_EQ(hash(), native) << target;
    }
}

}  // namespace
}  // namespace tendril::test
