/// Holds: particles that bodies hold, in addition to the ends of strands.
#pragma once

#include "tendril/vec3.h"
#include "tendril/world.h"
#include "world/bodies.h"
#include "world/slots.h"

#include <cstddef>
#include <limits>

namespace tendril {

struct GroomInstance;

/// A particle held at a point of a bone.
struct HoldState {
    HoldId id;
    GroomInstance* groom = nullptr;
    size_t strand = 0, particle = 0;
    WorldBody* body = nullptr;
    size_t bone = 0;
    Vec3d offset{0, 0, 0};  ///< in the frame of the bone [m]
    Vec3d slide{0, 0, 0};   ///< unit vector in the frame of the bone along which the particle may slide, or zero
    bool clamped = false;
    double until = std::numeric_limits<double>::infinity();  ///< time of release [s]
    /// If clamped, in the frame of the bone: the vector to the other particle of the segment, and the direction of the
    /// segment's material frame. Zero until the first step.
    Vec3d along{0, 0, 0}, across{0, 0, 0};
};

using Holds = SlotList<HoldState, HoldId>;

}  // namespace tendril
