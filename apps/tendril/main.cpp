// The program `tendril`: finds the command and runs it.
#include "commands.h"
#include "print_error.h"
#include "start_program.h"
#include "tendril/detail/nearest.h"
#include "tendril/version.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tendril::app {
namespace {

constexpr ProgramCommand kPrograms[] = {kLabCommand, kBenchCommand};

int unknown_command(const std::string& name, const std::vector<Command>& commands)
{
    std::vector<std::string> names;
    for (const Command& command : commands) names.push_back(command.name);
    for (const ProgramCommand& command : kPrograms) names.push_back(command.name);
    const std::string nearest = nearest_name(name, names);
    if (nearest.empty()) return usage_problem(fmt::format("there is no command '{}'", name), "");
    print_error("tendril: there is no command '{}'; did you mean '{}'?\n", name, nearest);
    return kBadInput;
}

int run(int argc, char** argv)
{
    CLI::App program("Simulates strands that do not stretch: hair, fur, ropes, strings.", "tendril");
    program.set_version_flag("--version", std::string("tendril ") + TENDRIL_VERSION, "Print the version and exit");
    program.set_help_flag("-h,--help", "Print this help and exit");
    program.footer(
        "Examples:\n"
        "  tendril run long_hair              simulate a scene and make a film of it\n"
        "  tendril sim hello                  only simulate\n"
        "  tendril render hair.hair           draw a picture of a hair file\n"
        "  tendril compare rope_drag          compare several methods\n"
        "  tendril view bust                  open an interactive scene in the browser\n"
        "  tendril sim --keys                 list all keys of scene files\n"
        "  tendril groom info hair.tfx        describe a hair file\n"
        "  tendril lab                        measure the claims of the papers\n"
        "  tendril bench                      measure the speed of this machine\n\n"
        "Exit codes: 0 fine, 1 a problem of the simulation, 2 bad input or usage.");
    const std::vector<Command> commands{
        {"run", add_run_command(program)},       {"sim", add_sim_command(program)},
        {"render", add_render_command(program)}, {"compare", add_compare_command(program)},
        {"view", add_view_command(program)},     {"groom", add_groom_command(program)}};
    for (const ProgramCommand& command : kPrograms) program.add_subcommand(command.name, command.description);

    if (argc < 2)
        return usage_problem("which command? There are run, sim, render, compare, view, groom, lab and bench", "");
    const std::string first = argv[1];
    for (const ProgramCommand& command : kPrograms)
        if (first == command.name) return start_program(command, argv + 1);
    const auto is_first = [&](const Command& command) { return command.name == first; };
    if (!first.empty() && first[0] != '-' && std::none_of(commands.begin(), commands.end(), is_first))
        return unknown_command(first, commands);
    return run_command_line(program, commands, argc, argv);
}

}  // namespace
}  // namespace tendril::app

int main(int argc, char** argv)
{
    return tendril::app::guarded([&] { return tendril::app::run(argc, argv); });
}
