#include "math/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tendril {
namespace {

TEST(ThreadPool, VisitsEveryIndexOnce)
{
    const auto pool = make_thread_pool(3);
    for (const size_t count : {0, 1, 2, 23, 1000})
        for (const size_t grain : {0, 1, 7, 5000}) {
            std::vector<std::atomic<int>> visits(count);
            parallel_for(*pool, count, grain, [&](size_t begin, size_t end) {
                for (size_t i = begin; i < end; ++i) ++visits[i];
            });
            for (const auto& n : visits) EXPECT_EQ(n, 1);
        }
}

TEST(ThreadPool, RangesAreAtLeastOneGrainLong)
{
    const auto pool = make_thread_pool(4);
    std::atomic<int> short_ranges = 0;
    parallel_for(*pool, 1000, 64, [&](size_t begin, size_t end) {
        if (end - begin < 64 && end != 1000) ++short_ranges;
    });
    EXPECT_EQ(short_ranges, 0);
}

// Calls arrive in quick succession, and after pauses in which the workers fall asleep. Each call sees the writes of the
// one before.
TEST(ThreadPool, RepeatedCallsLoseNoWork)
{
    const auto pool = make_thread_pool(3);
    std::vector<size_t> sums(64, 0);
    for (size_t call = 0; call < 2000; ++call) {
        if (call % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        parallel_for(*pool, sums.size(), 1, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) sums[i] += i;
        });
    }
    for (size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], 2000 * i);
}

TEST(ThreadPool, NestedAndConcurrentCallsWork)
{
    const auto pool = make_thread_pool(3);
    std::atomic<size_t> sum = 0;
    const auto work = [&] {
        parallel_for(*pool, 50, 1, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i)
                parallel_for(*pool, 20, 1, [&](size_t first, size_t last) { sum += last - first; });
        });
    };
    std::thread other(work);
    work();
    other.join();
    EXPECT_EQ(sum, 2u * 50 * 20);
}

}  // namespace
}  // namespace tendril
