/// Particles that bodies hold besides the ends of strands.
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
    Vec3d slide{0, 0, 0};   ///< unit vector in that frame along which it may move; zero: not at all
    bool clamped = false;
    double until = std::numeric_limits<double>::infinity();
    /// Of a clamp, in the frame of the bone: where the segment's other particle is seen from this one, and where its
    /// material points; zero until the first step.
    Vec3d along{0, 0, 0}, across{0, 0, 0};
};

using Holds = SlotList<HoldState, HoldId>;

}  // namespace tendril
