/// What comes out of a world whose strands are strings (SolverType::kChainShape), besides their points.
#pragma once

#include "tendril/ids.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <span>

namespace tendril {

/// Segments of all strings of a groom, each at the index of the point that it begins at, in the order of
/// World::curves. The memory is the world's; it is valid until the next call that changes the world.
struct SegmentsView {
    /// Diameter as it is now, stretched strings are thinner [m]; 0 where there is no segment: at the last point of a
    /// string, and where it is torn.
    std::span<const float> widths;
    std::span<const Vec3f> across;    ///< where the material points, a unit vector across the segment: shows twist
    std::span<const float> angles;    ///< by which it is twisted against the first segment of its piece [rad]
    std::span<const float> tensions;  ///< over the last substep, below 0 where it is pressed [N]
};

/// Something that happened to a string.
enum class StringEventKind : uint8_t {
    kTorn,     ///< by its tension
    kCut,      ///< by World::cut
    kTouched,  ///< two segments that did not touch in the step before
};
struct StringEvent {
    StringEventKind kind = StringEventKind::kTorn;
    double time = 0;          ///< at the end of the substep [s]
    ParticleId segment;       ///< the one that begins there
    ParticleId other;         ///< kTouched: the segment that it touches
    Vec3d position{0, 0, 0};  ///< of the middle of the segment
    double tension = 0;       ///< kTorn: that it had [N]
};

}  // namespace tendril
