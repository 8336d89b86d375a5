// `tendril compare`: one scene with several methods, side by side.
#include "command_files.h"
#include "commands.h"
#include "compare/knobs.h"
#include "compare/reference.h"
#include "compare/search.h"
#include "interrupt.h"
#include "output_file.h"
#include "panels.h"
#include "plots.h"
#include "print_error.h"
#include "scene_options.h"
#include "table.h"
#include "tendril/detail/nearest.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace tendril::app {
namespace {

// Methods whose deviations differ by less than this factor are equally good.
constexpr double kAlike = 1.1;

enum class Mode : uint8_t { kEqualTime, kEqualQuality, kAsIs };

struct CompareOptions {
    SceneOptions scene;
    std::vector<std::string> methods;
    std::string base = "dftl", equal = "time";
    bool as_is = false;
    std::optional<int64_t> frames;
    int reference_substeps = 0, threads = 1;
    std::string report, film;
    bool quiet = false;

    Mode mode() const { return as_is ? Mode::kAsIs : equal == "quality" ? Mode::kEqualQuality : Mode::kEqualTime; }
};

constexpr const char* kCompareExamples =
    "Methods are compared with the motion that 'direct' converges to with many substeps. With --equal time, each\n"
    "method gets as many iterations (pbd, xpbd, tressfx) or substeps (others) as fit into the time of the --base\n"
    "method, and fewer substeps than the scene if one iteration in each is already too expensive. With --equal\n"
    "quality, each gets the fewest that bring its mean distance from that motion within 10 % of the base's.\n\n"
    "Examples:\n"
    "  tendril compare mueller12_fig7\n"
    "  tendril compare mueller12_fig7 --equal quality --methods dftl,pbd --report fig7.json\n"
    "  tendril compare rope_drag --as-is --frames 200 --set solver.iterations=50\n"
    "  tendril compare hello --film hello.mp4 --size 480x540\n\n"
    "Exit codes: 0 fine, 1 not finite, stretched or interrupted, 2 bad input or usage.";

int stopped()
{
    print_error("tendril compare: interrupted; nothing was written\n");
    return kSimulationProblem;
}

std::vector<std::string> known_methods()
{
    return {std::begin(kSolverNames), std::end(kSolverNames)};
}

std::optional<Error> check_methods(const CompareOptions& options)
{
    const std::vector<std::string> known = known_methods();
    std::vector<std::string> asked = options.methods;
    asked.push_back(options.base);
    for (const std::string& name : asked) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const std::string nearest = nearest_name(name, known);
        std::string list;
        for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
        return Error{nearest.empty() ? fmt::format("there is no method '{}'; there are {}", name, list)
                                     : fmt::format("there is no method '{}'; did you mean '{}'?", name, nearest)};
    }
    for (auto name = options.methods.begin(); name != options.methods.end(); ++name)
        if (std::find(options.methods.begin(), name, *name) != name)
            return Error{fmt::format("--methods names '{}' twice", *name)};
    return {};
}

struct Outputs {
    std::optional<OutputFile> report;
    std::optional<PlotFiles> plots;
    std::optional<ComparisonFilm> film;
};

/// Opens the files before anything is simulated, so that no time is lost if one cannot be written.
std::optional<Error> open_outputs(const CompareOptions& options, const Comparison& comparison, size_t panels,
                                  Outputs& outputs)
{
    CommandFiles files;
    files.read_scene(comparison.subject.file, comparison.scene);
    if (!options.report.empty()) {
        const auto path = files.write(options.report, "--report");
        if (!path) return Error{path.error()};
        Result<OutputFile> report = OutputFile::open(*path);
        if (!report) return Error{report.error()};
        outputs.report.emplace(std::move(*report));
        if (!outputs.report->is_stream()) {
            Result<PlotFiles> plots = PlotFiles::open(files, options.report, Comparison{}.plots());
            if (!plots) return Error{plots.error()};
            outputs.plots.emplace(std::move(*plots));
        }
    }
    if (options.film.empty()) return {};
    Result<ComparisonFilm> film =
        ComparisonFilm::open(files, options.film, comparison.scene, comparison.subject.frames, panels);
    if (!film) return Error{film.error()};
    outputs.film.emplace(std::move(*film));
    return {};
}

/// The cost and deviation of the base method.
struct Measure {
    double nanoseconds = 0, deviation = 0;
};

/// Chooses the settings of a method.
Result<Found> settings_for(const std::string& method, const CompareOptions& options, const Subject& subject,
                           const Measure& base, const Reference& reference)
{
    if (options.mode() == Mode::kAsIs) return Found{{method}, {}};
    if (method == options.base) return Found{{method}, "base of the comparison"};
    if (options.mode() == Mode::kEqualTime) return match_cost(subject, method, base.nanoseconds, reference);
    return match_quality(subject, method, kAlike * base.deviation, reference);
}

