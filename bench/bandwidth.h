/// The speed at which this machine reads numbers and writes them back in place. It limits everything that touches the
/// whole state of the strands once.
#pragma once

#include "strands/strands.h"
#include "tendril/parallel.h"

#include <cstddef>

namespace tendril::bench {

class Bandwidth {
public:
    /// Allocates a buffer of at least this size, in the same way as the state of strands.
    explicit Bandwidth(size_t bytes);

    /// Multiplies every number in place, with the instruction set and the threads of the kernels.
    void pass(Executor& executor);

private:
    AlignedFloats buffer_;
};

}  // namespace tendril::bench
