/// The motions that a body of a scene knows by itself.
#pragma once

#include "tendril/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace tendril {

/// In the order of MotionType.
const std::vector<std::string>& motion_names();
/// Nothing where the name is that of a clip of the mesh.
std::optional<MotionType> motion_type(const std::string& name);

}  // namespace tendril
