#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bandwidth.cpp"
#include <hwy/foreach_target.h>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "bandwidth.h"

#include <algorithm>

#ifndef TENDRIL_BENCH_BANDWIDTH_ONCE
#define TENDRIL_BENCH_BANDWIDTH_ONCE
namespace tendril::bench {

inline constexpr size_t kLine = 16;           // floats in a cache line
inline constexpr size_t kChunk = 4 * kLine;   // floats per loop iteration
inline constexpr size_t kAhead = 32 * kLine;  // prefetch distance, the fastest of those tried

}  // namespace tendril::bench
#endif

HWY_BEFORE_NAMESPACE();
namespace tendril::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void ScaleChunks(float* data, size_t begin, size_t end)
{
    const hn::CappedTag<float, kLine> lanes;
    const auto factor = hn::Set(lanes, 1.0000001f);  // near 1 so that nothing overflows, but not a plain copy
    for (float* at = data + begin * kChunk; at < data + end * kChunk; at += kChunk) {
        for (size_t i = 0; i < kChunk; i += kLine) hwy::Prefetch(at + kAhead + i);
        for (size_t i = 0; i < kChunk; i += hn::Lanes(lanes))
            hn::Store(hn::Mul(hn::Load(lanes, at + i), factor), lanes, at + i);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril::bench {

HWY_EXPORT(ScaleChunks);

Bandwidth::Bandwidth(size_t bytes) : buffer_((bytes / sizeof(float) + kChunk - 1) / kChunk * kChunk)
{
    std::fill_n(buffer_.data(), buffer_.size(), 1.0f);
}

void Bandwidth::pass(Executor& executor)
{
    constexpr size_t kBytesPerTask = 192 * 1024;  // as in the solver
    parallel_for(executor, buffer_.size() / kChunk, kBytesPerTask / (kChunk * sizeof(float)),
                 [&](size_t begin, size_t end) {
                     HWY_DYNAMIC_DISPATCH(ScaleChunks)
                     (buffer_.data(), begin, end);
                 });
}

}  // namespace tendril::bench
#endif
