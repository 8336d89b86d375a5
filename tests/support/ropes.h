/// Small worlds with ropes, for tests of solvers and of the world.
#pragma once

#include "tendril/world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

namespace tendril::test {

inline constexpr GroomId kRope{0};

/// The rope of [Mueller12] section 4: 30 particles of 0.01 kg, 0.02 m apart, steps of 0.01 s, 10 m/s^2.
inline WorldSettings paper_settings()
{
    WorldSettings settings;
    settings.dt = 0.01;
    settings.gravity = {0, -10, 0};
    return settings;
}

inline RopeStyle paper_rope()
{
    RopeStyle style;
    style.particles = 30;
    style.length = 0.58f;
    return style;
}

/// A rope of 1 m, held at both ends.
inline RopeStyle hanging_rope(uint32_t particles, float span)
{
    RopeStyle style;
    style.particles = particles;
    style.length = 1;
    style.span = span;
    style.ends = Ends::kBothHeld;
    return style;
}

inline World make_world(const RopeStyle& style, const WorldSettings& settings, PoseFunction motion = {},
                        std::shared_ptr<Executor> executor = make_serial_executor())
{
    World world(settings, std::move(executor));
    const BodyId body = world.add_body({.name = "hand", .function = std::move(motion)});
    auto data = make_ropes(style);
    EXPECT_TRUE(data) << data.error();
    auto groom = make_groom(std::move(*data));
    EXPECT_TRUE(groom) << groom.error();
    auto id = world.add_groom(std::move(*groom), {.body = body, .particle_mass = 0.01});
    EXPECT_TRUE(id) << id.error();
    return world;
}

/// The potential energy that a rope converts when it falls from the height of its root until it hangs [J].
inline double drop_energy(const RopeStyle& style, double mass, double g)
{
    return mass * g * style.length * style.particles / 2;
}

inline std::vector<Vec3d> positions(const World& world, size_t strand = 0)
{
    std::vector<Vec3d> p;
    const size_t n = world.groom(kRope).points(strand).size();
    for (size_t i = 0; i < n; ++i) p.push_back(world.position({kRope, strand, i}));
    return p;
}

/// The largest distance between corresponding particles of two worlds [m].
inline double deviation(const World& a, const World& b)
{
    double worst = 0;
    for (size_t s = 0; s < a.groom(kRope).strand_count(); ++s) {
        const auto pa = positions(a, s), pb = positions(b, s);
        for (size_t i = 0; i < pa.size(); ++i) worst = std::max(worst, length(pa[i] - pb[i]));
    }
    return worst;
}

}  // namespace tendril::test
