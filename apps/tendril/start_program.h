/// Starts the commands that are programs of their own.
#pragma once

#include "program_command.h"

namespace tendril::app {

/// Becomes the program of the command, with all arguments behind its name. Returns only where it cannot be started:
/// says why, and gives the exit code. `arguments` begins with the name of the command and ends with a null pointer.
int start_program(const ProgramCommand& command, char** arguments);

}  // namespace tendril::app
