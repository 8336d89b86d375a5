/// The built-in motions of the bodies in a scene.
#pragma once

#include "tendril/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace tendril {

/// How a body moves when `body.clip` names a built-in motion.
enum class MotionType : uint8_t {
    kStill,   ///< does not move
    kSway,    ///< oscillates along `motion_axis`
    kTurn,    ///< oscillates about `motion_axis`
    kSpin,    ///< rotates about `motion_axis` without end
    kCircle,  ///< moves on a circle perpendicular to `motion_axis` without rotating
    kNod,     ///< oscillates about y and, with another period, about x, like a head
    kPull,    ///< moves along `motion_axis` once and stays there
    kTwist,   ///< rotates about `motion_axis` once and stays there
};

/// The names of the motions, in the order of MotionType.
const std::vector<std::string>& motion_names();
/// The motion of that name, or nothing if there is none; the name may then be a clip of the mesh.
std::optional<MotionType> motion_type(const std::string& name);

}  // namespace tendril
