/// What no single key can tell: whether the parts of a scene fit each other, and the whole fits into this machine.
#pragma once

#include "tendril/scene.h"

#include <functional>
#include <optional>
#include <string>

namespace tendril {

/// Where something was said, such as "scenes/hello.toml:12" for "groom.0.strands".
using PlaceOf = std::function<std::string(const std::string& path)>;

/// Nothing where all is well.
std::optional<Error> check_scene(const Scene& scene, const PlaceOf& place_of);

/// The body of that name, or the first where the name is empty; the number of bodies where there is none.
size_t body_index(const Scene& scene, const std::string& name);

}  // namespace tendril
