// `tendril sim`: simulates a scene and reports the results.
#include "cache_output.h"
#include "command_files.h"
#include "commands.h"
#include "input_file.h"
#include "interrupt.h"
#include "output_file.h"
#include "plots.h"
#include "print_error.h"
#include "report.h"
#include "scene_options.h"
#include "simulate.h"
#include "stopwatch.h"
#include "tendril/scene.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tendril::app {
namespace {

struct SimOptions {
    SceneOptions scene;
    std::optional<int64_t> frames;
    int threads = 0;
    std::string report, cache, save_state, load_state;
    int64_t metrics_every = 1;
    bool quiet = false, keys = false;

    Visible visible() const { return quiet ? Visible::kNever : Visible::kOnTerminal; }
};

constexpr const char* kSimExamples =
    "SCENE is a file or the name of a scene that comes with the program, such as hello.\n\n"
    "Examples:\n"
    "  tendril sim hello\n"
    "  tendril sim scenes/rope_drag.toml --report rope.json --set solver.velocity_correction=0.8\n"
    "  tendril sim bust --cache bust.tendril\n"
    "  tendril sim head_10k --threads 2 --set groom.strands=5000 --frames 60\n"
    "  tendril sim hello --frames 60 --save-state half.state\n"
    "  tendril sim hello --frames 120 --load-state half.state\n"
    "  tendril sim --keys > scene.md\n\n"
    "Exit codes: 0 fine, 1 not finite, stretched or interrupted, 2 bad input or usage.";

/// Continues from a saved state, up to frame `frames`.
std::optional<Error> load_state(World& world, const std::string& file, uint64_t frames)
{
    // A state is about as large as the world. A much larger file is not a state, so do not allocate memory for it.
    constexpr size_t kMaxOverhead = size_t{64} << 20;
    const auto bytes = read_regular_file(file, 2 * world.bytes() + kMaxOverhead);
    if (!bytes) return Error{bytes.error()};
    const Result<uint64_t> loaded = world.load(*bytes);
    if (!loaded) return Error{fmt::format("'{}': {}", file, loaded.error())};
    if (world.steps() < frames) return {};
    return Error{fmt::format("'{}' is already at frame {}; ask for more with --frames, which counts from the start",
                             file, world.steps())};
}

struct SimOutputs {
    std::optional<OutputFile> report, state;
    std::optional<PlotFiles> plots;
    std::optional<OutputPath> cache_path;
    std::optional<CacheOutput> cache;
};

/// Opens the files before anything is simulated, so that no time is lost if one cannot be written. Never overwrites an
/// input file.
std::optional<Error> open_outputs(const SimOptions& options, CommandFiles& files, SimOutputs& outputs)
{
    const auto open = [&](const std::string& path, const char* option,
                          std::optional<OutputFile>& out) -> std::optional<Error> {
        if (path.empty()) return {};
        const auto output = files.write(path, option);
        if (!output) return Error{output.error()};
        Result<OutputFile> file = OutputFile::open(*output);
        if (!file) return Error{file.error()};
        out.emplace(std::move(*file));
        return {};
    };
    if (auto wrong = open(options.report, "--report", outputs.report)) return wrong;
    if (auto wrong = open(options.save_state, "--save-state", outputs.state)) return wrong;
    if (outputs.report && !outputs.report->is_stream()) {
        Result<PlotFiles> plots = PlotFiles::open(files, options.report);
        if (!plots) return Error{plots.error()};
        outputs.plots.emplace(std::move(*plots));
    }
    if (options.cache.empty()) return {};
    if (const auto format = format_of_ending(options.cache); format && *format != CurveFormat::kCache)
        return Error{
            fmt::format("--cache '{}' writes a Tendril cache; call it .tendril and convert it with "
                        "'tendril groom convert'",
                        options.cache)};
    const auto cache = files.write(options.cache, "--cache");
    if (!cache) return Error{cache.error()};
    outputs.cache_path.emplace(*cache);
    return {};
}

/// Creates the cache, which needs the strands of the world, but not their positions.
std::optional<Error> open_cache(SimOutputs& outputs, World& world)
{
    if (!outputs.cache_path) return {};
    auto created = CacheOutput::create(*outputs.cache_path, world);
    if (!created) return Error{created.error()};
    outputs.cache.emplace(std::move(*created));
    return {};
}

/// Writes the requested outputs and returns the names of the files.
Result<std::vector<std::string>> write_outputs(const World& world, const SimReport& report, SimOutputs& outputs)
{
    std::vector<std::string> written;
    const auto write = [&](std::optional<OutputFile>& file, std::string_view bytes) {
        if (!file->finish(bytes)) return false;
        written.push_back(file->path());
        return true;
    };
    if (outputs.state) {
        const std::vector<std::byte> bytes = world.save();
        if (!write(outputs.state, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}))
            return Error{fmt::format("cannot write '{}': {}", outputs.state->path(), write_problem())};
    }
    if (outputs.report && !write(outputs.report, report.json()))
        return Error{fmt::format("cannot write '{}': {}", outputs.report->path(), write_problem())};
    if (outputs.plots) {
        const auto plots = outputs.plots->finish(plots_of(report.series(), report.scene_name()));
        if (!plots) return Error{plots.error()};
        written.insert(written.end(), plots->begin(), plots->end());
    }
    if (outputs.cache && interrupted()) {
        written.push_back(outputs.cache_path->path() + ".part");  // keeps an earlier cache
    } else if (outputs.cache) {
        if (const auto finished = outputs.cache->finish(); !finished) return Error{finished.error()};
        written.push_back(outputs.cache_path->path());
    }
    return written;
}

