/// The cost of strings by stage, compared with Table 1 of [Rungjiratananon11], and of a crowd of strings.
#pragma once

#include "rounds.h"
#include "tendril/parallel.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tendril::bench {

struct StringFigures {
    /// One string: a step of 0.01 s on one thread [ms].
    struct Size {
        int segments = 0;
        double published = 0;  ///< the paper's total
        Samples integration, shape, twist, tension, contacts, total;
        Samples printed;  ///< the same by the equations as printed, in one substep
    };
    std::vector<Size> sizes;
    Samples crowd;                     ///< 1,000 touching strings of 100 segments, a step of 0.01 s on all threads [ms]
    size_t crowd_contacts = 0;         ///< mean number in a substep
    size_t crowd_pairs = 0;            ///< mean number of segment pairs that were near enough to be tested
    int substeps = 0, iterations = 0;  ///< of all measurements
};

StringFigures measure_strings(const std::shared_ptr<Executor>& executor, int rounds,
                              const std::function<void(int)>& progress);

/// The random strengths of segments in a world with this seed, by index of the groom and of the segment, relative to
/// the material. All grooms have one string of `particles` particles.
std::vector<std::vector<double>> drawn_strengths(size_t grooms, size_t particles, double variation, uint64_t seed);

}  // namespace tendril::bench
