/// A thread pool for builds without oneTBB, mainly for the browser.
#pragma once

#include "tendril/parallel.h"

#include <memory>

namespace tendril {

/// Runs on `threads` >= 2 threads, including the calling one. A call from within a task, or from a second thread while
/// the pool serves another, runs entirely on the calling thread.
std::shared_ptr<Executor> make_thread_pool(int threads);

}  // namespace tendril
