/// Starts the commands that are separate programs.
#pragma once

#include "program_command.h"

namespace tendril::app {

/// Replaces this process with the program of the command, with all arguments after its name. If that fails, prints why
/// and returns the exit code. `arguments` begins with the name of the command and ends with a null pointer.
int start_program(const ProgramCommand& command, char** arguments);

}  // namespace tendril::app
