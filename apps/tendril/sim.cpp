// `tendril sim`: simulates a scene and reports the results.
#include "cache_output.h"
#include "commands.h"
#include "interrupt.h"
#include "output_file.h"
#include "plots.h"
#include "report.h"
#include "scene_options.h"
#include "simulate.h"
#include "stopwatch.h"
#include "tendril/scene.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

struct SimOptions {
    SceneOptions scene;
    std::optional<int64_t> frames;
    int threads = 0;
    std::string report, cache, save_state, load_state;
    int64_t metrics_every = 1;
    bool quiet = false, keys = false;
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

/// Loads a saved state into the world; returns an error if that fails.
std::optional<Error> load_state(World& world, const std::string& file)
{
    std::error_code problem;
    if (fs::is_directory(file, problem)) return Error{fmt::format("'{}' is a folder, not a saved state", file)};
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    const uintmax_t size = fs::file_size(file, problem);
    if (!in || problem) return Error{fmt::format("cannot open '{}': {}", file, std::strerror(errno ? errno : EINVAL))};
    // A state is about as large as the world. A much larger file is not a state, so do not allocate memory for it.
    constexpr uintmax_t kMaxOverhead = uintmax_t{64} << 20;
    if (size > 2 * static_cast<uintmax_t>(world.bytes()) + kMaxOverhead)
        return Error{fmt::format("'{}': too large for a state of this scene", file)};
    std::vector<std::byte> bytes(size);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (!in) return Error{fmt::format("cannot read '{}'", file)};
    const Result<uint64_t> loaded = world.load(bytes);
    if (!loaded) return Error{fmt::format("'{}': {}", file, loaded.error())};
    return {};
}

struct SimOutputs {
    std::optional<OutputFile> report, state;
    std::optional<PlotFiles> plots;
};

/// Opens plots beside the report if it is a file.
std::optional<Error> open_plots(SimOutputs& outputs)
{
    if (!outputs.report || outputs.report->is_stream()) return {};
    Result<PlotFiles> plots = PlotFiles::beside(outputs.report->path());
    if (!plots) return Error{plots.error()};
    outputs.plots.emplace(std::move(*plots));
    return {};
}

/// Opens the files before anything is simulated, so that no time is lost if one cannot be written. Never overwrites an
/// input file.
std::optional<Error> open_outputs(const SimOptions& options, const std::string& scene_file, SimOutputs& outputs)
{
    const auto open = [&](const std::string& path, std::optional<OutputFile>& out) -> std::optional<Error> {
        if (path.empty()) return {};
        if (same_file(path, scene_file)) return Error{fmt::format("'{}' is the scene; write to another file", path)};
        Result<OutputFile> file = OutputFile::open(path);
        if (!file) return Error{file.error()};
        out.emplace(std::move(*file));
        return {};
    };
    if (same_file(options.report, options.save_state))
        return Error{fmt::format("--report and --save-state are both '{}'", options.report)};
    if (same_file(options.report, options.load_state))
        return Error{fmt::format("'{}' is the state to load; write the report to another file", options.report)};
    if (same_file(options.cache, scene_file))
        return Error{fmt::format("'{}' is the scene; write to another file", options.cache)};
    for (const std::string& other : {options.report, options.save_state, options.load_state})
        if (same_file(options.cache, other)) return Error{fmt::format("--cache and another file are both '{}'", other)};
    if (auto wrong = open(options.report, outputs.report)) return wrong;
    if (auto wrong = open_plots(outputs)) return wrong;
    return open(options.save_state, outputs.state);
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
            return Error{fmt::format("cannot write '{}': {}", outputs.state->path(), std::strerror(errno))};
    }
    if (outputs.report && !write(outputs.report, report.json()))
        return Error{fmt::format("cannot write '{}': {}", outputs.report->path(), std::strerror(errno))};
    if (outputs.plots) {
        const auto plots = outputs.plots->finish(plots_of(report.series(), report.scene_name()));
        if (!plots) return Error{plots.error()};
        written.insert(written.end(), plots->begin(), plots->end());
    }
    return written;
}

