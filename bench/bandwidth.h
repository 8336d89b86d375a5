/// How fast this machine can read numbers and write them back in place: the limit of everything that must touch the
/// whole state of the strands once.
#pragma once

#include "strands/strands.h"
#include "tendril/parallel.h"

#include <cstddef>

namespace tendril::bench {

class Bandwidth {
public:
    /// A buffer of at least this size, allocated the way the strands' state is.
    explicit Bandwidth(size_t bytes);

    /// Multiplies every number in place; with the instruction set and the threads that the kernels use.
    void pass(Executor& executor);

private:
    AlignedFloats buffer_;
};

}  // namespace tendril::bench
