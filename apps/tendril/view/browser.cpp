#include "view/browser.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

namespace tendril::app {
namespace {

bool is_set(const char* name)
{
    const char* value = std::getenv(name);
    return value && *value;
}

}  // namespace

void open_browser(const std::string& address)
{
    if (!isatty(STDOUT_FILENO) || !(is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))) return;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    // In its own session, so that Ctrl-C does not end the browser.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    std::string program = "xdg-open", argument = address;
    char* const arguments[] = {program.data(), argument.data(), nullptr};
    pid_t ignored = 0;
    posix_spawnp(&ignored, program.c_str(), &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
}

}  // namespace tendril::app
