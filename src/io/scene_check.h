/// Checks a scene as a whole, beyond its single keys: whether its parts fit each other, and whether it fits into the
/// memory of this machine.
#pragma once

#include "tendril/scene.h"

#include <functional>
#include <optional>
#include <string>

namespace tendril {

/// Returns the location of a key, such as "scenes/hello.toml:12" for "groom.0.strands".
using KeyLocation = std::function<std::string(const std::string& path)>;

/// Returns the first error, or nothing if the scene is valid.
std::optional<Error> check_scene(const Scene& scene, const KeyLocation& location);

/// Finds a body by its name; an empty name stands for the first. Returns the number of bodies if there is none.
size_t body_index(const Scene& scene, const std::string& name);

}  // namespace tendril
