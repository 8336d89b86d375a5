// `tendril run`: simulates a scene and makes a film of it. One thread simulates the next picture's frames while the
// other draws. What is finished is on disk at any moment; a run that was ended goes on from there.
#include "cache_output.h"
#include "commands.h"
#include "film_pictures.h"
#include "interrupt.h"
#include "output_file.h"
#include "plots.h"
#include "progress.h"
#include "report.h"
#include "scene_options.h"
#include "scene_view.h"
#include "tendril/version.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <optional>
#include <sstream>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
    SceneOptions scene;
    std::optional<int64_t> frames;
    std::string folder;
    int threads = 0;
    bool quiet = false, again = false;
};

constexpr const char* kExamples =
    "Everything goes to a folder of its own, out/SCENE: film, poster, cache, report, plots. A run that was "
    "interrupted\n"
    "goes on where it was when it is started again, and the film is the same.\n\n"
    "Examples:\n"
    "  tendril run long_hair\n"
    "  tendril run long_hair --hair blonde --quality good --size 1920x1080\n"
    "  tendril run bust --out films --frames 60 --overlay speed\n"
    "  tendril run scenes/creature.toml --azimuth 1.2 --set render.shutter=0.5\n\n"
    "Exit codes: 0 fine, 1 not finite, stretched or interrupted, 2 bad input or usage.";

int bad_input(const std::string& message)
{
    fmt::print(stderr, "tendril run: {}\n", message);
    return kBadInput;
}

