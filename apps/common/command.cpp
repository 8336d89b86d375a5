#include "command.h"

#include "interrupt.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <exception>
#include <new>

namespace tendril::app {

int bad_input(const char* command, const std::string& message)
{
    fmt::print(stderr, "tendril {}: {}\n", command, message);
    return interrupted() ? kSimulationProblem : kBadInput;
}

void print_warnings(const char* command, const std::vector<std::string>& warnings)
{
    for (const std::string& warning : warnings) fmt::print(stderr, "tendril {}: warning: {}\n", command, warning);
}

int usage_problem(std::string what, const std::string& command)
{
    for (char& c : what)
        if (c == '\n') c = ' ';
    while (!what.empty() && (what.back() == ' ' || what.back() == '.')) what.pop_back();
    fmt::print(stderr, "tendril: {}; see 'tendril {}--help'\n", what, command.empty() ? "" : command + " ");
    return kBadInput;
}

int run_command_line(CLI::App& program, const std::vector<Command>& commands, int argc, char** argv)
{
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return program.exit(error);  // help and version
        return usage_problem(error.what(), program.get_subcommands().empty() ? "" : argv[1]);
    }
    for (const Command& command : commands)
        if (program.got_subcommand(command.name)) return command.run();
    return usage_problem("which command?", "");
}

int run_one_command(const std::string& name, const std::function<Run(CLI::App&)>& add, int argc, char** argv)
{
    return guarded([&] {
        CLI::App program("", "tendril");
        program.set_help_flag("-h,--help", "Print this help and exit");
        const std::vector<Command> commands{{name, add(program)}};
        std::string word = name;
        std::vector<char*> words{argv[0], word.data()};
        for (int i = 1; i < argc; ++i) words.push_back(argv[i]);
        return run_command_line(program, commands, static_cast<int>(words.size()), words.data());
    });
}

int guarded(const std::function<int()>& program)
{
    try {
        return program();
    } catch (const std::bad_alloc&) {
        fmt::print(stderr,
                   "tendril: not enough memory; use fewer strands, particles or frames, smaller meshes, "
                   "pictures or files, or larger cells (body.collide_cell)\n");
    } catch (const std::exception& error) {
        fmt::print(stderr, "tendril: {}\n", error.what());
    }
    return kBadInput;
}

}  // namespace tendril::app
