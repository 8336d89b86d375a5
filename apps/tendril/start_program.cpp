#include "start_program.h"

#include "command.h"
#include "program_folder.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <unistd.h>

namespace tendril::app {

int start_program(const ProgramCommand& command, char** arguments)
{
    const std::string name = std::string("tendril-") + command.name;
    const auto paths = beside_program({name.c_str()});
    const std::string path = paths.empty() ? name : paths.front().string();
    std::string first = name;
    arguments[0] = first.data();
    execvp(path.c_str(), arguments);  // searches PATH for a name without a folder
    const int why = errno;
    if (why != ENOENT) return bad_input(command.name, fmt::format("cannot start '{}': {}", path, std::strerror(why)));
    return bad_input(
        command.name,
        fmt::format(
            "there is no '{}'; './dev build' builds it, or 'cmake --build FOLDER --target {}' in a build folder", path,
            command.target));
}

}  // namespace tendril::app