double seconds_since(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Where what goes.
struct Paths {
    std::string folder, name;

    std::string file(const char* ending) const { return fmt::format("{}/{}{}", folder, name, ending); }
    std::string film() const { return file(".mp4"); }
    std::string poster() const { return file(".png"); }
    std::string cache() const { return file(".tendril"); }
    std::string report() const { return file(".json"); }
    std::string pictures() const { return file("_pictures"); }
    std::string unfinished() const { return file("_unfinished"); }
    std::string checkpoint() const { return unfinished() + "/checkpoint"; }
};

/// The state of world and report after a picture that is on disk.
struct Checkpoint {
    std::vector<std::byte> report, world;
};

std::optional<Error> write_checkpoint(const std::string& file, const Checkpoint& checkpoint)
{
    Result<OutputFile> out = OutputFile::open(file);
    if (!out) return Error{out.error()};
    const uint64_t size = checkpoint.report.size();
    std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
    for (const auto& part : {checkpoint.report, checkpoint.world})
        bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
    if (!out->finish(bytes)) return Error{fmt::format("cannot write '{}': {}", file, std::strerror(errno))};
    return {};
}

/// Brings world and report to where they were; false where there is nothing to go on from.
bool load_checkpoint(const std::string& file, World& world, SimReport& report)
{
    std::ifstream in(file, std::ios::binary);
    if (!in) return false;
    std::ostringstream text;
    text << in.rdbuf();
    const std::string bytes = text.str();
    uint64_t size = 0;
    if (bytes.size() < sizeof size) return false;
    std::memcpy(&size, bytes.data(), sizeof size);
    const auto all = std::as_bytes(std::span(bytes)).subspan(sizeof size);
    if (size > all.size()) return false;
    return world.load(all.subspan(size)) && report.restore(all.first(size));
}

/// A frame to be drawn, and where to go on from once it is.
struct Work {
    size_t picture = 0;
    Frame frame;
    Checkpoint checkpoint;
};

/// Simulates ahead of the one who draws.
class Simulation {
public:
    Simulation(World& world, SimReport& report, CacheOutput* cache, const SceneView& view, uint64_t frames,
               uint64_t every)
        : world_(world), report_(report), cache_(cache), view_(view), frames_(frames), every_(every)
    {
        if (world.steps() == 0) measure();
    }

    /// Up to the frame of the next picture. Nothing at the end, or when interrupted.
    Result<std::optional<Work>> next()
    {
        while (world_.steps() < frames_ && !interrupted()) {
            report_.add_step(world_.step());
            measure();
            const uint64_t frame = world_.steps();
            if (cache_ && frame > cache_->frames())
                if (const auto added = cache_->add_frame(world_); !added) return Error{added.error()};
            if (frame % every_ != 0) continue;
            Work work;
            work.picture = frame / every_ - 1;
            work.frame = view_.frame_of(world_, before_ ? &*before_ : nullptr);
            work.checkpoint = {report_.save(), world_.save()};
            before_ = work.frame;
            return std::optional(std::move(work));
        }
        return std::optional<Work>();
    }

private:
    void measure()
    {
        const auto start = std::chrono::steady_clock::now();
        const Metrics metrics = world_.measure();
        report_.add_metrics(metrics, seconds_since(start));
    }

    World& world_;
    SimReport& report_;
    CacheOutput* cache_;
    const SceneView& view_;
    uint64_t frames_, every_;
    std::optional<Frame> before_;
};

/// Draws a picture and puts it and what comes after it on disk.
std::optional<Error> draw(const Work& work, const SceneView& view, FilmPictures& pictures, const Paths& paths)
{
    if (!pictures.has(work.picture)) {
        const Result<Picture> picture = view.picture(work.frame, view.settings());
        if (!picture) return Error{picture.error()};
        if (const auto put = pictures.put(work.picture, *picture); !put) return Error{put.error()};
    }
    return write_checkpoint(paths.checkpoint(), work.checkpoint);
}

/// All pictures that are not there yet. The report is the simulation's while it runs.
std::optional<Error> make_pictures(Simulation& simulation, const SceneView& view, FilmPictures& pictures,
                                   const Paths& paths, uint64_t every, SimReport& report, Progress& progress)
{
    double spent = 0;
    size_t drawn = 0;
    const auto go_on = [&] { return std::async(std::launch::async, [&] { return simulation.next(); }); };
    auto ahead = go_on();
    while (true) {
        Result<std::optional<Work>> work = ahead.get();
        if (!work) return Error{work.error()};
        if (!*work) return {};
        ahead = go_on();
        const auto start = std::chrono::steady_clock::now();
        if (const auto wrong = draw(**work, view, pictures, paths)) return wrong;
        const double seconds = seconds_since(start);
        spent += seconds;
        ahead.wait();
        report.add_render(seconds, every);
        progress.update((*work)->picture + 1, fmt::format("{:.2f} s each", spent / static_cast<double>(++drawn)));
    }
}

/// Film, poster, plots and report. The names of what was written.
Result<std::vector<std::string>> finish(const Scene& scene, FilmPictures& pictures, size_t count,
                                        const SimReport& report, const Paths& paths, Visible visible)
{
    std::vector<std::string> written;
    const double rate = 1 / (scene.world.dt * static_cast<double>(scene.render.every));
    if (count > 0) {
        const auto poster = static_cast<size_t>(scene.render.poster * static_cast<double>(count - 1) + 0.5);
        const Result<Picture> picture = pictures.get(poster);
        if (!picture) return Error{picture.error()};
        if (const auto put = write_png(paths.poster(), *picture); !put) return Error{put.error()};
        if (have_ffmpeg()) {
            const auto film = pictures.make_film(paths.film(), count, rate, visible);
            if (!film) return Error{film.error()};
            written.push_back(paths.film());
        }
        if (scene.output.frames || !have_ffmpeg()) {
            const auto copied = pictures.copy_to(paths.pictures(), count);
            if (!copied) return Error{copied.error()};
            written.push_back(paths.pictures());
        }
        written.push_back(paths.poster());
    }
    Result<OutputFile> json = OutputFile::open(paths.report());
    if (!json) return Error{json.error()};
    if (!json->finish(report.json()))
        return Error{fmt::format("cannot write '{}': {}", paths.report(), std::strerror(errno))};
    written.push_back(paths.report());
    Result<PlotFiles> plots = PlotFiles::open(paths.folder, paths.name);
    if (!plots) return Error{plots.error()};
    const auto files = plots->finish(report.series(), scene.name);
    if (!files) return Error{files.error()};
    written.insert(written.end(), files->begin(), files->end());
    return written;
}

/// Everything that the film depends on.
std::string description_of(const std::string& file, const RunOptions& options, uint64_t frames, World& world)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << TENDRIL_VERSION << '\n' << in.rdbuf() << '\n' << frames << '\n' << world.state_hash() << '\n';
    for (const std::string& set : options.scene.overrides) text << set << '\n';
    return text.str();
}

