/// Ids of the objects in a world. An id is valid until its object is removed and never refers to another object: one
/// that reuses the index gets a new generation. A default id refers to the first object of its kind that was added.
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

/// A particle of a groom, or the segment that begins there.
struct ParticleId {
    ParticleId() = default;
    /// Indices that do not fit become the largest index, which no particle has.
    ParticleId(GroomId g, size_t s, size_t p) : groom(g), strand(index_of(s)), particle(index_of(p)) {}

    GroomId groom;
    uint32_t strand = 0;
    uint32_t particle = 0;  ///< counted from the root, which is 0
    bool operator==(const ParticleId&) const = default;

private:
    static constexpr uint32_t index_of(size_t i) { return i < UINT32_MAX ? static_cast<uint32_t>(i) : UINT32_MAX; }
};

}  // namespace tendril
