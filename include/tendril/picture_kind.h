/// Enumerations for the kinds of pictures. Scenes use them without depending on the renderer.
#pragma once

#include <cstdint>

namespace tendril {

enum class Quality : uint8_t {
    kDraft,  ///< rasterized: strands are lines at least a pixel wide, and thinner ones are transparent; no noise
    kGood,   ///< path traced, with fewer samples and bounces than kFinal
    kFinal,  ///< path traced, with many samples and bounces
};

/// The quantity that colours strands instead of their look.
enum class Overlay : uint8_t {
    kNone,
    kId,       ///< one colour per strand
    kSpeed,    ///< blue at rest, red at 3 m/s or more
    kStretch,  ///< of the segment that ends at the point: blue for 0, red for 1e-4 (the solvers' bound) or more
    kTension,  ///< blue for 0, red for twice the weight of the strand or more
    kContact,  ///< red where a point touches a collider, grey elsewhere
};

}  // namespace tendril
