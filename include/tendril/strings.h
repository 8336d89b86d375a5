/// Output that a world provides for strings (SolverType::kChainShape) in addition to their points.
#pragma once

#include "tendril/ids.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <span>

namespace tendril {

/// Segments of all strings of a groom, each at the index of the point where it begins, in the order of World::curves.
/// The world owns the memory, which stays valid until the next call that changes the world.
struct SegmentsView {
    /// Current diameter [m]; stretched strings are thinner. 0 where there is no segment: at the last point of a string
    /// and where it is torn.
    std::span<const float> widths;
    std::span<const Vec3f> across;  ///< material direction: a unit vector across the segment that turns with the twist
    std::span<const float> angles;  ///< twist relative to the first segment of its piece [rad]
    std::span<const float> tensions;  ///< tension over the last substep [N]; negative under compression
};

/// Something that happened to a string.
enum class StringEventKind : uint8_t {
    kTorn,     ///< a segment tore under tension
    kCut,      ///< World::cut cut a segment
    kTouched,  ///< two segments touch that did not touch before
};
struct StringEvent {
    StringEventKind kind = StringEventKind::kTorn;
    double time = 0;          ///< at the end of the substep [s]
    ParticleId segment;       ///< the segment that begins at this particle
    ParticleId other;         ///< kTouched: the segment that it touches
    Vec3d position{0, 0, 0};  ///< middle of the segment [m]
    double tension = 0;       ///< kTorn: tension when it tore [N]
};

}  // namespace tendril
