/// The cost of hair by the tractrix against the number of particles per strand.
#pragma once

#include "rounds.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace tendril::bench {

/// For the number of strands of the mohawk in [Zappe20].
struct TractrixFigures {
    struct Size {
        uint32_t particles = 0;               ///< per strand
        Samples emulation, split, ftl, dftl;  ///< a step on one thread [ms]
    };
    std::vector<Size> sizes;

    /// The size of the thesis: 32 particles.
    const Size& mohawk() const;
    /// The exponent of a time that grows with a power of the particles, over all sizes.
    double exponent(Samples Size::*times) const;
};
inline constexpr uint32_t kMohawkStrands = 2228;

TractrixFigures measure_tractrix(int rounds, const std::function<void(int)>& progress);

}  // namespace tendril::bench
