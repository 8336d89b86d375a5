/// The commands of the program. Each function adds its command to the command line and returns a function that runs it
/// and returns the exit code: 0 fine, 1 a problem of the simulation, 2 bad input or usage.
#pragma once

#include "command.h"

namespace tendril::app {

Run add_run_command(CLI::App& program);
Run add_sim_command(CLI::App& program);
Run add_render_command(CLI::App& program);
Run add_compare_command(CLI::App& program);
Run add_view_command(CLI::App& program);
Run add_groom_command(CLI::App& program);

}  // namespace tendril::app
