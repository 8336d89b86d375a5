/// The commands of the program. Each adds itself to the command line and returns what the program exits with:
/// 0 fine, 1 a problem of the simulation, 2 bad input or usage.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace tendril::app {

inline constexpr int kFine = 0;
inline constexpr int kSimulationProblem = 1;
inline constexpr int kBadInput = 2;

/// Called when the command was chosen; what it returns is the exit code.
using Run = std::function<int()>;

/// Says what is wrong with the input of a command, and returns what it exits with.
int bad_input(const char* command, const std::string& message);

Run add_run_command(CLI::App& program);
Run add_sim_command(CLI::App& program);
Run add_render_command(CLI::App& program);
Run add_compare_command(CLI::App& program);
Run add_view_command(CLI::App& program);
Run add_groom_command(CLI::App& program);
Run add_lab_command(CLI::App& program);
Run add_bench_command(CLI::App& program);

}  // namespace tendril::app
