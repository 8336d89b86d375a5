// Follow-the-leader as printed in [Mueller12] sections 3.1 to 3.5, against a plain program of its equations.
#include "solvers/solver.h"
#include "support/ropes.h"
#include "support/strand_bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tendril::test {
namespace {

using Places = std::vector<Vec3d>;

Vec3d at_distance(const Vec3d& leader, const Vec3d& p, double l)
{
    const Vec3d e = p - leader;
    return leader + e * (l / length(e));
}

/// The equations in double precision, particle by particle.
class PlainDftl {
public:
    PlainDftl(Places start, Ends ends, const DftlSettings& settings, double dt)
        : x(std::move(start)), v(x.size(), Vec3d{0, 0, 0}), settings_(settings), ends_(ends), dt_(dt)
    {
        for (size_t i = 1; i < x.size(); ++i) rest_.push_back(length(x[i] - x[i - 1]));
    }

    /// `root` and `tip` are the holds of the ends that are held.
    void step(const Vec3d& root, const Vec3d& tip)
    {
        Places p = x;
        for (size_t i = 0; i < x.size() && settings_.dynamic; ++i)
            p[i] = x[i] + v[i] * dt_ + Vec3d{0, -10, 0} * (dt_ * dt_);  // Eq. 1
        if (ends_ != Ends::kFree) p.front() = root;
        if (ends_ == Ends::kBothHeld) p.back() = tip;
        Places taken = ends_ == Ends::kRootHeld ? project_hair(p) : project_rope(p);
        if (ends_ != Ends::kFree) p.front() = root, taken.front() = {0, 0, 0};
        if (ends_ == Ends::kBothHeld) p.back() = tip, taken.back() = {0, 0, 0};
        const double s = static_cast<double>(settings_.velocity_correction);
        for (size_t i = 0; i < x.size(); ++i) v[i] = (p[i] - x[i] - taken[i] * s) * (1 / dt_);  // Eq. 9
        x = p;
    }

    Places x, v;

private:
    /// Projects in place and returns d_(i+1) for each particle.
    Places project_hair(Places& p) const
    {
        const size_t n = p.size();
        const double limit = static_cast<double>(settings_.bend_limit);
        Places predicted = p, taken(n, Vec3d{0, 0, 0});
        if (settings_.backward_pass) {  // section 3.4
            for (size_t i = n - 2; i >= 1; --i) p[i] = at_distance(p[i + 1], p[i], rest_[i]);
            if (settings_.backward_takes == BackwardTakes::kForward) predicted = p;
        }
        for (size_t i = 1; i < n; ++i) {
            const double least = i > 1 ? limit * (rest_[i - 2] + rest_[i - 1]) : 0;
            if (i > 1 && length(p[i] - p[i - 2]) < least) p[i] = at_distance(p[i - 2], p[i], least);  // Eq. 11
            p[i] = at_distance(p[i - 1], p[i], rest_[i - 1]);                                         // Eq. 6
            taken[i - 1] = p[i] - predicted[i];
        }
        return taken;
    }

    Places project_rope(Places& p) const
    {
        const size_t n = p.size();
        Places left = p, right = p, taken(n, Vec3d{0, 0, 0});
        for (size_t i = 1; i < n; ++i) left[i] = at_distance(left[i - 1], left[i], rest_[i - 1]);
        for (size_t i = n - 1; i >= 1; --i) right[i - 1] = at_distance(right[i], right[i - 1], rest_[i - 1]);
        for (size_t i = 0; i < n; ++i) {
            const bool mean = ends_ == Ends::kFree || settings_.end_blend == EndBlend::kAverage;
            const double t = mean ? 0.5 : static_cast<double>(i) / static_cast<double>(n - 1);
            if (i + 1 < n) taken[i] += (left[i + 1] - p[i + 1]) * (1 - t);
            if (i > 0) taken[i] += (right[i - 1] - p[i - 1]) * t;
            left[i] = left[i] * (1 - t) + right[i] * t;
        }
        p = left;
        return taken;
    }

