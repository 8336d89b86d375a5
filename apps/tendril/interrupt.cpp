#include "interrupt.h"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace tendril::app {
namespace {

// A signal handler can reach nothing else, and any thread may ask.
std::atomic<int> signals = 0;
static_assert(std::atomic<int>::is_always_lock_free);

// The second signal does not count, because some programs send one to a process and to its group.
void on_interrupt(int signal)
{
    if (++signals >= 2) std::signal(signal, SIG_DFL);
}

}  // namespace

/// What waits, for a pipe that nobody reads say, ends with the signal.
void catch_signals()
{
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    for (int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

bool interrupted()
{
    return signals != 0;
}

}  // namespace tendril::app
