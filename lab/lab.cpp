// `tendril lab`: runs the claims of the papers, one after the other.
#include "lab.h"

#include "claim.h"
#include "command_files.h"
#include "interrupt.h"
#include "lab_page.h"
#include "lab_run.h"
#include "output_file.h"
#include "print_error.h"
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

    /// A part of the claims has its own folder, so that its page does not overwrite the page of all claims.
    std::string output_folder() const
    {
        if (!folder.empty()) return folder;
        return name == kAll ? "out/lab" : "out/lab/" + name;
    }
};

constexpr const char* kLabExamples =
    "NAME is a paper, such as mueller12, or one claim, such as mueller12/fig4. Without it, all claims run, which "
    "takes\n"
    "less than ten minutes on two cores, or longer with --full. The page, FOLDER/index.html, is self-contained; "
    "numbers\n"
    "are in FOLDER/lab.json. After Ctrl-C, the page has the claims that were finished.\n\n"
    "Examples:\n"
    "  tendril lab\n"
    "  tendril lab --list\n"
    "  tendril lab mueller12/fig4 --out fig4\n"
    "  tendril lab sanchez15 --full\n\n"
    "A claim holds as printed, if a run with the printed equations shows it; holds with our method, which is named;\n"
    "is not met, for a reason that was checked; or failed.\n\n"
    "Exit codes: 0 no claim failed; 1 a claim failed, or interrupted; 2 bad input or usage.";

/// Returns the claims that `name` selects, or an error if there are none.
Result<std::vector<LabEntry>> selected_claims(const std::vector<Paper>& papers, const std::string& name)
{
    constexpr size_t kMaxNamed = 5;
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
    // Suggest the names that contain `name`: a paper rather than its claims.
    std::string suggestions;
    size_t count = 0;
    for (const std::string& full : names) {
        const std::string paper = full.substr(0, full.find('/'));
        if (full.find(name) == std::string::npos || (full != paper && paper.find(name) != std::string::npos)) continue;
        if (++count <= kMaxNamed) suggestions += fmt::format("{}'{}'", suggestions.empty() ? "" : " or ", full);
    }
    if (count > kMaxNamed) suggestions.clear();
    if (!suggestions.empty()) return Error{fmt::format("there is no claim '{}'; did you mean {}?", name, suggestions)};
    const std::string nearest = nearest_name(name, names);
    return Error{nearest.empty() ? fmt::format("there is no claim '{}'; --list shows all", name)
                                 : fmt::format("there is no claim '{}'; did you mean '{}'?", name, nearest)};
}

void print_list(const std::vector<LabEntry>& entries)
{
    for (const LabEntry& entry : entries)
        fmt::print("{:<34} {}: {}\n", entry.name(), entry.claim->place, entry.claim->title);
}

void evaluate(LabEntry& entry, Lab& lab)
{
    const Stopwatch watch;
    Result<Finding> finding = entry.claim->find(lab);
    if (finding)
        entry.finding = std::move(*finding);
    else
        entry.problem = finding.error();
    entry.uses = lab.take_uses();
    if (entry.problem.empty()) entry.problem = contradiction_in(entry);
    entry.seconds = watch.seconds();
}

/// Works on another thread, so that an interrupt takes effect before the work is done. Returns false if interrupted;
/// the work then continues until the program exits.
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
    return !interrupted();  // an interrupt may have cut the work short
}

/// The share of a processor's time that a busy thread gets.
double share_of_thread()
{
    constexpr double kBusySeconds = 0.02;
    const auto processor_seconds = [] {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    };
    const Stopwatch watch;
    const double start = processor_seconds();
    while (watch.seconds() < kBusySeconds) continue;
    return (processor_seconds() - start) / watch.seconds();
}

/// The same for as many threads as the lab has: less than 1 if other programs are running.
double share_of_processors(int threads)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // until idle worker threads sleep
    const unsigned max_threads = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::future<double>> shares(std::min(static_cast<unsigned>(threads), max_threads));
    for (auto& share : shares) share = std::async(std::launch::async, share_of_thread);
    double sum = 0;
    for (auto& share : shares) sum += share.get();
    return std::min(1.0, sum / static_cast<double>(shares.size()));
}

