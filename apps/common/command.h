/// A command of the programs: how it is found and run, and what a program exits with.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tendril::app {

inline constexpr int kFine = 0;
inline constexpr int kSimulationProblem = 1;
inline constexpr int kBadInput = 2;

/// Called when the command was chosen; what it returns is the exit code.
using Run = std::function<int()>;

struct Command {
    std::string name;
    Run run;
};

/// Says what is wrong with the input of a command, and returns what it exits with.
int bad_input(const char* command, const std::string& message);

/// Says what is wrong with a command line, in one sentence, and returns what the program exits with. `command` is empty
/// where none was chosen.
int usage_problem(std::string what, const std::string& command);

/// Parses the command line of `tendril`, to which the commands have been added, and runs the one that was chosen.
int run_command_line(CLI::App& program, const std::vector<Command>& commands, int argc, char** argv);

/// The whole of a program that is one command: its arguments are those of `tendril NAME`, and so are its help, its
/// messages and its exit codes. `add` adds the command to the command line.
int run_one_command(const std::string& name, const std::function<Run(CLI::App&)>& add, int argc, char** argv);

/// Runs a program; what it throws becomes one sentence and an exit code.
int guarded(const std::function<int()>& program);

}  // namespace tendril::app
