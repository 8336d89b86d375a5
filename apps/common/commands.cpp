#include "commands.h"

#include "interrupt.h"

#include <fmt/core.h>

namespace tendril::app {

int bad_input(const char* command, const std::string& message)
{
    fmt::print(stderr, "tendril {}: {}\n", command, message);
    return interrupted() ? kSimulationProblem : kBadInput;
}

}  // namespace tendril::app
