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
    const auto places = beside_program({name.c_str()});
    const std::string path = places.empty() ? name : places.front().string();
    std::string first = name;
    arguments[0] = first.data();
    execvp(path.c_str(), arguments);  // a name without a folder is looked for in PATH
    const int why = errno;
    if (why != ENOENT) return bad_input(command.name, fmt::format("cannot start '{}': {}", path, std::strerror(why)));
    return bad_input(
        command.name,
        fmt::format("there is no '{}'; build it with 'cmake --build FOLDER --target {}', or install all of "
                    "Tendril anew",
                    path, command.target));
}

}  // namespace tendril::app