    std::vector<double> rest_;
    DftlSettings settings_;
    Ends ends_;
    double dt_;
};

WorldSettings printed_settings(const DftlSettings& dftl)
{
    WorldSettings settings = paper_settings();
    settings.solver.form = Form::kPaper;
    settings.solver.dftl = dftl;
    return settings;
}

void drag_in_circles(double t, std::span<Pose> bones)
{
    bones[0].position = {0.15 * std::sin(20 * t), 0.1 * std::cos(14 * t) - 0.1, 0.02 * std::sin(9 * t)};
}

/// Largest distance from the equations in 40 steps [m].
double off_the_equations(const RopeStyle& style, const DftlSettings& dftl)
{
    World world = make_world(style, printed_settings(dftl), drag_in_circles);
    PlainDftl plain(positions(world), style.ends, dftl, 0.01);
    double worst = 0;
    for (int k = 0; k < 40; ++k) {
        world.step();
        const Places now = positions(world);
        plain.step(now.front(), now.back());
        for (size_t i = 0; i < now.size(); ++i) worst = std::max(worst, length(now[i] - plain.x[i]));
    }
    return worst;
}

RopeStyle short_rope()
{
    RopeStyle style;
    style.particles = 12;
    style.length = 0.22f;
    return style;
}

TEST(PrintedDftl, HairIsEquations1To11)
{
    for (const float s : {0.0f, 0.9f, 1.0f}) {
        EXPECT_LT(off_the_equations(short_rope(), {.velocity_correction = s}), 1e-4) << s;
        EXPECT_LT(off_the_equations(short_rope(), {.velocity_correction = s, .bend_limit = 0.9f}), 1e-4) << s;
    }
    EXPECT_LT(off_the_equations(short_rope(), {.dynamic = false}), 1e-5);
}

TEST(PrintedDftl, TheBackwardPassIsTheWordsOfSection34)
{
    for (const BackwardTakes takes : {BackwardTakes::kForward, BackwardTakes::kBoth})
        EXPECT_LT(off_the_equations(short_rope(), {.backward_pass = true, .backward_takes = takes}), 1e-4);
}

TEST(PrintedDftl, RopesBetweenHandsAreFigure2)
{
    for (const EndBlend blend : {EndBlend::kWeighted, EndBlend::kAverage}) {
        EXPECT_LT(off_the_equations(hanging_rope(21, 0.8f), {.end_blend = blend}), 1e-4);
        EXPECT_LT(off_the_equations(hanging_rope(21, 0.8f), {.end_blend = blend, .dynamic = false}), 1e-4);
    }
}

TEST(PrintedDftl, AFreeRopeIsTheMeanOfBothProjections)
{
    RopeStyle style = short_rope();
    style.ends = Ends::kFree;
    const DftlSettings dftl{.velocity_correction = 0.9f};
    StrandBench bench(*make_groom(*make_ropes(style)), make_solver({.form = Form::kPaper, .dftl = dftl}), 0.01, 1,
                      {0, -10, 0});
    const auto now = [&] {
        Places places;
        for (int i = 0; i < 12; ++i) places.push_back(bench.strands.position(0, i));
        return places;
    };
    PlainDftl plain(now(), Ends::kFree, dftl, 0.01);
    for (int i = 0; i < 12; ++i) {
        const Vec3f drift{0, 0.002f * static_cast<float>(i % 5), 0.001f * static_cast<float>(i % 3)};
        bench.strands.set_drift(0, i, drift);
        plain.v[static_cast<size_t>(i)] = to_double(drift) * 100.0;
    }
    for (int k = 0; k < 20; ++k) {
        bench.step();
        plain.step({}, {});
        const Places places = now();
        for (size_t i = 0; i < places.size(); ++i) ASSERT_LT(length(places[i] - plain.x[i]), 1e-5) << k;
    }
}

// s of Eq. 9 belongs to the time step of the equations, which is our substep.
TEST(PrintedDftl, SubstepsAreStepsOfTheEquations)
{
    WorldSettings settings = printed_settings({.velocity_correction = 0.8f});
    World steps = make_world(paper_rope(), settings);
    settings.dt *= 4;
    settings.substeps = 4;
    World substeps = make_world(paper_rope(), settings);
    for (int k = 0; k < 10; ++k) {
        for (int i = 0; i < 4; ++i) steps.step();
        substeps.step();
    }
    EXPECT_LT(deviation(steps, substeps), 1e-5);
}

TEST(PrintedDftl, HairNeverStretches)
{
    World world = make_world(paper_rope(), printed_settings({}), drag_in_circles);
    double stretch = 0;
    for (int k = 0; k < 100; ++k) {
        world.step();
        stretch = std::max(stretch, world.measure().stretch_max);
    }
    EXPECT_LT(stretch, 1e-5);
}

// Fig. 2: the mean of two projections is shorter than either.
TEST(PrintedDftl, RopesBetweenHandsDoNotKeepTheirLengths)
{
    World world = make_world(hanging_rope(41, 0.8f), printed_settings({}));
    double stretch = 0;
    for (int k = 0; k < 50; ++k) {
        world.step();
        stretch = std::max(stretch, world.measure().stretch_max);
    }
    EXPECT_GT(stretch, 1e-2);
}

TEST(PrintedDftl, LengthsUndoPartOfTheBendLimit)
{
    constexpr double kLimit = 0.9;
    World world =
        make_world(paper_rope(), printed_settings({.bend_limit = static_cast<float>(kLimit)}), drag_in_circles);
    double worst = 0;
    for (int k = 0; k < 100; ++k) {
        world.step();
        const Places p = positions(world);
        for (size_t i = 2; i < p.size(); ++i) worst = std::max(worst, kLimit - length(p[i] - p[i - 2]) / 0.04);
    }
    EXPECT_GT(worst, 1e-2);
}

// s in every substep, not in every step: each s below 1 adds energy.
TEST(PrintedDftl, ASmallerCorrectionGainsEnergyInEverySubstep)
{
    double gained[2]{};
    for (const Form form : {Form::kStable, Form::kPaper}) {
        WorldSettings settings = printed_settings({.velocity_correction = 0.9f});
        settings.solver.form = form;
        settings.substeps = 8;
        World world = make_world(paper_rope(), settings);
        const double start = world.measure().potential, drop = drop_energy(paper_rope(), 0.01, 10);
        for (int k = 0; k < 100; ++k) {
            world.step();
            double& most = gained[form == Form::kPaper];
            most = std::max(most, (world.measure().energy() - start) / drop);
        }
    }
    EXPECT_LT(gained[0], 0.05);
    EXPECT_GT(gained[1], 0.5);
}

TEST(PrintedDftl, AShakenStrandComesToRest)
{
    WorldSettings settings = printed_settings({.bend_limit = 0.9f});
    settings.air = {2, 1};
    World world = make_world(paper_rope(), settings, [](double t, std::span<Pose> bones) {
        const double shaken = std::min(t, 2.0);
        bones[0].position = {0.5 * std::sin(23 * shaken), 0.6 * std::abs(std::sin(17 * shaken)), 0};
    });
    while (world.time() < 20) world.step();
    EXPECT_LT(world.measure().fastest, 1e-3);
}

// Holds between the ends are not in the paper: held particles stay where they are held.
TEST(PrintedDftl, HeldParticlesStayAtTheirHolds)
{
    for (const Ends ends : {Ends::kRootHeld, Ends::kBothHeld, Ends::kFree}) {
        RopeStyle style = hanging_rope(21, 0.8f);
        style.ends = ends;
        World world = make_world(style, printed_settings({.bend_limit = 0.5f, .backward_pass = true}), drag_in_circles);
        const BodyId hand = world.add_body({.name = "other hand"});
        const Vec3d held = world.position({kRope, 0, 10});
        ASSERT_TRUE(world.hold({kRope, 0, 10}, hand, 0, held));
        for (int k = 0; k < 30; ++k) {
            world.step();
            ASSERT_LT(length(world.position({kRope, 0, 10}) - held), 1e-5);
        }
    }
}

// The form may change while the world runs.
TEST(PrintedDftl, TheFormCanBeSwitched)
{
    World world = make_world(paper_rope(), printed_settings({.backward_pass = true}), drag_in_circles);
    World other = make_world(paper_rope(), printed_settings({.backward_pass = true}), drag_in_circles);
    for (int k = 0; k < 10; ++k) world.step(), other.step();
    EXPECT_EQ(world.state_hash(), other.state_hash());
    other.settings().solver.form = Form::kStable;
    world.step(), other.step();
    EXPECT_NE(world.state_hash(), other.state_hash());
}

}  // namespace
}  // namespace tendril::test
