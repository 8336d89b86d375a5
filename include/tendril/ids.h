/// Names of the things in a world. An id is valid until the thing is removed, and never names another one afterwards: a
/// world that has reused its index gives the newcomer another generation. A default id names the first thing of its
/// kind that was added.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tendril {

struct BodyId {
    uint32_t index = 0, generation = 0;
    bool operator==(const BodyId&) const = default;
};

struct ColliderId {
    uint32_t index = 0, generation = 0;
    bool operator==(const ColliderId&) const = default;
};

struct GroomId {
    uint32_t index = 0, generation = 0;
    bool operator==(const GroomId&) const = default;
};

struct ChildrenId {
    uint32_t index = 0, generation = 0;
    bool operator==(const ChildrenId&) const = default;
};

struct HoldId {
    uint32_t index = 0, generation = 0;
    bool operator==(const HoldId&) const = default;
};

/// One particle of a groom; also the segment that begins there.
struct ParticleId {
    ParticleId() = default;
    ParticleId(GroomId g, size_t s, size_t p)
        : groom(g), strand(static_cast<uint32_t>(s)), particle(static_cast<uint32_t>(p))
    {
    }

    GroomId groom;
    uint32_t strand = 0;
    uint32_t particle = 0;  ///< counted from the root, which is 0
    bool operator==(const ParticleId&) const = default;
};

}  // namespace tendril