/// Prints the results and returns the exit code.
int conclude(const SimReport& report, const World& world, const SimOptions& options,
             const std::vector<std::string>& files)
{
    if (!options.quiet) fmt::print("{}", report.table(files));
    std::fflush(stdout);  // before the messages, if both go to the same place
    print_warnings("sim", report.warnings());
    const std::string problem = report.problem();
    if (!problem.empty()) print_error("tendril sim: {}\n", problem);
    if (interrupted()) print_error("tendril sim: interrupted after frame {}\n", world.steps());
    return problem.empty() && !interrupted() ? kFine : kSimulationProblem;
}

int run_sim(const SimOptions& options)
{
    if (options.keys) {
        fmt::print("{}", scene_reference());
        return kFine;
    }
    if (options.scene.scene.empty()) return bad_input("sim", "which scene? Name a file, or try 'tendril sim hello'");
    const Stopwatch watch;
    const Result<std::string> file = scene_file(options.scene);
    if (!file) return bad_input("sim", file.error());
    const Result<Scene> scene = load_scene(options.scene, *file);
    if (!scene) return bad_input("sim", scene.error());
    catch_signals();
    CommandFiles files;
    files.read_scene(*file, *scene);
    files.read(options.load_state, "the state to load");
    SimOutputs outputs;
    if (const auto wrong = open_outputs(options, files, outputs)) return bad_input("sim", wrong->message);
    const int threads = thread_count(options.threads);
    Result<World> world = build_unsettled(*scene, make_thread_executor(threads));
    if (!world) return bad_input("sim", world.error());
    const auto frames = static_cast<uint64_t>(options.frames.value_or(scene->frames));
    const bool continues = !options.load_state.empty();
    if (continues)
        if (const auto wrong = load_state(*world, options.load_state, frames)) return bad_input("sim", wrong->message);
    if (const auto wrong = open_cache(outputs, *world)) return bad_input("sim", wrong->message);
    if (!continues)
        if (const auto wrong = settle(*world, *scene, options.visible())) return bad_input("sim", wrong->message);

    SimReport report(*scene, *world, threads, watch.seconds());
    const auto keep = [&](World& now) -> std::optional<Error> {
        if (!outputs.cache) return {};
        const auto added = outputs.cache->add_frame(now);
        return added ? std::nullopt : std::optional(Error{added.error()});
    };
    const auto every = static_cast<uint64_t>(options.metrics_every);
    if (const auto wrong = simulate(*world, {frames, every, options.visible(), {}}, report, keep))
        return bad_input("sim", wrong->message);
    const auto written = write_outputs(*world, report, outputs);
    if (!written) return bad_input("sim", written.error());
    return conclude(report, *world, options, *written);
}

}  // namespace

Run add_sim_command(CLI::App& program)
{
    const auto options = std::make_shared<SimOptions>();
    CLI::App* sim = program.add_subcommand("sim", "Simulate a scene");
    add_scene_options(*sim, options->scene);
    sim->add_option("--frames", options->frames, "Last frame, counted from the start of the scene; default: sim.frames")
        ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000}));
    sim->add_option("--threads", options->threads, "Threads; 0: one per core. Results do not depend on them")
        ->check(CLI::Range(0, 1024));
    add_path_option(*sim, "--report", options->report,
                    "Write the results as JSON, and plots beside it: for FILE.json, FILE.stretch.svg, FILE.energy.svg, "
                    "FILE.speed.svg, FILE.time.svg");
    add_path_option(*sim, "--cache", options->cache, "Write the curves of every frame; see 'tendril groom convert'");
    add_path_option(*sim, "--save-state", options->save_state, "Write the state after the last frame");
    add_path_option(*sim, "--load-state", options->load_state, "Continue from a saved state of the same scene");
    sim->add_option("--metrics-every", options->metrics_every, "Measure every N frames; 0: only the first and last")
        ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000}));
    sim->add_flag("--quiet,-q", options->quiet, "No progress bar and no table");
    sim->add_flag("--keys", options->keys, "Print all keys of scene files, as Markdown, and exit");
    sim->footer(kSimExamples);
    return [options] { return run_sim(*options); };
}

}  // namespace tendril::app
