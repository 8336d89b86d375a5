// Shape constraints in the manner of TressFX. [Zappe20] Algorithm 1
#include "support/head.h"
#include "support/ropes.h"
#include "support/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tendril::test {
namespace {

WorldSettings styled(float global, float local)
{
    WorldSettings settings = paper_settings();
    settings.solver.type = SolverType::kTressfx;
    settings.solver.tressfx.global_stiffness = global;
    settings.solver.tressfx.local_stiffness = local;
    settings.solver.pbd.damping = 2;
    return settings;
}

/// A horizontal curl of three turns.
World make_curl(const WorldSettings& settings, PoseFunction motion = {})
{
    constexpr int kParticles = 32;
    GroomData data;
    data.first_point = {0, kParticles};
    for (int i = 0; i < kParticles; ++i) {
        const float s = static_cast<float>(i) / (kParticles - 1), turn = 18.85f * s;
        data.points.push_back({0.15f * s, 0.015f * std::sin(turn), 0.015f * (1 - std::cos(turn))});
    }
    World world(settings, make_serial_executor());
    const BodyId body = world.add_body({.name = "head", .function = std::move(motion)});
    EXPECT_TRUE(world.add_groom(std::move(*make_groom(std::move(data))), {.body = body}));
    return world;
}

/// Largest distance of the curl from its rest pose, over its length along the axis.
double off_style(const World& world)
{
    double worst = 0;
    const auto rest = world.groom(kRope).points(0);
    for (size_t i = 0; i < rest.size(); ++i)
        worst = std::max(worst, length(world.position({kRope, 0, i}) - to_double(rest[i])));
    return worst / 0.15;
}

TEST(Tressfx, StyledStrandStaysNearItsStyle)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const auto settled = [](float global, float local) {
        World world = make_curl(styled(global, local));
        while (world.time() < 6) world.step();
        EXPECT_LT(world.measure().fastest, 0.01) << global << ' ' << local;
        return off_style(world);
    };
    const double without = settled(0, 0), by_bends = settled(0, 0.8f), by_both = settled(0.3f, 0.8f);
    EXPECT_GT(without, 0.5);
    EXPECT_LT(by_bends, 0.1);
    EXPECT_LT(by_both, by_bends);
}

TEST(Tressfx, WeakCurlsDoNotFlutter)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    for (const float local : {0.1f, 0.3f, 0.5f})
        for (const double dt : {1.0 / 60, 0.01, 0.002}) {
            WorldSettings settings = styled(0.1f, local);
            settings.dt = dt;
            World world = make_curl(settings);
            while (world.time() < 8) world.step();
            EXPECT_LT(world.measure().fastest, 0.01) << local << ' ' << dt;
        }
}

TEST(Tressfx, StiffnessHoldsOverItsRangeOnly)
{
    TENDRIL_SKIP_WHERE_SANITIZED();
    const auto middle = [](float range) {
        WorldSettings settings = styled(0.5f, 0);
        settings.solver.tressfx.global_range = range;
        World world = make_world(paper_rope(), settings);
        while (world.time() < 6) world.step();
        return -world.position({kRope, 0, 10}).y;
    };
    EXPECT_LT(middle(1), 0.01);  // of 0.2 m
    EXPECT_GT(middle(0.1f), 0.1);
}

TEST(Tressfx, WithoutStyleItIsPositionBasedDynamics)
{
    WorldSettings settings = styled(0, 0);
    World styled = make_world(paper_rope(), settings, shake_head);
    settings.solver.type = SolverType::kPbd;
    World plain = make_world(paper_rope(), settings, shake_head);
    double worst = 0;
    for (int i = 0; i < 100; ++i) {
        styled.step(), plain.step();
        worst = std::max(worst, deviation(styled, plain));
    }
    EXPECT_LT(worst, 1e-3);
}

// A root jumps in one step. With iterations alone, the strand stretches and then flies after it.
TEST(Tressfx, JerkedRootTakesItsStrandAlong)
{
    const auto jump = [](double t, std::span<Pose> bones) { bones[0].position = {t > 0.1 ? 1.0 : 0, 0, 0}; };
    struct Seen {
        double stretch = 0, speed = 0;
    };
    const auto jerked = [&](float acceleration) {
        WorldSettings settings = styled(0.1f, 0.5f);
        settings.gravity = {0, 0, 0};
        settings.solver.tressfx.shock_acceleration = acceleration;
        World world = make_curl(settings, jump);
        Seen seen;
        for (int i = 0; i < 40; ++i) {
            world.step();
            seen.stretch = std::max(seen.stretch, world.measure().stretch_max);
            if (world.time() > 0.14) seen.speed = std::max(seen.speed, world.measure().fastest);
        }
        return seen;
    };
    const Seen with = jerked(300), without = jerked(1e9f);
    EXPECT_LT(with.stretch, 0.1 * without.stretch);
    EXPECT_LT(with.speed, 0.2 * without.speed);
}

}  // namespace
}  // namespace tendril::test
