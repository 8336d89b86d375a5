/// The bodies of a world, and where they are over a step. Bodies are sampled here and nowhere else: roots, holds,
/// colliders, skins and rigid bodies all read the same samples.
#pragma once

#include "body/body.h"
#include "world/slots.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tendril {

struct WorldBody {
    explicit WorldBody(BodyDescription description) : body(std::move(description)) {}

    BodyId id;
    Body body;
    bool enabled = true;              ///< else its colliders do nothing, and a rigid body stays where it is
    std::optional<size_t> rigid;      ///< which rigid body it is, if it moves by itself
    std::vector<BodySample> samples;  ///< at the start of the step and at the end of every substep

    /// Where a bone is at the start of a substep, or at the end of the one before.
    const Pose& bone(int substep, size_t number) const { return samples[static_cast<size_t>(substep)].bones[number]; }
};

/// A stretch of time in equal parts.
struct TimeSpan {
    double time, dt;  ///< its start and its length [s]
    int substeps;
    /// When a substep begins, or the one before ends.
    double at(int substep) const { return time + dt * substep / substeps; }
};

class Bodies : public SlotList<WorldBody, BodyId> {
public:
    /// Where all bodies are over a step. Returns how many poses were not finite; the last sound ones stand for them.
    size_t sample(const TimeSpan& span);
    /// The same for one body.
    static size_t sample(WorldBody& body, const TimeSpan& span);
};

}  // namespace tendril
