/// Worlds with hair on a shaking head, on any number of threads.
#pragma once

#include "support/thread_executor.h"
#include "tendril/world.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tendril::test {

#if defined(__SANITIZE_THREAD__)
inline std::shared_ptr<Executor> threads(int n)
{
    return std::make_shared<HostExecutor>(static_cast<unsigned>(n));
}
#else
inline std::shared_ptr<Executor> threads(int n)
{
    return make_thread_executor(n);
}
#endif

inline void shake_head(double t, std::span<Pose> bones)
{
    bones[0].position = {0.1 * std::sin(5 * t), 0.05 * std::sin(7 * t), 0};
    bones[0].rotation = rotation_about({0, 1, 0}, 0.8 * std::sin(4 * t));
}

/// Length of the hair on the head [m].
inline constexpr double kStrandLength = 0.3;

inline World make_head(const WorldSettings& settings, uint32_t strands, std::shared_ptr<Executor> executor,
                       PoseFunction motion = shake_head, uint32_t particles = 16)
{
    World world(settings, std::move(executor));
    const BodyId body = world.add_body({.name = "head", .function = std::move(motion)});
    SphereStyle style;
    style.strands = strands;
    style.particles = particles;
    style.length_spread = 0.2f;
    auto id = world.add_groom(std::move(*make_groom(*make_sphere_hair(style))), {.body = body});
    EXPECT_TRUE(id);
    return world;
}

inline WorldSettings windy()
{
    WorldSettings settings;
    settings.substeps = 2;
    settings.air = {3, 1};
    settings.wind.velocity = {2, 0, 0};
    settings.wind.gust = 0.5f;
    settings.wind.turbulence = 1;
    return settings;
}

}  // namespace tendril::test
