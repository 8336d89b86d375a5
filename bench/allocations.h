/// Counts heap allocations of all threads, through malloc and everything built on it (including operator new).
#pragma once

#include <cstdint>

namespace tendril::bench {

/// False if this build cannot count: with C libraries other than glibc, and with sanitizers.
bool can_count_allocations();

/// Counts while it exists. Only one may exist at a time.
class AllocationCount {
public:
    AllocationCount();
    ~AllocationCount();
    AllocationCount(const AllocationCount&) = delete;
    AllocationCount& operator=(const AllocationCount&) = delete;

    uint64_t so_far() const;
};

}  // namespace tendril::bench
