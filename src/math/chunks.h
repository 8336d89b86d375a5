/// Loops over chunks whose size does not depend on the number of threads, so that the results of the chunks can be
/// combined in a fixed order.
#pragma once

#include "tendril/parallel.h"

#include <algorithm>
#include <cstddef>

namespace tendril {

/// Calls `act(chunk, begin, end)` for each chunk of [0, count), in parallel if there is more than one chunk.
template <class Act>
void for_chunks(size_t count, size_t size, Executor& executor, const Act& act)
{
    const size_t chunks = (count + size - 1) / size;
    auto run = [&](size_t first, size_t last) {
        for (size_t c = first; c < last; ++c) act(c, c * size, std::min(count, (c + 1) * size));
    };
    if (chunks <= 1)
        run(0, chunks);
    else
        parallel_for(executor, chunks, 1, run);
}

}  // namespace tendril
