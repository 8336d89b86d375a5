/// The bodies of a world and their poses over a step. Bodies are sampled here and nowhere else: roots, holds,
/// colliders, skins and rigid bodies all read the same samples.
#pragma once

#include "body/body.h"
#include "world/slots.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace tendril {

struct WorldBody {
    explicit WorldBody(BodyDescription description) : body(std::move(description)) {}

    BodyId id;
    Body body;
    bool enabled = true;          ///< if false, its colliders have no effect and a rigid body does not move
    std::optional<size_t> rigid;  ///< index in the rigid scene, if this is a rigid body
    /// Its motion before this time has not moved its strands: it was teleported, or they were reset or settled [s].
    double stood_until = -std::numeric_limits<double>::infinity();
    std::vector<BodySample> samples;  ///< at the start of the step and at the end of every substep

    /// The pose of a bone at the start of a substep, which is the end of the one before.
    const Pose& bone(int substep, size_t number) const { return samples[static_cast<size_t>(substep)].bones[number]; }
};

/// A span of time that is divided into equal substeps.
struct TimeSpan {
    double time, dt;  ///< start and length [s]
    int substeps;
    /// The time at which a substep begins and the one before ends [s].
    double at(int substep) const { return time + dt * substep / substeps; }
};

class Bodies : public SlotList<WorldBody, BodyId> {
public:
    /// Samples all bodies over a step. Returns the number of poses that were not finite; the last valid pose replaces
    /// each of them.
    size_t sample(const TimeSpan& span);
    static size_t sample(WorldBody& body, const TimeSpan& span);
};

}  // namespace tendril
