#include "tendril/parallel.h"

#include "math/thread_pool.h"

#include <algorithm>
#include <optional>
#include <thread>

#ifdef TENDRIL_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace tendril {
namespace {

class SerialExecutor final : public Executor {
public:
    void run(size_t count, size_t, RangeTask task) override
    {
        if (count > 0) task(0, count);
    }
};

#ifdef TENDRIL_TBB
class TbbExecutor final : public Executor {
public:
    explicit TbbExecutor(int threads) : arena_(threads)
    {
        // oneTBB starts at most one thread per core unless this limit is raised.
        if (threads > static_cast<int>(std::thread::hardware_concurrency()))
            thread_limit_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(threads));
    }

    void run(size_t count, size_t grain, RangeTask task) override
    {
        arena_.execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<size_t>(0, count, std::max<size_t>(grain, 1)),
                [&](const tbb::blocked_range<size_t>& range) { task(range.begin(), range.end()); }, partitioner_);
        });
    }

private:
    std::optional<tbb::global_control> thread_limit_;
    tbb::task_arena arena_;
    tbb::auto_partitioner partitioner_;
};
#endif

}  // namespace

std::shared_ptr<Executor> make_serial_executor()
{
    return std::make_shared<SerialExecutor>();
}

std::shared_ptr<Executor> make_thread_executor([[maybe_unused]] int threads)
{
#ifdef TENDRIL_THREADS
    if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
#ifdef TENDRIL_TBB
    if (threads > 1) return std::make_shared<TbbExecutor>(threads);
#else
    if (threads > 1) return make_thread_pool(threads);
#endif
#endif
    return make_serial_executor();
}

}  // namespace tendril
