/// The cost of pictures.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <functional>

namespace tendril::bench {

/// Pictures of 960 x 540 pixels of hair on the built-in head [s].
struct PictureFigures {
    Samples draft;        ///< 10,000 strands of 30 points
    Samples draft_large;  ///< 100,000 strands of 32 points
    Samples curves;       ///< building the ray tracing scene of 100,000 strands of 32 points
};

PictureFigures measure_pictures(int rounds, Executor& executor, const std::function<void(int)>& progress);

}  // namespace tendril::bench
