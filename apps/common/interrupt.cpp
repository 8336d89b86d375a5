#include "interrupt.h"

#include <atomic>
#include <csignal>
#include <initializer_list>
#include <string_view>

#include <unistd.h>

namespace tendril::app {
namespace {

// A signal handler can reach nothing else, and any thread may ask.
std::atomic<int> signals = 0;
std::atomic<bool> somebody_looks = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

constexpr std::string_view kStopping = "\nstopping when this piece of work is done; Ctrl-C twice more ends at once\n";

// The second signal does not count, because some programs send one to a process and to its group.
void on_interrupt(int signal)
{
    const int count = ++signals;
    if (count == 1 && somebody_looks && write(STDERR_FILENO, kStopping.data(), kStopping.size()) < 0) return;
    if (count >= 2) std::signal(signal, SIG_DFL);
}

}  // namespace

/// What waits, for a pipe that nobody reads say, ends with the signal.
void catch_signals()
{
    somebody_looks = isatty(STDERR_FILENO) == 1;
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    for (int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

bool interrupted()
{
    return signals != 0;
}

}  // namespace tendril::app
