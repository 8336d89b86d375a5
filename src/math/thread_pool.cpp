#include "math/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tendril {
namespace {

// A step issues work every few microseconds, while waking a sleeping thread takes longer than such a piece of work. An
// idle worker therefore polls this many times, for about 50 microseconds, before it sleeps.
constexpr int kSpins = 20000;
// More than one piece per thread, because some pieces are slow and threads get interrupted.
constexpr size_t kPiecesPerThread = 8;

class ThreadPool final : public Executor {
public:
    explicit ThreadPool(int threads)
    {
        workers_.reserve(static_cast<size_t>(threads) - 1);
        for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
    }

    ~ThreadPool() override
    {
        stopping_ = true;
        announce();
        for (std::thread& worker : workers_) worker.join();
    }

    void run(size_t count, size_t grain, RangeTask task) override
    {
        if (count == 0) return;
        const size_t pieces = (workers_.size() + 1) * kPiecesPerThread;
        const size_t piece = std::max({grain, (count + pieces - 1) / pieces, size_t{1}});
        if (piece >= count || busy_.exchange(true)) {
            task(0, count);
            return;
        }
        task_ = task;
        count_ = count;
        piece_ = piece;
        next_ = 0;
        accepting_ = true;
        announce();
        take_pieces();
        accepting_ = false;  // workers that arrive from now on take no piece
        wait_until([this] { return active_ == 0; });
        busy_ = false;
    }

private:
    /// Takes the pieces in order; every thread takes the next one when it is free.
    void take_pieces()
    {
        for (size_t begin = next_.fetch_add(piece_); begin < count_; begin = next_.fetch_add(piece_))
            (*task_)(begin, std::min(count_, begin + piece_));
    }

    void work()
    {
        for (uint64_t seen = 0; !stopping_;) {
            wait_until([&] { return generation_ != seen; });
            seen = generation_;
            // `run` clears `accepting_` before it reads `active_`; the opposite order here ensures that either `run`
            // sees this worker or the worker sees that no more work is accepted.
            ++active_;
            if (accepting_) take_pieces();
            if (--active_ == 0) wake();
        }
    }

    void announce()
    {
        ++generation_;
        wake();
    }

    template <class Condition>
    void wait_until(const Condition& condition)
    {
        for (int spin = 0; spin < kSpins; ++spin)
            if (condition()) return;
        std::unique_lock lock(mutex_);
        ++sleepers_;
        wake_up_.wait(lock, condition);
        --sleepers_;
    }

    /// Call this after a change that a thread may wait for. A sleeper counts itself before its last check, so either it
    /// is counted here or it sees the change there.
    void wake()
    {
        if (sleepers_ == 0) return;
        {
            const std::lock_guard lock(mutex_);
        }
        wake_up_.notify_all();
    }

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable wake_up_;
    std::atomic<int> sleepers_ = 0;
    std::atomic<uint64_t> generation_ = 0;
    std::atomic<bool> stopping_ = false, busy_ = false, accepting_ = false;
    std::atomic<int> active_ = 0;  ///< workers that may be running the task
    std::atomic<size_t> next_ = 0;
    std::optional<RangeTask> task_;
    size_t count_ = 0, piece_ = 1;
};

}  // namespace

std::shared_ptr<Executor> make_thread_pool(int threads)
{
    return std::make_shared<ThreadPool>(threads);
}

}  // namespace tendril
