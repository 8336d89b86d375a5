// Masses and springs, with symplectic and with implicit Euler. [Mueller12] section 4
#include "solvers/spring_limit.h"
#include "support/head.h"
#include "support/ropes.h"
#include "support/sanitized.h"
#include "support/strand_bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <string>

namespace tendril::test {
namespace {

constexpr double kParticleMass = 0.01;  // of the ropes that make_world makes [kg]

WorldSettings with_springs(SolverType type, float stiffness)
{
    WorldSettings settings = paper_settings();
    settings.solver.type = type;
    settings.solver.spring.stiffness = stiffness;
    settings.solver.spring.substeps = 20;
    return settings;
}

RopeStyle hanging(uint32_t particles, float length)
{
    RopeStyle style;
    style.particles = particles;
    style.length = length;
    style.direction = {0, -1, 0};
    return style;
}

// Released at its rest length, a particle swings about its equilibrium.
TEST(Spring, OneSegmentSwingsWithTheRootOfStiffnessOverMass)
{
    for (const float stiffness : {10.0f, 40.0f, 160.0f}) {
        WorldSettings settings = with_springs(SolverType::kSpring, stiffness);
        settings.dt = 0.001;
        settings.solver.spring.damping = 0;
        World world = make_world(hanging(2, 0.2f), settings);
        const double rest = -0.2 - kParticleMass * 10 / static_cast<double>(stiffness);
        double first = 0, last = 0, before = 1;
        int falls = 0;
        while (falls < 21) {
            world.step();
            const double y = world.position({kRope, 0, 1}).y - rest;
            if (before > 0 && y <= 0) {
                last = world.time() - settings.dt * y / (y - before);
                if (falls++ == 0) first = last;
            }
            before = y;
            ASSERT_LT(world.time(), 30);
        }
        const double omega = 2 * std::numbers::pi * 20 / (last - first);
        const double exact = std::sqrt(static_cast<double>(stiffness) / kParticleMass);
        EXPECT_NEAR(omega, exact, 0.01 * exact) << stiffness;
    }
}

TEST(Spring, HangingChainCarriesTheWeightBelow)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const SolverType type : {SolverType::kSpring, SolverType::kImplicitSpring}) {
        WorldSettings settings = with_springs(type, 100);
        settings.air = {5, 5};
        World world = make_world(hanging(11, 0.2f), settings);
        while (world.time() < 10) world.step();
        const auto p = positions(world);
        for (size_t i = 1; i < p.size(); ++i) {
            const double exact = static_cast<double>(p.size() - i) * kParticleMass * 10 / 100;
            EXPECT_NEAR(length(p[i] - p[i - 1]) - 0.02, exact, 0.005 * exact) << static_cast<int>(type) << ' ' << i;
        }
    }
}

/// Springs whose stiffness is not checked.
class UncheckedSprings final : public PointsSolver {
public:
    UncheckedSprings(const SolverSettings& settings, double rate) : PointsSolver(settings, solve_spring), rate_(rate) {}

private:
    void prepare(PointsTask& task, SolveReport&) override { task.spring_rate = rate_; }
    double rate_;
};

/// Largest stretch of a straight chain with springs of this rate over many steps, after its particles were nudged along
/// it.
double stretch_of_nudged_chain(int levels, Ends ends, double damping, double rate)
{
    RopeStyle style;
    style.particles = static_cast<uint32_t>(levels);
    style.length = 0.1f * static_cast<float>(levels - 1);
    style.ends = ends;
    SolverSettings settings;
    settings.type = SolverType::kSpring;
    settings.spring.damping = static_cast<float>(damping);
    StrandBench bench(std::move(*make_groom(*make_ropes(style))), std::make_unique<UncheckedSprings>(settings, rate),
                      0.02, 8, {0, 0, 0});
    bench.tips.set_vector(0, 0, {style.length, 0, 0});
    for (int i = 1; i < levels; ++i) bench.strands.set_drift(0, i, {i % 2 ? 1e-5f : -1e-5f, 0, 0});
    double worst = 0;
    for (int k = 0; k < 500; ++k) {
        bench.step();
        for (int i = 1; i < levels; ++i) {
            const double stretch = length(to_double(bench.strands.edge(0, i))) / 0.1 - 1;
            worst = std::max(worst, std::isfinite(stretch) ? std::abs(stretch) : 1e9);
        }
    }
    return worst;
}