void print_entry(const LabEntry& entry)
{
    constexpr size_t kVerdictWidth = 22, kIndent = 4;
    const Verdict verdict = entry.verdict();
    const std::string title =
        wrapped(fmt::format("{}: {}", entry.name(), entry.claim->title), text_columns(), kVerdictWidth);
    fmt::print("{:<{}}{}\n", verdict == Verdict::kFailed ? "FAILED" : text_of(verdict), kVerdictWidth,
               title.substr(kVerdictWidth));
    const auto print = [](const std::string& text) {
        if (!text.empty()) fmt::print("{}\n", wrapped(text, text_columns(), kIndent));
    };
    print(entry.finding.measured);
    print(entry.problem);
    if (const Remark remark = remark_on(entry); !remark.text.empty())
        print(fmt::format("{}: {}", remark.label, remark.text));
    std::fflush(stdout);  // for readers of a pipe or a file
}

/// The output files, opened before the work begins so that it is not lost.
struct LabFiles {
    OutputFile page, json;

    static Result<LabFiles> open(const std::string& folder)
    {
        std::error_code problem;
        fs::create_directories(folder, problem);
        if (problem) return Error{fmt::format("cannot make the folder '{}': {}", folder, problem.message())};
        CommandFiles files;
        const auto page_path = files.write((fs::path(folder) / "index.html").string(), "the page");
        if (!page_path) return Error{page_path.error()};
        Result<OutputFile> page = OutputFile::open(*page_path);
        if (!page) return Error{page.error()};
        const auto json_path = files.write((fs::path(folder) / "lab.json").string(), "the numbers");
        if (!json_path) return Error{json_path.error()};
        Result<OutputFile> json = OutputFile::open(*json_path);
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
    fmt::print("\n{}\n{:.0f} s: {}\n", wrapped(counts_text(entries), text_columns(), 0), conditions.seconds, page);
    if (conditions.is_busy()) fmt::print("{}\n", conditions.busy_text());
}

/// Writes the claims that were finished and exits at once. A claim may still be running, so nothing that it uses may be
/// destroyed.
[[noreturn]] void end_interrupted(std::optional<LabFiles> files, const std::vector<LabEntry>& entries,
                                  const LabConditions& conditions)
{
    if (entries.empty()) {
        files.reset();
        print_error("tendril lab: interrupted; nothing was written\n");
    } else if (const auto wrong = files->finish(entries, conditions)) {
        print_error("tendril lab: {}\n", wrong->message);
    } else {
        print_error("tendril lab: interrupted; '{}' has {} of {} claims\n", files->page.path(), entries.size(),
                    conditions.asked);
    }
    std::fflush(nullptr);
    std::_Exit(kSimulationProblem);
}

int run_lab(const LabOptions& options)
{
    const std::vector<Paper> papers{mueller12(), sanchez15(), rungjiratananon11(), zappe20(), boercsoek20()};
    Result<std::vector<LabEntry>> entries = selected_claims(papers, options.name);
    if (!entries) return bad_input("lab", entries.error());
    if (options.list) {
        print_list(*entries);
        return kFine;
    }
    const Stopwatch watch;
    Result<LabFiles> files = LabFiles::open(options.output_folder());
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
            const auto show = [&] { progress.update(done, entry.name()); };
            show();
            if (!done_before_interruption([&] { evaluate(entry, lab); }, show))
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
    add_path_option(*command, "--out", options->folder,
                    "Folder for the page and lab.json; default: out/lab, or out/lab/NAME with NAME")
        ->type_name("FOLDER");
    command->add_option("--threads", options->threads, "Threads; 0: one per core")->check(CLI::Range(0, 1024));
    command->add_flag("--full", options->full, "Use the sizes of the papers; takes longer");
    command->add_flag("--list", options->list, "Print the claims and exit");
    command->add_flag("-q,--quiet", options->quiet, "Print nothing but errors");
    command->footer(kLabExamples);
    return [options] { return run_lab(*options); };
}

}  // namespace tendril::app
