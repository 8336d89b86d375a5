/// One step of follow-the-leader with two memory layouts of the same strands, at the sizes of [Sanchez15] Table 2:
/// strand by strand, with the particles of a strand side by side; and level by level, as the engine stores them.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tendril::bench {

struct LayoutFigures {
    uint32_t strands = 0, particles = 0;  ///< particles per strand
    Samples one, sixteen;                 ///< strand by strand: one at a time, and sixteen at once [ns]
    Samples levels;                       ///< level by level [ns]
    double difference = 0;                ///< between tips after some steps [m]
};

std::vector<LayoutFigures> measure_layouts(std::shared_ptr<Executor> executor, int rounds,
                                           const std::function<void(int)>& progress);

}  // namespace tendril::bench
