/// What strings cost by stage, beside Table 1 of [Rungjiratananon11], and a crowd of them.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tendril::bench {

struct StringFigures {
    /// Of one string, for a step of 0.01 s on one thread [ms].
    struct Size {
        int segments = 0;
        double published = 0;  ///< the paper's total
        Samples integration, shape, twist, tension, contacts, total;
    };
    std::vector<Size> sizes;
    Samples crowd;              ///< 1,000 strings of 100 segments that touch, a step of 0.01 s on all threads [ms]
    size_t crowd_contacts = 0;  ///< in a substep of it, in the mean
    size_t crowd_pairs = 0;     ///< of segments that were near enough to be looked at
    int substeps = 0, iterations = 0;  ///< of all of these
};

StringFigures measure_strings(const std::shared_ptr<Executor>& executor, int rounds,
                              const std::function<void(int)>& progress);

/// How strong a world with this seed draws the segments of its strings, by number of the groom and of the segment, over
/// what their material says. All grooms have one string of so many particles.
std::vector<std::vector<double>> drawn_strengths(size_t grooms, size_t particles, double variation, uint64_t seed);

}  // namespace tendril::bench
