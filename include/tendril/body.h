/// What strands grow on or are held by: bones (rigid frames), the vertices of a mesh, or a whole character; moved by a
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
    std::vector<double> times;  ///< [s], rising
    std::vector<Pose> poses;    ///< [time][bone]
    bool loop = true;           ///< start again after the last time, else stay there
    double speed = 1.0;         ///< 2 plays twice as fast
};

/// Fills in the pose of every bone at a time [s].
using PoseFunction = std::function<void(double time, std::span<Pose> bones)>;

/// With a function, or with a clip, or with neither: then the host pushes poses.
struct BodyDescription {
    std::string name;
    size_t bones = 1;     ///< rigid frames
    size_t vertices = 0;  ///< of a mesh whose vertices the host pushes
    PoseFunction function = {};
    Clip clip = {};
    /// A mesh that plays a clip of its own, carried by bone 0. Its vertices and bones become the body's: bone k of the
    /// character is bone `bones` + k of the body, and where it takes the mesh as it is stored is its pose.
    std::shared_ptr<const Character> character = {};
    ClipPlay play = {};
};

}  // namespace tendril