/// Prints the results and returns the exit code.
int conclude(const SimReport& report, const World& world, const SimOptions& options,
             const std::vector<std::string>& files)
{
    if (!options.quiet) fmt::print("{}", report.table(files));
    if (std::fflush(stdout) != 0)
        return bad_input("sim", fmt::format("cannot write the table: {}", std::strerror(errno)));
    print_warnings("sim", report.warnings());
    const std::string problem = report.problem();
    if (!problem.empty()) fmt::print(stderr, "tendril sim: {}\n", problem);
    if (interrupted()) fmt::print(stderr, "tendril sim: interrupted after frame {}\n", world.steps());
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
    SimOutputs outputs;
    if (const auto wrong = open_outputs(options, *file, outputs)) return bad_input("sim", wrong->message);
    const int threads = thread_count(options.threads);
    Result<World> world = build_unsettled(*scene, make_thread_executor(threads));
    if (!world) return bad_input("sim", world.error());
    const Visible visible = options.quiet ? Visible::kNever : Visible::kOnTerminal;
    if (options.load_state.empty())
        if (const auto wrong = settle(*world, *scene, visible)) return bad_input("sim", wrong->message);
    const auto frames = static_cast<uint64_t>(options.frames.value_or(scene->frames));
    if (!options.load_state.empty()) {
        if (const auto wrong = load_state(*world, options.load_state)) return bad_input("sim", wrong->message);
        if (world->steps() >= frames)
            return bad_input(
                "sim",
                fmt::format("'{}' is already at frame {}; ask for more with --frames, which counts from the start",
                            options.load_state, world->steps()));
    }

    std::optional<CacheOutput> cache;
    if (!options.cache.empty()) {
        if (const auto format = format_of_ending(options.cache); format && *format != CurveFormat::kCache)
            return bad_input("sim",
                             fmt::format("--cache '{}' writes a Tendril cache; call it .tendril and convert it with "
                                         "'tendril groom convert'",
                                         options.cache));
        auto created = CacheOutput::create(options.cache, *world);
        if (!created) return bad_input("sim", created.error());
        cache.emplace(std::move(*created));
    }
    SimReport report(*scene, *world, threads, watch.seconds());
    const auto keep = [&](World& now) -> std::optional<Error> {
        if (!cache) return {};
        const auto added = cache->add_frame(now);
        return added ? std::nullopt : std::optional(Error{added.error()});
    };
    const auto every = static_cast<uint64_t>(options.metrics_every);
    if (const auto wrong = simulate(*world, {frames, every, visible, {}}, report, keep))
        return bad_input("sim", wrong->message);
    auto written = write_outputs(*world, report, outputs);
    if (!written) return bad_input("sim", written.error());
    if (cache && interrupted()) {
        written->push_back(options.cache + ".part");  // keeps an earlier cache
    } else if (cache) {
        if (const auto finished = cache->finish(); !finished) return bad_input("sim", finished.error());
        written->push_back(options.cache);
    }
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
    sim->add_option("--report", options->report,
                    "Write the results as JSON, and plots beside it: for FILE.json, FILE.stretch.svg, FILE.energy.svg, "
                    "FILE.speed.svg, FILE.time.svg")
        ->type_name("FILE");
    sim->add_option("--cache", options->cache, "Write the curves of every frame; see 'tendril groom convert'")
        ->type_name("FILE");
    sim->add_option("--save-state", options->save_state, "Write the state after the last frame")->type_name("FILE");
    sim->add_option("--load-state", options->load_state, "Continue from a saved state of the same scene")
        ->type_name("FILE");
    sim->add_option("--metrics-every", options->metrics_every, "Measure every N frames; 0: only the first and last")
        ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000}));
    sim->add_flag("--quiet,-q", options->quiet, "No progress bar and no table");
    sim->add_flag("--keys", options->keys, "Print all keys of scene files, as Markdown, and exit");
    sim->footer(kSimExamples);
    return [options] { return run_sim(*options); };
}

}  // namespace tendril::app