int run(const RunOptions& options)
{
    if (options.scene.scene.empty()) return bad_input("which scene? Name a file, or try 'tendril run long_hair'");
    const auto start = std::chrono::steady_clock::now();
    const Result<std::string> file = scene_file(options.scene);
    if (!file) return bad_input(file.error());
    Result<Scene> scene = load_scene(options.scene, *file);
    if (!scene) return bad_input(scene.error());
    const auto frames = static_cast<uint64_t>(options.frames.value_or(scene->frames));
    scene->frames = static_cast<int64_t>(frames);
    const auto every = static_cast<uint64_t>(scene->render.every);
    const size_t count = frames / every;
    catch_signals();
    const int threads = thread_count(options.threads);
    Result<World> world = build_unsettled(*scene, threads);
    if (!world) return bad_input(world.error());
    const Result<SceneView> view = SceneView::create(*scene, *world, make_thread_executor(threads));
    if (!view) return bad_input(view.error());

    const std::string parent = options.folder.empty() ? scene->output.folder : options.folder;
    const Paths paths{(fs::path(parent) / scene->name).lexically_normal().string(), scene->name};
    const uint64_t print = fingerprint(description_of(*file, options, frames, *world));
    Result<FilmPictures> pictures = FilmPictures::open(paths.unfinished(), print);
    if (!pictures) return bad_input(pictures.error());
    SimReport report(*scene, *world, threads, seconds_since(start));
    std::error_code ignored;
    if (options.again) pictures->start_anew();
    if (!fs::exists(paths.checkpoint(), ignored)) fs::remove(paths.cache() + ".part", ignored);
    std::optional<CacheOutput> cache;
    if (scene->output.cache) {
        auto opened = CacheOutput::resume(paths.cache(), *world);
        if (!opened) return bad_input(opened.error());
        cache.emplace(std::move(*opened));
    }
    // Frames must be in the cache up to where the checkpoint goes on; else somebody has been at the files.
    bool resumed = load_checkpoint(paths.checkpoint(), *world, report);
    if (resumed && cache && cache->frames() < world->steps()) {
        resumed = false;
        world = build_unsettled(*scene, threads);
        if (!world) return bad_input(world.error());
        report = SimReport(*scene, *world, threads, seconds_since(start));
    }
    if (!resumed) world->settle(scene->settle, scene->settle_wind);
    if (resumed && !options.quiet) fmt::print("going on after frame {} of {}\n", world->steps(), frames);

    const Visible visible = options.quiet ? Visible::kNever : Visible::kOnTerminal;
    {
        Progress progress("picture", world->steps() / every, count, visible);
        Simulation simulation(*world, report, cache ? &*cache : nullptr, *view, frames, every);
        if (const auto wrong = make_pictures(simulation, *view, *pictures, paths, every, report, progress))
            return bad_input(wrong->message);
    }
    report.finish(*world, seconds_since(start));
    if (interrupted()) {
        fmt::print(stderr, "tendril run: interrupted at frame {}; start it again to go on\n", world->steps());
        return kSimulationProblem;
    }
    Result<std::vector<std::string>> written = finish(*scene, *pictures, count, report, paths, visible);
    if (!written) return bad_input(written.error());
    if (cache) {
        if (const auto finished = cache->finish(); !finished) return bad_input(finished.error());
        written->push_back(paths.cache());
    }
    pictures->remove();  // last: up to here a run that is killed goes on
    if (!options.quiet) fmt::print("{}", report.table(*written));
    if (!have_ffmpeg())
        fmt::print(stderr, "tendril run: there is no ffmpeg, so there is no film: the pictures are in '{}'\n",
                   paths.pictures());
    const std::string problem = report.problem();
    if (!problem.empty()) fmt::print(stderr, "tendril run: {}\n", problem);
    return problem.empty() ? kFine : kSimulationProblem;
}

}  // namespace

Run add_run_command(CLI::App& program)
{
    const auto options = std::make_shared<RunOptions>();
    CLI::App* command = program.add_subcommand("run", "Simulate a scene and make a film of it");
    add_scene_options(*command, options->scene);
    add_picture_options(*command, options->scene);
    command->add_option("--frames", options->frames, "Frames to simulate; default: sim.frames")
        ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000}));
    command->add_option("--out", options->folder, "Folder for the folder of the scene; default: output.folder")
        ->type_name("FOLDER");
    command->add_option("--threads", options->threads, "Threads; 0: one per core. Results do not depend on it")
        ->check(CLI::Range(0, 1024));
    command->add_flag("--again", options->again, "Start anew, even where an interrupted run could go on");
    command->add_flag("--quiet,-q", options->quiet, "No progress bar and no table");
    command->footer(kExamples);
    return [options] { return run(*options); };
}

}  // namespace tendril::app
