/// Executors, which run the work of a step: on all cores with oneTBB or our own threads, on the calling thread, or on
/// the job system of the host; and the instruction set that kernels use. Results depend on neither.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace tendril {

/// A reference to something callable as void(size_t begin, size_t end). It does not own or copy the callable.
class RangeTask {
public:
    template <class Callable>
    RangeTask(Callable& callable)
        : object_(&callable),
          call_([](void* object, size_t begin, size_t end) { (*static_cast<Callable*>(object))(begin, end); })
    {
    }
    void operator()(size_t begin, size_t end) const { call_(object_, begin, end); }

private:
    void* object_;
    void (*call_)(void*, size_t, size_t);
};

/// Implement this to run Tendril on your own job system.
class Executor {
public:
    virtual ~Executor() = default;
    /// Calls `task` on ranges that together cover [0, count), each at least `grain` long where possible, on any threads
    /// and in any order. Returns when all calls are done.
    virtual void run(size_t count, size_t grain, RangeTask task) = 0;
};

/// Runs everything on the calling thread.
std::shared_ptr<Executor> make_serial_executor();

/// Runs on `threads` threads (0: one per core). In a build without threads this is the serial executor.
std::shared_ptr<Executor> make_thread_executor(int threads = 0);

template <class Callable>
void parallel_for(Executor& executor, size_t count, size_t grain, Callable&& body)
{
    executor.run(count, grain, RangeTask(body));
}

/// The instruction set that kernels use on this machine, such as "AVX2".
std::string simd_name();

}  // namespace tendril
