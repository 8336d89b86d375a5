// `tendril lab`: the claims of the papers, one after the other.
#include "lab.h"

#include "claim.h"
#include "interrupt.h"
#include "lab_page.h"
#include "lab_run.h"
#include "output_file.h"
#include "program_command.h"
#include "progress.h"
#include "scene_options.h"
#include "stopwatch.h"
#include "tendril/detail/nearest.h"
#include "tendril/version.h"
#include "terminal_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <thread>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAll = "all";

struct LabOptions {
    std::string name = kAll, folder;
    int threads = 0;
    bool full = false, list = false, quiet = false;

    /// The page of one claim does not take the place of that of all.
    std::string place() const
    {
        if (!folder.empty()) return folder;
        return name == kAll ? "out/lab" : "out/lab/" + name;
    }
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
    constexpr size_t kMostNamed = 5;
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
    size_t count = 0;
    for (const std::string& full : names) {
        const std::string paper = full.substr(0, full.find('/'));
        if (full.find(name) == std::string::npos || (full != paper && paper.find(name) != std::string::npos)) continue;
        if (++count <= kMostNamed) like += fmt::format("{}'{}'", like.empty() ? "" : " or ", full);
    }
    if (count > kMostNamed) like.clear();
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

/// Works on another thread, so that who interrupts need not wait for the end. False: interrupted, and the work goes on
/// for as long as the program does.
bool done_before_interruption(std::function<void()> work, const std::function<void()>& meanwhile)
{
    std::packaged_task<void()> task(std::move(work));
    std::future<void> done = task.get_future();
    std::thread worker(std::move(task));
    while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
        meanwhile();
        if (!interrupted()) continue;
        worker.detach();
        return false;
    }
    worker.join();
    done.get();
    return !interrupted();  // else it may have been cut short
}

/// What of a processor's time a thread gets that wants all of it for a while.
double share_of_thread()
{
    constexpr double kAsked = 0.02;  // [s]
    const auto processor_seconds = [] {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    };
    const Stopwatch watch;
    const double start = processor_seconds();
    while (watch.seconds() < kAsked) continue;
    return (processor_seconds() - start) / watch.seconds();
}

/// The same of as many threads as the lab has: less than 1 where other programs work too.
double share_of_processors(int threads)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // until threads that have worked are asleep
    const unsigned most = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::future<double>> shares(std::min(static_cast<unsigned>(threads), most));
    for (auto& share : shares) share = std::async(std::launch::async, share_of_thread);
    double sum = 0;
    for (auto& share : shares) sum += share.get();
    return std::min(1.0, sum / static_cast<double>(shares.size()));
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

/// The files that come out, known to be writable before the work begins.
struct LabFiles {
    OutputFile page, json;

    static Result<LabFiles> open(const std::string& folder)
    {
        std::error_code problem;
        fs::create_directories(folder, problem);
        if (problem) return Error{fmt::format("cannot make the folder '{}': {}", folder, problem.message())};
        Result<OutputFile> page = OutputFile::open((fs::path(folder) / "index.html").string());
        if (!page) return Error{page.error()};
        Result<OutputFile> json = OutputFile::open((fs::path(folder) / "lab.json").string());
        if (!json) return Error{json.error()};
        return LabFiles{std::move(*page), std::move(*json)};
    }

    std::optional<Error> finish(const std::vector<LabEntry>& entries, const LabConditions& conditions)
    {
        if (page.finish(lab_page(entries, conditions)) && json.finish(lab_json(entries, conditions))) return {};
        return Error{fmt::format("cannot write '{}' or lab.json: {}", page.path(), std::strerror(errno))};
    }
};

void print_end(const std::vector<LabEntry>& entries, const LabConditions& conditions, const std::string& page)
{
    fmt::print("\n{} {} in {:.0f} s: {}\n", entries.size(), entries.size() == 1 ? "claim" : "claims",
               conditions.seconds, page);
    if (conditions.is_busy()) fmt::print("{}\n", conditions.busy_text());
}

/// With what was finished by then, while a claim may still be at work: nothing that it uses may go before the program.
[[noreturn]] void end_interrupted(std::optional<LabFiles> files, const std::vector<LabEntry>& entries,
                                  const LabConditions& conditions)
{
    if (entries.empty()) {
        files.reset();
        fmt::print(stderr, "tendril lab: interrupted; nothing was written\n");
    } else if (const auto wrong = files->finish(entries, conditions)) {
        fmt::print(stderr, "tendril lab: {}\n", wrong->message);
    } else {
        fmt::print(stderr, "tendril lab: interrupted; '{}' has {} of {} claims\n", files->page.path(), entries.size(),
                   conditions.asked);
    }
    std::fflush(nullptr);
    std::_Exit(kSimulationProblem);
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
    const Stopwatch watch;
    Result<LabFiles> files = LabFiles::open(options.place());
    if (!files) return bad_input("lab", files.error());
    catch_signals();
    Lab lab(thread_count(options.threads), options.full);
    const size_t asked = entries->size();
    double share = 0;
    const auto conditions = [&](size_t done) {
        return LabConditions{TENDRIL_VERSION,
                             simd_name(),
                             lab.threads(),
                             options.full,
                             watch.seconds(),
                             asked,
                             done > 0 ? share / static_cast<double>(done) : 1};
    };
    for (size_t done = 0; done < asked; ++done) {
        LabEntry& entry = (*entries)[done];
        {
            Progress progress("claim", 0, asked, options.quiet ? Visible::kNever : Visible::kOnTerminal);
            const auto show = [&] { progress.update(done, entry.paper->name + "/" + entry.claim->name); };
            show();
            if (!done_before_interruption([&] { look_into(entry, lab); }, show))
                end_interrupted(std::move(*files), {entries->begin(), entries->begin() + static_cast<long>(done)},
                                conditions(done));
        }
        share += share_of_processors(lab.threads());
        if (!options.quiet) print_entry(entry);
    }
    if (const auto wrong = files->finish(*entries, conditions(asked))) return bad_input("lab", wrong->message);
    if (!options.quiet) print_end(*entries, conditions(asked), files->page.path());
    return any_failed(*entries) ? kSimulationProblem : kFine;
}

}  // namespace

Run add_lab_command(CLI::App& program)
{
    auto options = std::make_shared<LabOptions>();
    CLI::App* command = program.add_subcommand(kLabCommand.name, kLabCommand.description);
    command->set_help_flag("-h,--help", "Print this help and exit");
    command->add_option("NAME", options->name, "A paper, one claim of it, or all")->capture_default_str();
    command
        ->add_option("--out", options->folder,
                     "Folder for the page and lab.json; default: out/lab, and out/lab/NAME for a part")
        ->type_name("FOLDER");
    command->add_option("--threads", options->threads, "Threads; 0: one per core")->check(CLI::Range(0, 1024));
    command->add_flag("--full", options->full, "With the sizes of the papers; takes longer");
    command->add_flag("--list", options->list, "Print the claims and exit");
    command->add_flag("-q,--quiet", options->quiet, "No progress bar and no lines");
    command->footer(kLabExamples);
    return [options] { return run_lab(*options); };
}

}  // namespace tendril::app
