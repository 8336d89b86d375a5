/// The motions that a body of a scene knows by itself.
#pragma once

#include "tendril/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace tendril {

/// How a body of a scene moves by itself.
enum class MotionType : uint8_t {
    kStill,   ///< stays where it is
    kSway,    ///< to and fro along `motion_axis`
    kTurn,    ///< to and fro about `motion_axis`
    kSpin,    ///< round and round about `motion_axis`
    kCircle,  ///< on a circle across `motion_axis`, without turning
    kNod,     ///< turns about y and nods about x, with different periods: the motion of a head
    kPull,    ///< once along `motion_axis`, where it stays
    kTwist,   ///< once about it, where it stays
};

/// In the order of MotionType.
const std::vector<std::string>& motion_names();
/// Nothing where the name is that of a clip of the mesh.
std::optional<MotionType> motion_type(const std::string& name);

}  // namespace tendril