TEST(Spring, LimitIsWhereChainsBecomeUnstable)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const double tau = 0.02 / 8;
    for (const Ends ends : {Ends::kRootHeld, Ends::kBothHeld, Ends::kFree})
        for (const int levels : {2, 3, 4, 12})
            for (const double damping : {0.0, 0.05, 1.0}) {
                if (ends == Ends::kBothHeld && levels == 2) continue;
                const double limit = stiffest_spring(levels, ends, damping, tau);
                const std::string chain = std::to_string(static_cast<int>(ends)) + ' ' + std::to_string(levels) + ' ' +
                                          std::to_string(damping);
                EXPECT_LT(stretch_of_nudged_chain(levels, ends, damping, 0.99 * limit), 0.01) << chain;
                EXPECT_GT(stretch_of_nudged_chain(levels, ends, damping, 1.01 * limit), 0.1) << chain;
            }
    // m / tau^2 is stable for chains of any length.
    EXPECT_NEAR(stiffest_spring(10000, Ends::kRootHeld, 0, tau) * tau * tau, 1, 1e-6);
}

/// The number before "N/m is stable".
double named_limit(const std::string& message)
{
    const size_t from = message.find("at most ");
    EXPECT_NE(from, std::string::npos) << message;
    return from == std::string::npos ? 0 : std::stod(message.substr(from + 8));
}

TEST(Spring, SpringsTooStiffForTheStepAreRefused)
{
    const auto add = [](World& world) {
        return world.add_groom(std::move(*make_groom(*make_ropes(paper_rope()))),
                               {.body = {}, .particle_mass = kParticleMass});
    };
    WorldSettings settings = with_springs(SolverType::kSpring, 1e6f);
    settings.solver.spring.damping = 0;
    World world(settings, make_serial_executor());
    const auto refused = add(world);
    ASSERT_FALSE(refused);
    EXPECT_EQ(world.groom_count(), 0u);
    EXPECT_NE(refused.error().find("solver.spring_stiffness = 1000000 N/m"), std::string::npos) << refused.error();
    const double limit = named_limit(refused.error());
    EXPECT_NEAR(limit, kParticleMass * stiffest_spring(30, Ends::kRootHeld, 0, 0.0005), 1e-3 * limit);
    EXPECT_GT(limit, 40000);  // m / tau^2

    world.settings().solver.spring.stiffness = static_cast<float>(limit);
    ASSERT_TRUE(add(world));
    EXPECT_FALSE(world.check());
    EXPECT_EQ(world.step().softened, 0u);
    world.settings().dt = 0.02;
    ASSERT_TRUE(world.check());
    EXPECT_NEAR(named_limit(world.check()->message), limit / 4, 1e-3 * limit);
    // A step reports it and continues with softer springs.
    for (int i = 0; i < 200; ++i) EXPECT_EQ(world.step().softened, 1u);
    EXPECT_EQ(world.measure().nonfinite, 0u);
    EXPECT_LT(world.measure().stretch_max, 1);
    world.settings().solver.type = SolverType::kImplicitSpring;
    EXPECT_FALSE(world.check());
    EXPECT_EQ(world.step().softened, 0u);
}

// [Mueller12] section 4: 3000 N/m with 20 substeps.
TEST(Spring, DraggedRopeOfThePaperIsStable)
{
    World world = make_world(hanging(30, 0.58f), with_springs(SolverType::kSpring, 3000), shake_head);
    double worst = 0;
    for (int i = 0; i < (kSanitized ? 50 : 1000); ++i) {
        world.step();
        worst = std::max(worst, world.measure().stretch_max);
    }
    EXPECT_LT(worst, 0.6);
    EXPECT_GT(worst, 0.03);  // 29 particles hang on the first segment
}

TEST(ImplicitSpring, AMillionTimesTheLimitIsStableAndHardlyStretches)
{
    const double limit = kParticleMass * stiffest_spring(30, Ends::kRootHeld, 0.05, 0.01);
    World world = make_world(paper_rope(), with_springs(SolverType::kImplicitSpring, static_cast<float>(1e6 * limit)),
                             shake_head);
    double worst = 0;
    for (int i = 0; i < (kSanitized ? 50 : 1000); ++i) {
        world.step();
        const Metrics m = world.measure();
        ASSERT_EQ(m.nonfinite, 0u);
        worst = std::max(worst, m.stretch_max);
    }
    EXPECT_LT(worst, 1e-4);
    EXPECT_LT(world.measure().stretch_mean, 1e-4);
}

