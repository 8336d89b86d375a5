/// A stand-in for the job system of a host, which starts plain threads for every call. The thread sanitizer supports
/// it, unlike oneTBB.
#pragma once

#include "tendril/parallel.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace tendril::test {

class HostExecutor final : public Executor {
public:
    explicit HostExecutor(unsigned threads) : threads_(threads) {}

    void run(size_t count, size_t grain, RangeTask task) override
    {
        grain = std::max<size_t>(grain, 1);
        std::atomic<size_t> next{0};
        auto work = [&] {
            for (size_t begin; (begin = next.fetch_add(grain)) < count;) task(begin, std::min(count, begin + grain));
        };
        std::vector<std::thread> pool;
        for (unsigned t = 1; t < threads_; ++t) pool.emplace_back(work);
        work();
        for (std::thread& t : pool) t.join();
        calls += 1;
    }

    std::atomic<size_t> calls{0};

private:
    unsigned threads_;
};

}  // namespace tendril::test
