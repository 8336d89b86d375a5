/// A small head of hair with interaction, through a grid or as a fluid.
#pragma once

#include "support/head.h"
#include "support/sanitized.h"

namespace tendril::test {

inline WorldSettings with_interaction(InteractionMethod method)
{
    WorldSettings settings;
    settings.substeps = 2;
    settings.air = {1, 0.5f};
    settings.interaction.method = method;
    return settings;
}

inline WorldSettings with_grid(float friction = 5, float repulsion = 10)
{
    WorldSettings settings = with_interaction(InteractionMethod::kGrid);
    settings.interaction.grid.friction = friction;
    settings.interaction.grid.repulsion = repulsion;
    return settings;
}

/// [Mueller12] Eq. 13 and 14 as printed.
inline WorldSettings with_printed_grid(float s_friction, float s_repulsion)
{
    WorldSettings settings = with_interaction(InteractionMethod::kGrid);
    settings.interaction.form = Form::kPaper;
    settings.interaction.grid.s_friction = s_friction;
    settings.interaction.grid.s_repulsion = s_repulsion;
    return settings;
}

inline WorldSettings with_fluid(float stiffness = 1, float viscosity = 1e-3f)
{
    WorldSettings settings = with_interaction(InteractionMethod::kSph);
    settings.interaction.sph.stiffness = stiffness;
    settings.interaction.sph.viscosity = viscosity;
    return settings;
}

/// Particles per strand of the small head.
inline constexpr uint32_t kInteractingParticles = 12;
/// Number of steps after which the hair has moved a lot.
inline constexpr int kInteractingSteps = kSanitized ? 5 : 25;

inline World small_head(const WorldSettings& settings, std::shared_ptr<Executor> executor = make_serial_executor(),
                        PoseFunction motion = shake_head)
{
    return make_head(settings, kSanitized ? 33 : 250, std::move(executor), std::move(motion), kInteractingParticles);
}

inline void stand_still(double, std::span<Pose>) {}

inline uint64_t hash_after(int steps, const WorldSettings& settings,
                           std::shared_ptr<Executor> executor = make_serial_executor())
{
    World world = small_head(settings, std::move(executor));
    for (int i = 0; i < steps; ++i) world.step();
    return world.state_hash();
}

}  // namespace tendril::test