// Newton's method converges within the default number of iterations: twenty times as many change nothing, and a stiffer
// spring stretches less.
TEST(ImplicitSpring, FiveIterationsAreEnoughForAnyStiffness)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    double last = 1;
    for (const float stiffness : {1e4f, 1e6f, 1e9f}) {
        WorldSettings settings = with_springs(SolverType::kImplicitSpring, stiffness);
        World few = make_world(paper_rope(), settings, shake_head);
        settings.solver.spring.iterations = 100;
        World many = make_world(paper_rope(), settings, shake_head);
        double worst = 0;
        for (int i = 0; i < 100; ++i) {
            few.step();
            many.step();
            worst = std::max(worst, few.measure().stretch_max);
        }
        EXPECT_LT(deviation(few, many), 1e-3) << stiffness;
        EXPECT_LT(worst, last / 5) << stiffness;
        last = worst;
    }
}

TEST(ImplicitSpring, NeverGainsEnergy)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const float stiffness : {0.5f, 50.0f, 5e3f, 5e6f, 5e12f}) {
        WorldSettings settings = with_springs(SolverType::kImplicitSpring, stiffness);
        settings.solver.spring.damping = 0;
        World world = make_world(paper_rope(), settings);
        const double whole = drop_energy(paper_rope(), kParticleMass, 10), start = world.measure().energy();
        for (int i = 0; i < 400; ++i) {
            world.step();
            const Metrics m = world.measure();
            ASSERT_EQ(m.nonfinite, 0u) << stiffness << ' ' << i;
            // Heights are those at the end of the step, velocities those at its middle.
            EXPECT_LT(m.energy(), start + 0.02 * whole) << stiffness << ' ' << i;
        }
    }
}

TEST(Spring, FreeRopeKeepsItsMomentum)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const SolverType type : {SolverType::kSpring, SolverType::kImplicitSpring}) {
        SolverSettings settings;
        settings.type = type;
        RopeStyle style = paper_rope();
        style.ends = Ends::kFree;
        const double h = 0.001;
        settings.spring.stiffness = static_cast<float>(0.5 * stiffest_spring(30, Ends::kFree, 0.05, h));
        StrandBench bench(std::move(*make_groom(*make_ropes(style))), make_solver(settings), 10 * h, 10, {0, 0, 0});
        for (int i = 0; i < 30; ++i) {
            const double s = i / 29.0;
            bench.strands.set_drift(0, i, to_float(Vec3d{1, 2 + 6 * (s - 0.5), 0.5 * std::sin(7 * s)} * h));
        }
        const auto momentum = [&] {
            Vec3d sum{0, 0, 0};
            for (int i = 0; i < 30; ++i) sum += to_double(bench.strands.drift(0, i));
            return sum;
        };
        const Vec3d before = momentum();
        for (int i = 0; i < 200; ++i) bench.step();
        EXPECT_LT(length(momentum() - before), 1e-4 * length(before)) << static_cast<int>(type);
    }
}

// Held at both ends, with the default stiffness or like steel, it settles into the catenary, mirror-symmetric.
TEST(ImplicitSpring, HeldAtBothEndsItSettlesInTheCatenary)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const RopeStyle style = hanging_rope(41, 0.8f);
    for (const float stiffness : {0.0f, 1e9f}) {
        WorldSettings settings = with_springs(SolverType::kImplicitSpring, stiffness);
        settings.air = {2, 1};
        World world = make_world(style, settings);
        while (world.time() < 10) world.step();
        double sag = 0;
        const auto p = positions(world);
        for (size_t i = 0; i < p.size(); ++i) {
            sag = std::max(sag, -p[i].y);
            EXPECT_NEAR(p[i].y, p[p.size() - 1 - i].y, 1e-3) << stiffness;
        }
        EXPECT_NEAR(sag, 0.265438, 0.01 * 0.265438) << stiffness;
    }
}

// The shape turns segments to their rest pose: the tip of a horizontal strand sags by gravity over its stiffness.
TEST(Spring, ShapeHoldsALevelStrand)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const SolverType type : {SolverType::kSpring, SolverType::kImplicitSpring}) {
        WorldSettings settings = with_springs(type, 0);
        settings.shape.local = 1000;
        RopeStyle style = paper_rope();
        style.length = 0.3f;
        World world = make_world(style, settings);
        while (world.time() < 6) world.step();
        EXPECT_NEAR(-positions(world).back().y, 0.01, 0.003) << static_cast<int>(type);
        EXPECT_LT(world.measure().fastest, 1e-3) << static_cast<int>(type);
    }
}

}  // namespace
}  // namespace tendril::test
