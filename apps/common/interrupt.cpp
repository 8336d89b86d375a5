#include "interrupt.h"

#include <atomic>
#include <csignal>
#include <initializer_list>
#include <string_view>

#include <unistd.h>

namespace tendril::app {
namespace {

// Globals, because a signal handler can reach nothing else; atomic, because any thread may read them.
std::atomic<int> signals = 0;
std::atomic<bool> on_terminal = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

constexpr std::string_view kStopping =
    "\nstopping after the current piece of work; press Ctrl-C twice more to stop at once\n";

// The second signal does not count, because some programs signal both a process and its group.
void on_interrupt(int signal)
{
    const int count = ++signals;
    if (count == 1 && on_terminal && write(STDERR_FILENO, kStopping.data(), kStopping.size()) < 0) return;
    if (count >= 2) std::signal(signal, SIG_DFL);
}

}  // namespace

// Without SA_RESTART: a signal also ends a blocking call, such as writing to a pipe that nobody reads.
void catch_signals()
{
    on_terminal = isatty(STDERR_FILENO) == 1;
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    for (int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

bool interrupted()
{
    return signals != 0;
}

}  // namespace tendril::app
