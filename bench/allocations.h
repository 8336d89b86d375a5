/// Counts what is asked of the heap, by any thread, through malloc and everything built on it (operator new included).
#pragma once

#include <cstdint>

namespace tendril::bench {

/// False where this build cannot count: other C libraries than glibc, sanitizers.
bool can_count_allocations();

/// Counts while it exists. One at a time.
class AllocationCount {
public:
    AllocationCount();
    ~AllocationCount();
    AllocationCount(const AllocationCount&) = delete;
    AllocationCount& operator=(const AllocationCount&) = delete;

    uint64_t so_far() const;
};

}  // namespace tendril::bench