/// A method that rejects the settings of the scene gets a row with the reason.
Row row_of(const std::string& method, const CompareOptions& options, const Subject& subject, const Measure& base,
           const Reference& reference)
{
    Row row{{method}, {}, {}, {}, 0, {}};
    const auto rejected = [&](const std::string& why) {
        row.problem = why;
        return row;
    };
    const Result<Found> found = settings_for(method, options, subject, base, reference);
    if (!found) return rejected(found.error());
    row.variant = found->variant;
    row.note = found->note;
    const Result<Scene> scene = scene_of(subject, row.variant);
    if (!scene) return rejected(scene.error());
    row.settings = settings_text(method, *scene);
    Result<SimReport> report = run_variant(subject, row.variant, &reference.path);
    if (!report) return rejected(report.error());
    const Result<double> cost = cost_of(subject, row.variant);
    if (!cost) return rejected(cost.error());
    row.nanoseconds = *cost;
    row.report.emplace(std::move(*report));
    return row;
}

std::optional<Error> compare_methods(const CompareOptions& options, const std::vector<std::string>& methods,
                                     Comparison& comparison)
{
    const Subject& subject = comparison.subject;
    const Variant base{options.base};
    const Result<World> world = build_unsettled(comparison.scene, make_thread_executor(subject.threads));
    if (!world) return Error{world.error()};
    comparison.strands = world->strand_count();
    comparison.particles = world->particle_count();
    Trajectory path(*world, subject.frames);
    if (const auto run = run_variant(subject, base, nullptr, &path); !run) return Error{run.error()};
    Result<Reference> reference = find_reference(subject, path, options.reference_substeps);
    if (!reference) return Error{reference.error()};
    comparison.reference.emplace(std::move(*reference));
    const Result<double> cost = cost_of(subject, base);
    if (!cost) return Error{cost.error()};
    const Measure measure{*cost, comparison.reference->deviation};
    for (const std::string& method : methods) {
        if (interrupted()) break;
        comparison.rows.push_back(row_of(method, options, subject, measure, *comparison.reference));
    }
    return {};
}

/// Returns the names of the files that were written.
Result<std::vector<std::string>> write_outputs(const Comparison& comparison, Outputs& outputs)
{
    std::vector<std::string> written;
    if (outputs.film) {
        std::vector<Panel> panels;
        for (const Row& row : comparison.rows)
            if (row.report) panels.push_back({row.variant, row.variant.method + ", " + row.settings});
        panels.push_back({comparison.reference->variant, "reference"});
        const Result<std::string> film = outputs.film->make(comparison.subject, panels);
        if (!film) return Error{film.error()};
        if (*film != outputs.film->path())
            print_error("tendril compare: cannot make a film without ffmpeg; the pictures are in '{}'\n", *film);
        written.push_back(*film);
    }
    if (outputs.report) {
        if (!outputs.report->finish(comparison.json()))
            return Error{fmt::format("cannot write '{}': {}", outputs.report->path(), write_problem())};
        written.push_back(outputs.report->path());
    }
    if (outputs.plots) {
        const auto plots = outputs.plots->finish(comparison.plots());
        if (!plots) return Error{plots.error()};
        written.insert(written.end(), plots->begin(), plots->end());
    }
    return written;
}

const char* mode_text(Mode mode)
{
    switch (mode) {
        case Mode::kEqualTime: return "equal time";
        case Mode::kEqualQuality: return "equal quality";
        case Mode::kAsIs: break;
    }
    return "as it is";
}

/// Grooms with a method of their own move in the same way in all runs; the user may not expect that.
void note_own_methods(const Scene& scene)
{
    for (size_t g = 0; g < scene.grooms.size(); ++g)
        if (scene.grooms[g].own_settings.count("solver.type"))
            print_error("tendril compare: groom {} has its own method and keeps it: {}\n", g,
                        kSolverNames[static_cast<size_t>(behaviour_of(scene, g).solver.type)]);
}

bool asked_for(const std::string& method, const CompareOptions& options)
{
    const auto& names = options.methods;
    return names.empty() || std::find(names.begin(), names.end(), method) != names.end();
}

