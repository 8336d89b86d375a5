// glibc lets a program define malloc and related functions, which all libraries then call. These count the calls and
// forward them.
#include "allocations.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(TENDRIL_SANITIZED)
#define TENDRIL_COUNT_ALLOCATIONS 1
#else
#define TENDRIL_COUNT_ALLOCATIONS 0
#endif

namespace tendril::bench {
namespace {

// Globals are unavoidable here: malloc has no context argument.
constinit std::atomic<bool> counting{false};
constinit std::atomic<uint64_t> allocations{0};

}  // namespace

bool can_count_allocations()
{
    return TENDRIL_COUNT_ALLOCATIONS;
}

AllocationCount::AllocationCount()
{
    allocations = 0;
    counting = true;
}

AllocationCount::~AllocationCount()
{
    counting = false;
}

uint64_t AllocationCount::so_far() const
{
    return allocations;
}

#if TENDRIL_COUNT_ALLOCATIONS
namespace {

void count_allocation()
{
    if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace
#endif

}  // namespace tendril::bench

#if TENDRIL_COUNT_ALLOCATIONS
// NOLINTBEGIN(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name)
extern "C" {

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) noexcept
{
    tendril::bench::count_allocation();
    return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) noexcept
{
    tendril::bench::count_allocation();
    return __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) noexcept
{
    tendril::bench::count_allocation();
    return __libc_realloc(old, size);
}

void* memalign(size_t alignment, size_t size) noexcept
{
    tendril::bench::count_allocation();
    return __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) noexcept
{
    return memalign(alignment, size);
}

int posix_memalign(void** out, size_t alignment, size_t size) noexcept
{
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void* memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *out = memory;
    return 0;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name)
#endif
