/// Words for kinds of pictures, which scenes use without knowing the renderer.
#pragma once

#include <cstdint>

namespace tendril {

enum class Quality : uint8_t {
    kDraft,  ///< drawn: strands as lines of at least a pixel, as transparent as they are thin; no noise
    kGood,   ///< light followed over a few bounces
    kFinal,  ///< over many, with many more paths
};

/// What strands are coloured by instead of their look.
enum class Overlay : uint8_t {
    kNone,
    kId,       ///< a colour for every strand
    kSpeed,    ///< blue at rest, red at 3 m/s and above
    kStretch,  ///< of the segment that ends at a point: blue for none, red for 1e-4, the promise, and above
    kTension,  ///< blue for none, red for twice the weight of the strand and above
    kContact,  ///< grey, and red where a point touches a collider
};

}  // namespace tendril
