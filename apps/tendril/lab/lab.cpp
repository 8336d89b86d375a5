// `tendril lab`: the claims of the papers, one after the other.
#include "claim.h"
#include "commands.h"
#include "interrupt.h"
#include "lab_page.h"
#include "lab_run.h"
#include "output_file.h"
#include "progress.h"
#include "scene_options.h"
#include "stopwatch.h"
#include "tendril/detail/nearest.h"
#include "tendril/version.h"
#include "terminal_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAll = "all";

struct LabOptions {
    std::string name = kAll, folder = "out/lab";
    int threads = 0;
    bool full = false, list = false, quiet = false;
};

constexpr const char* kLabExamples =
    "NAME is a paper, such as mueller12, or one claim, such as mueller12/fig4. Without it all are run: less than ten\n"
    "minutes on two cores, more with --full. The page is FOLDER/index.html, with everything in it; numbers are in\n"
    "FOLDER/lab.json. Ctrl-C: the page has the claims that were finished by then.\n\n"
    "Examples:\n"
    "  tendril lab\n"
    "  tendril lab --list\n"
    "  tendril lab mueller12/fig4 --out fig4\n"
    "  tendril lab sanchez15 --full\n\n"
    "Exit codes: 0 every claim holds, or is not met for a reason that is given; 1 a claim failed, or interrupted;\n"
    "2 bad input or usage.";

/// Those that are meant; an error where there are none.
Result<std::vector<LabEntry>> chosen(const std::vector<Paper>& papers, const std::string& name)
{
    std::vector<LabEntry> entries;
    std::vector<std::string> names;
    for (const Paper& paper : papers) {
        names.push_back(paper.name);
        for (const Claim& claim : paper.claims) {
            names.push_back(paper.name + "/" + claim.name);
            if (name == kAll || name == paper.name || name == names.back()) {
                LabEntry& entry = entries.emplace_back();
                entry.paper = &paper;
                entry.claim = &claim;
            }
        }
    }
    if (!entries.empty()) return entries;
    // Part of a name means those that have it: a paper before its claims.
    std::string like;
    for (const std::string& full : names) {
        const std::string paper = full.substr(0, full.find('/'));
        if (full.find(name) == std::string::npos || (full != paper && paper.find(name) != std::string::npos)) continue;
        like += fmt::format("{}'{}'", like.empty() ? "" : " or ", full);
    }
    if (!like.empty()) return Error{fmt::format("there is no claim '{}'; did you mean {}?", name, like)};
    const std::string nearest = nearest_name(name, names);
    return Error{nearest.empty() ? fmt::format("there is no claim '{}'; --list shows all", name)
                                 : fmt::format("there is no claim '{}'; did you mean '{}'?", name, nearest)};
}

void print_list(const std::vector<LabEntry>& entries)
{
    for (const LabEntry& entry : entries)
        fmt::print("{:<34} {}: {}\n", entry.paper->name + "/" + entry.claim->name, entry.claim->place,
                   entry.claim->title);
}

void look_into(LabEntry& entry, Lab& lab)
{
    const Stopwatch watch;
    Result<Finding> finding = entry.claim->find(lab);
    if (finding)
        entry.finding = std::move(*finding);
    else
        entry.problem = finding.error();
    entry.uses = lab.take_uses();
    entry.seconds = watch.seconds();
}

void print_entry(const LabEntry& entry)
{
    constexpr size_t kIndent = 9;  // behind the verdict
    const size_t columns = text_columns();
    const char* mark = entry.verdict() == Verdict::kHolds    ? "holds"
                       : entry.verdict() == Verdict::kNotMet ? "not met"
                                                             : "FAILED";
    const auto print = [&](const char* before, const std::string& text) {
        fmt::print("{:<{}}{}\n", before, kIndent, wrapped(text, columns, kIndent).substr(kIndent));
    };
    print(mark, fmt::format("{}/{}: {}", entry.paper->name, entry.claim->name, entry.claim->title));
    print("", entry.problem.empty() ? entry.finding.measured : entry.problem);
    if (entry.verdict() == Verdict::kNotMet) print("", "because " + entry.finding.reason);
    std::fflush(stdout);  // who reads it from a pipe or a file need not wait for the end
}

int run_lab(const LabOptions& options)
{
    const std::vector<Paper> papers{mueller12(), sanchez15(), rungjiratananon11(), zappe20(), boercsoek20()};
    Result<std::vector<LabEntry>> entries = chosen(papers, options.name);
    if (!entries) return bad_input("lab", entries.error());
    if (options.list) {
        print_list(*entries);
        return kFine;
    }
    std::error_code problem;
    fs::create_directories(options.folder, problem);
    if (problem)
        return bad_input("lab", fmt::format("cannot make the folder '{}': {}", options.folder, problem.message()));
    Result<OutputFile> page = OutputFile::open((fs::path(options.folder) / "index.html").string());
    if (!page) return bad_input("lab", page.error());
    Result<OutputFile> json = OutputFile::open((fs::path(options.folder) / "lab.json").string());
    if (!json) return bad_input("lab", json.error());

    catch_signals();
    const Stopwatch watch;
    Lab lab(thread_count(options.threads), options.full);
    const size_t asked = entries->size();
    size_t done = 0;
    for (LabEntry& entry : *entries) {
        {
            Progress progress("claim", 0, asked, options.quiet ? Visible::kNever : Visible::kOnTerminal);
            progress.update(done, entry.paper->name + "/" + entry.claim->name);
            look_into(entry, lab);
        }
        if (interrupted()) break;  // this one may have been cut short
        ++done;
        if (!options.quiet) print_entry(entry);
    }
    entries->resize(done);
    const LabConditions conditions{TENDRIL_VERSION, simd_name(), lab.threads(), options.full, watch.seconds(), asked};
    if (interrupted() && done == 0) {
        fmt::print(stderr, "tendril lab: interrupted; nothing was written\n");
        return kSimulationProblem;
    }
    if (!page->finish(lab_page(*entries, conditions)) || !json->finish(lab_json(*entries, conditions)))
        return bad_input("lab", fmt::format("cannot write to '{}': {}", options.folder, std::strerror(errno)));
    if (!options.quiet)
        fmt::print("\n{} {} in {:.0f} s: {}\n", done, done == 1 ? "claim" : "claims", conditions.seconds, page->path());
    if (interrupted()) fmt::print(stderr, "tendril lab: interrupted; the page has {} of {} claims\n", done, asked);
    return any_failed(*entries) || interrupted() ? kSimulationProblem : kFine;
}

}  // namespace

Run add_lab_command(CLI::App& program)
{
    auto options = std::make_shared<LabOptions>();
    CLI::App* command = program.add_subcommand("lab", "Reproduce what the papers claim, and write a page about it");
    command->set_help_flag("-h,--help", "Print this help and exit");
    command->add_option("NAME", options->name, "A paper, one claim of it, or all")->capture_default_str();
    command->add_option("--out", options->folder, "Folder for the page and lab.json")->capture_default_str();
    command->add_option("--threads", options->threads, "Threads; 0: one per core")->check(CLI::Range(0, 1024));
    command->add_flag("--full", options->full, "With the sizes of the papers; takes longer");
    command->add_flag("--list", options->list, "Print the claims and exit");
    command->add_flag("-q,--quiet", options->quiet, "No progress bar and no lines");
    command->footer(kLabExamples);
    return [options] { return run_lab(*options); };
}

}  // namespace tendril::app
