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

// A step hands out work every few microseconds: who has nothing to do looks this often whether there is more before it
// sleeps, which takes longer to wake from than such a piece of work lasts. Some 50 microseconds.
constexpr int kSpins = 20000;
// Pieces per thread: more than one, because some are slow and threads are interrupted.
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
        ends_ = true;
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
        open_ = true;
        announce();
        take_pieces();
        open_ = false;  // who comes now finds nothing
        wait_until([this] { return inside_ == 0; });
        busy_ = false;
    }

private:
    /// Pieces are taken in order, whoever has time.
    void take_pieces()
    {
        for (size_t begin = next_.fetch_add(piece_); begin < count_; begin = next_.fetch_add(piece_))
            (*task_)(begin, std::min(count_, begin + piece_));
    }

    void work()
    {
        for (uint64_t seen = 0; !ends_;) {
            wait_until([&] { return calls_ != seen; });
            seen = calls_;
            // In this order, opposite to that of `run`: either it sees that somebody is inside, or here it is closed.
            ++inside_;
            if (open_) take_pieces();
            if (--inside_ == 0) wake();
        }
    }

    void announce()
    {
        ++calls_;
        wake();
    }

    template <class Condition>
    void wait_until(const Condition& holds)
    {
        for (int look = 0; look < kSpins; ++look)
            if (holds()) return;
        std::unique_lock lock(mutex_);
        ++sleepers_;
        sleep_.wait(lock, holds);
        --sleepers_;
    }

    /// After a change that somebody may wait for. A sleeper counts itself before it looks for the last time: either it
    /// is seen here, or it sees the change there.
    void wake()
    {
        if (sleepers_ == 0) return;
        {
            const std::lock_guard lock(mutex_);
        }
        sleep_.notify_all();
    }

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable sleep_;
    std::atomic<int> sleepers_ = 0;
    std::atomic<uint64_t> calls_ = 0;
    std::atomic<bool> ends_ = false, busy_ = false, open_ = false;
    std::atomic<int> inside_ = 0;  ///< workers that may be at the task
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
