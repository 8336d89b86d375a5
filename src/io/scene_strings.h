/// What a scene of strings has besides grooms and bodies: materials, bodies that move by themselves, ties.
#pragma once

#include "tendril/scene.h"

#include <optional>

namespace tendril {

/// The material of a groom, with what of it is otherwise.
Result<StringMaterial> material_of(const SceneGroom& groom);

/// Where a rigid body begins.
Pose start_of(const SceneBody& body);
RigidBody rigid_of(const SceneBody& body);

/// Ties the strings of all grooms to rigid bodies, and their ends to strings of grooms before, as `groom.tie` says.
std::optional<Error> tie_strings(World& world, const Scene& scene);

}  // namespace tendril
