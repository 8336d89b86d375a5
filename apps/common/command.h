/// Commands of the programs: parsing, running, and exit codes.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tendril::app {

inline constexpr int kFine = 0;
inline constexpr int kSimulationProblem = 1;
inline constexpr int kBadInput = 2;

/// Runs the chosen command and returns the exit code.
using Run = std::function<int()>;

struct Command {
    std::string name;
    Run run;
};

/// Prints what is wrong with the input of a command, and returns the exit code.
int bad_input(const char* command, const std::string& message);

/// Prints one line for each warning. They do not change the exit code.
void print_warnings(const char* command, const std::vector<std::string>& warnings);

/// Prints in one sentence what is wrong with a command line, and returns the exit code. `command` is empty if none was
/// chosen.
int usage_problem(std::string what, const std::string& command);

/// A check of options: what is wrong with an empty name, such as that of a variable that is not set.
std::string refuse_empty_name(const std::string& name);

/// Adds an option or argument that names a file or folder. An empty name, such as that of a variable that is not set,
/// is an error rather than no name.
CLI::Option* add_path_option(CLI::App& command, const std::string& names, std::string& path,
                             const std::string& meaning);

/// Parses the command line of `tendril`, to which the commands have been added, and runs the chosen one.
int run_command_line(CLI::App& program, const std::vector<Command>& commands, int argc, char** argv);

/// The main function of a program that is one command. Arguments, help, messages and exit codes are those of `tendril
/// NAME`. `add` adds the command to the command line.
int run_one_command(const std::string& name, const std::function<Run(CLI::App&)>& add, int argc, char** argv);

/// Runs a program and returns the exit code. An exception, and a standard output that cannot be written, become one
/// sentence. Prepares the process so that closed streams and limits on the size of files are errors of this kind too.
int guarded(const std::function<int()>& program);

}  // namespace tendril::app
