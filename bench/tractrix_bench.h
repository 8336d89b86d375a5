/// What hair by the tractrix costs, by the number of particles of a strand.
#pragma once

#include "rounds.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace tendril::bench {

/// Of as many strands as the mohawk of [Zappe20] has.
struct TractrixFigures {
    struct Size {
        uint32_t particles = 0;               ///< per strand
        Samples emulation, split, ftl, dftl;  ///< a step on one thread [ms]
    };
    std::vector<Size> sizes;

    /// Those of the thesis: 32 particles.
    const Size& mohawk() const;
    /// x of a time that goes with particles to the power of x, over all sizes.
    double exponent(Samples Size::*times) const;
};
inline constexpr uint32_t kMohawkStrands = 2228;

TractrixFigures measure_tractrix(int rounds, const std::function<void(int)>& progress);

}  // namespace tendril::bench