/// Prints the results and returns the exit code. If all methods reject the scene, nothing was compared.
int conclude(const Comparison& comparison, const std::vector<std::string>& files, const CompareOptions& options)
{
    if (!options.quiet) fmt::print("{}", comparison.table(files));
    std::fflush(stdout);  // before the messages, if both go to the same place
    int code = kFine;
    bool any_ran = false;
    for (const Row& row : comparison.rows) {
        any_ran = any_ran || (row.report && asked_for(row.variant.method, options));
        const std::string problem = row.report ? row.report->problem() : std::string();
        if (problem.empty()) continue;
        print_error("tendril compare: {}: {}\n", row.variant.method, problem);
        code = kSimulationProblem;
    }
    if (any_ran) return code;
    for (const Row& row : comparison.rows)
        if (!row.report) print_error("tendril compare: {}: {}\n", row.variant.method, row.problem);
    return kSimulationProblem;
}

int run_compare(const CompareOptions& options)
{
    if (options.scene.scene.empty())
        return bad_input("compare", "which scene? Name a file, or try 'tendril compare mueller12_fig7'");
    if (const auto wrong = check_methods(options)) return bad_input("compare", wrong->message);
    const Result<std::string> file = scene_file(options.scene);
    if (!file) return bad_input("compare", file.error());
    const Result<Overrides> overrides = overrides_of(options.scene.overrides);
    if (!overrides) return bad_input("compare", overrides.error());
    Comparison comparison;
    comparison.subject = {*file, *overrides, 0, thread_count(options.threads),
                          options.quiet ? Visible::kNever : Visible::kOnTerminal};
    const Result<Scene> scene = scene_of(comparison.subject, {options.base});
    if (!scene) return bad_input("compare", scene.error());
    print_warnings(*scene);
    note_own_methods(*scene);
    comparison.scene = *scene;
    comparison.subject.frames = static_cast<uint64_t>(options.frames.value_or(scene->frames));
    if (comparison.subject.frames == 0)
        return bad_input("compare", "nothing moves in 0 frames; ask for more with --frames");
    comparison.mode = mode_text(options.mode());
    comparison.base = options.base;
    std::vector<std::string> methods = options.methods.empty() ? known_methods() : options.methods;
    if (options.mode() != Mode::kAsIs && !asked_for(options.base, options)) methods.push_back(options.base);
    catch_signals();
    Outputs outputs;
    if (const auto wrong = open_outputs(options, comparison, methods.size() + 1, outputs))
        return bad_input("compare", wrong->message);
    const auto wrong = compare_methods(options, methods, comparison);
    if (interrupted()) return stopped();
    if (wrong) return bad_input("compare", wrong->message);
    const auto written = write_outputs(comparison, outputs);
    if (!written) return interrupted() ? stopped() : bad_input("compare", written.error());
    return conclude(comparison, *written, options);
}

}  // namespace

Run add_compare_command(CLI::App& program)
{
    const auto options = std::make_shared<CompareOptions>();
    CLI::App* command = program.add_subcommand("compare", "Run a scene with several methods: table, plots, film");
    add_scene_options(*command, options->scene);
    add_picture_options(*command, options->scene);
    command
        ->add_option_function<std::string>(
            "--methods",
            [options](const std::string& names) {
                options->methods = CLI::detail::split(names, ',');
                for (std::string& name : options->methods) CLI::detail::trim(name);
            },
            "Methods as in solver.type, such as dftl,pbd; default: all")
        ->take_last()
        ->type_name("NAMES");
    command->add_option("--base", options->base, "Method that the others are matched to; default: dftl")
        ->type_name("NAME");
    CLI::Option* equal = command->add_option("--equal", options->equal, "What to match: time (the default) or quality")
                             ->type_name("WORD")
                             ->check(CLI::IsMember({"time", "quality"}));
    command->add_flag("--as-is", options->as_is, "Use the settings of the scene")->excludes(equal);
    command->add_option("--frames", options->frames, "Frames to simulate; default: sim.frames")
        ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000}));
    command
        ->add_option("--reference-substeps", options->reference_substeps,
                     "Substeps of the reference; 0: as many as it takes to converge")
        ->type_name("N")
        ->check(CLI::Range(0, 1000));
    command
        ->add_option("--threads", options->threads, "Threads; 0: one per core. Default: 1, for the most reliable times")
        ->check(CLI::Range(0, 1024));
    add_path_option(*command, "--report", options->report,
                    "Write the results as JSON, and plots beside it: for FILE.json, FILE.deviation.svg, "
                    "FILE.stretch.svg, FILE.energy.svg");
    add_path_option(*command, "--film", options->film,
                    "Write a film, .mp4, with a panel for each method; --size is the size of a panel");
    command->add_flag("--quiet,-q", options->quiet, "No progress bar and no table");
    command->footer(kCompareExamples);
    return [options] { return run_compare(*options); };
}

}  // namespace tendril::app
