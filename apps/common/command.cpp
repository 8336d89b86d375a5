#include "command.h"

#include "interrupt.h"
#include "print_error.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>

namespace tendril::app {
namespace {

/// Replaces closed standard streams by one that cannot be written. Otherwise the next file that is opened takes their
/// place and receives the messages.
void keep_standard_streams()
{
    for (const int fd : {0, 1, 2})
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) (void)open("/", O_RDONLY);
}

/// Runs the program and returns the exit code. Exceptions become one sentence.
int run_guarded(const std::function<int()>& program)
{
    try {
        return program();
    } catch (const std::bad_alloc&) {
        print_error(
            "tendril: not enough memory; use fewer strands, particles or frames, smaller meshes, pictures or files, or "
            "larger cells (body.collide_cell)\n");
    } catch (const std::exception& error) {
        // fmt throws if standard output cannot be written; `guarded` says that.
        if (!std::ferror(stdout)) print_error("tendril: {}\n", error.what());
    }
    return kBadInput;
}

}  // namespace

int bad_input(const char* command, const std::string& message)
{
    print_error("tendril {}: {}\n", command, message);
    return interrupted() ? kSimulationProblem : kBadInput;
}

void print_warnings(const char* command, const std::vector<std::string>& warnings)
{
    for (const std::string& warning : warnings) print_error("tendril {}: warning: {}\n", command, warning);
}

int usage_problem(std::string what, const std::string& command)
{
    for (char& c : what)
        if (c == '\n') c = ' ';
    while (!what.empty() && (what.back() == ' ' || what.back() == '.')) what.pop_back();
    print_error("tendril: {}; see 'tendril {}--help'\n", what, command.empty() ? "" : command + " ");
    return kBadInput;
}

CLI::Option* add_path_option(CLI::App& command, const std::string& names, std::string& path, const std::string& meaning)
{
    return command.add_option(names, path, meaning)->type_name("FILE")->check(refuse_empty_name);
}

std::string refuse_empty_name(const std::string& name)
{
    return name.empty() ? "the name is empty; is a variable not set?" : "";
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
    keep_standard_streams();
    // A write beyond the limit on the size of files then fails with an error, as on a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    const int code = run_guarded(program);
    errno = 0;
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
    print_error("tendril: cannot write to standard output{}{}\n", errno ? ": " : "", errno ? std::strerror(errno) : "");
    return interrupted() ? kSimulationProblem : kBadInput;
}

}  // namespace tendril::app
