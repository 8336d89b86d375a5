/// Work in chunks whose size does not depend on threads: what each chunk finds can be put together in order.
#pragma once

#include "tendril/parallel.h"

#include <algorithm>
#include <cstddef>

namespace tendril {

/// Calls for each chunk of a range as (chunk, begin, end): on threads where there is more than one.
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
