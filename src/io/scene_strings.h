/// The parts of a scene that only strings need: materials, rigid bodies and ties.
#pragma once

#include "tendril/scene.h"

#include <optional>

namespace tendril {

/// The material of a groom, with the properties that the scene replaces.
Result<StringMaterial> material_of(const SceneGroom& groom);

/// The initial pose of a rigid body.
Pose start_of(const SceneBody& body);
/// The rigid body that a scene describes.
RigidBody rigid_of(const SceneBody& body);

/// Ties the strings of all grooms to rigid bodies, and their ends to strings of earlier grooms, as far as `groom.tie`
/// reaches.
std::optional<Error> tie_strings(World& world, const Scene& scene);

}  // namespace tendril
