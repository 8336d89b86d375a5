/// Threads of our own, where there is no oneTBB: a page in a browser, above all.
#pragma once

#include "tendril/parallel.h"

#include <memory>

namespace tendril {

/// Runs on `threads` threads >= 2, the calling one among them. Calls from within a task, or from a second thread while
/// another one is served, run on the thread that calls.
std::shared_ptr<Executor> make_thread_pool(int threads);

}  // namespace tendril
