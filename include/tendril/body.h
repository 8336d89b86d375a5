/// Bodies, which strands grow on or are held by: bones, the vertices of a mesh, or a character. A body is moved by a
/// function of time, by a clip, or by the host, which pushes a pose every frame.
#pragma once

#include "tendril/ids.h"
#include "tendril/mesh.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tendril {

/// Poses of all bones at given times, interpolated smoothly.
struct Clip {
    std::vector<double> times;  ///< [s], ascending
    std::vector<Pose> poses;    ///< [time][bone]
    bool loop = true;           ///< whether to restart after the last time; otherwise the last pose stays
    double speed = 1.0;         ///< playback speed; 2 is twice as fast
};

/// Sets the pose of every bone at a time [s].
using PoseFunction = std::function<void(double time, std::span<Pose> bones)>;

/// Has a function or a clip, or neither if the host pushes poses.
struct BodyDescription {
    std::string name;
    size_t bones = 1;     ///< number of bones
    size_t vertices = 0;  ///< number of mesh vertices that the host pushes
    PoseFunction function = {};
    Clip clip = {};
    /// A character, which plays a clip of its own and is carried by bone 0. The body takes over its vertices and bones:
    /// bone k of the character becomes bone `bones` + k of the body. The pose of that bone is the rigid part of the
    /// transform that it applies to the stored mesh.
    std::shared_ptr<const Character> character = {};
    ClipPlay play = {};
};

}  // namespace tendril
