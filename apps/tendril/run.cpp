// `tendril run`: simulates a scene and makes a film of it. One thread simulates the frames of the next picture while
// another draws. Finished pictures and a checkpoint are always on disk, so an interrupted run can continue.
#include "cache_output.h"
#include "command_files.h"
#include "commands.h"
#include "film_pictures.h"
#include "input_file.h"
#include "interrupt.h"
#include "output_file.h"
#include "plots.h"
#include "print_error.h"
#include "progress.h"
#include "report.h"
#include "scene_options.h"
#include "simulate.h"
#include "stopwatch.h"
#include "tendril/scene_view.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <future>
#include <limits>
#include <optional>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
    SceneOptions scene;
    std::optional<int64_t> frames;
    std::string folder;
    int threads = 0;
    bool quiet = false, again = false;

    Visible visible() const { return quiet ? Visible::kNever : Visible::kOnTerminal; }
};

constexpr const char* kRunExamples =
    "Film, poster, cache, report and plots go to the folder out/SCENE. To continue an interrupted run, start it "
    "again;\n"
    "the film is the same.\n\n"
    "Examples:\n"
    "  tendril run long_hair\n"
    "  tendril run long_hair --hair blonde --quality good --size 1920x1080\n"
    "  tendril run bust --out films --frames 60 --overlay speed\n"
    "  tendril run scenes/creature.toml --azimuth 1.2 --set render.shutter=0.5\n\n"
    "Exit codes: 0 fine, 1 not finite, stretched or interrupted, 2 bad input or usage.";

/// The output files, which are checked before the work begins.
struct Paths {
    std::string folder, name;
    OutputPath film, poster, cache, report, pictures, unfinished;

    static Result<Paths> of(CommandFiles& files, const std::string& folder, const std::string& name)
    {
        const auto path = [&](const char* ending) { return fmt::format("{}/{}{}", folder, name, ending); };
        const auto film = files.write(path(".mp4"), "the film"), poster = files.write(path(".png"), "the poster"),
                   cache = files.write(path(".tendril"), "the cache"),
                   report = files.write(path(".json"), "the report"),
                   pictures = files.write_pictures(path("_pictures")),
                   unfinished = files.write_folder(path("_unfinished"));
        for (const auto* output : {&film, &poster, &cache, &report, &pictures, &unfinished})
            if (!*output) return Error{output->error()};
        return Paths{folder, name, *film, *poster, *cache, *report, *pictures, *unfinished};
    }
    std::string checkpoint() const { return unfinished.path() + "/checkpoint"; }
};

/// The state of world and report after a picture that is on disk.
struct Checkpoint {
    std::vector<std::byte> report, world;
};

/// The checkpoint lies in a folder that belongs to the run, so it needs no check of its own.
std::optional<Error> write_checkpoint(const std::string& file, const Checkpoint& checkpoint)
{
    CommandFiles files;
    const auto path = files.write(file, "the checkpoint");
    if (!path) return Error{path.error()};
    Result<OutputFile> out = OutputFile::open(*path);
    if (!out) return Error{out.error()};
    const uint64_t size = checkpoint.report.size();
    std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
    for (const auto* part : {&checkpoint.report, &checkpoint.world})
        bytes.append(reinterpret_cast<const char*>(part->data()), part->size());
    if (!out->finish(bytes)) return Error{fmt::format("cannot write '{}': {}", file, write_problem())};
    return {};
}

/// Restores world and report. Returns false if there is no valid checkpoint; the world may then be in an inconsistent
/// state.
bool load_checkpoint(const std::string& file, World& world, SimReport& report)
{
    const auto read = read_regular_file(file, std::numeric_limits<size_t>::max());
    if (!read) return false;
    const std::span<const std::byte> bytes = *read;
    uint64_t size = 0;
    if (bytes.size() < sizeof size) return false;
    std::memcpy(&size, bytes.data(), sizeof size);
    const auto all = bytes.subspan(sizeof size);
    return size <= all.size() && report.restore(all.first(size)) && world.load(all.subspan(size));
}

/// A frame to draw, and the checkpoint to write afterwards.
struct Work {
    size_t picture = 0;
    SceneView::Frame frame;
    Checkpoint checkpoint;
};

/// Simulates ahead of the drawing.
class Simulation {
public:
    Simulation(World& world, SimReport& report, CacheOutput* cache, const SceneView& view, uint64_t frames,
               uint64_t every)
        : world_(world), report_(report), cache_(cache), view_(view), frames_(frames), every_(every)
    {
        if (world.steps() == 0) report_.measure(world_);
    }

    /// Simulates up to the frame of the next picture. Returns nothing at the end, or if interrupted.
    Result<std::optional<Work>> next()
    {
        while (world_.steps() < frames_ && !interrupted()) {
            const bool drawn = (world_.steps() + 1) % every_ == 0;
            std::optional<SceneView::Frame> before;
            if (drawn && view_.needs_frame_before()) before = view_.frame_of(world_, nullptr);
            report_.add_step(world_.step());
            report_.measure(world_);
            const uint64_t frame = world_.steps();
            if (cache_ && frame > cache_->frames())
                if (const auto added = cache_->add_frame(world_); !added) return Error{added.error()};
            if (!drawn) continue;
            Work work;
            work.picture = frame / every_ - 1;
            work.frame = view_.frame_of(world_, before ? &*before : nullptr);
            work.checkpoint = {report_.save(), world_.save()};
            return std::optional(std::move(work));
        }
        return std::optional<Work>();
    }

private:
    World& world_;
    SimReport& report_;
    CacheOutput* cache_;
    const SceneView& view_;
    uint64_t frames_, every_;
};

/// Draws a picture and writes it and its checkpoint to disk, unless interrupted.
std::optional<Error> draw(const Work& work, const SceneView& view, FilmPictures& pictures, const Paths& paths)
{
    if (!pictures.has(work.picture)) {
        const Result<Picture> picture =
            view.picture(work.frame, view.settings(), [](double) { return !interrupted(); });
        if (!picture) return Error{picture.error()};
        if (interrupted()) return {};  // the picture may be incomplete
        if (const auto put = pictures.put(work.picture, *picture); !put) return Error{put.error()};
    }
    return write_checkpoint(paths.checkpoint(), work.checkpoint);
}

/// Makes all missing pictures. While the simulation runs, the report belongs to it.
std::optional<Error> make_pictures(Simulation& simulation, const SceneView& view, FilmPictures& pictures,
                                   const Paths& paths, uint64_t every, SimReport& report, Progress& progress)
{
    double spent = 0;
    size_t drawn = 0;
    const auto start_next = [&] { return std::async(std::launch::async, [&] { return simulation.next(); }); };
    auto ahead = start_next();
    while (true) {
        Result<std::optional<Work>> work = ahead.get();
        if (!work) return Error{work.error()};
        if (!*work) return {};
        ahead = start_next();
        const Stopwatch watch;
        if (const auto wrong = draw(**work, view, pictures, paths)) return wrong;
        const double seconds = watch.seconds();
        spent += seconds;
        ahead.wait();
        report.add_render(seconds, every);
        progress.update((*work)->picture + 1, fmt::format("{:.2f} s each", spent / static_cast<double>(++drawn)));
    }
}

/// The report and its plots, which are open during the whole run.
struct Reports {
    OutputFile report;
    PlotFiles plots;

    static Result<Reports> open(CommandFiles& files, const Paths& paths)
    {
        Result<OutputFile> report = OutputFile::open(paths.report);
        if (!report) return Error{report.error()};
        Result<PlotFiles> plots = PlotFiles::open(files, paths.report.path());
        if (!plots) return Error{plots.error()};
        return Reports{std::move(*report), std::move(*plots)};
    }
};

/// Writes film, poster, plots and report, and returns the names of the files.
Result<std::vector<std::string>> finish(const Scene& scene, FilmPictures& pictures, size_t count,
                                        const SimReport& report, const Paths& paths, Reports& reports, Visible visible)
{
    std::vector<std::string> written;
    const double rate = 1 / (scene.world.dt * static_cast<double>(scene.render.every));
    const auto poster = static_cast<size_t>(scene.render.poster * static_cast<double>(count - 1) + 0.5);
    const Result<Picture> picture = pictures.get(poster);
    if (!picture) return Error{picture.error()};
    if (const auto put = write_png(paths.poster.path(), *picture); !put) return Error{put.error()};
    if (have_ffmpeg()) {
        const auto film = pictures.make_film(paths.film, count, rate, visible);
        if (!film) return Error{film.error()};
        written.push_back(paths.film.path());
    }
    if (scene.output.frames || !have_ffmpeg()) {
        const auto copied = pictures.copy_to(paths.pictures, count);
        if (!copied) return Error{copied.error()};
        written.push_back(paths.pictures.path());
    }
    written.push_back(paths.poster.path());
    if (!reports.report.finish(report.json()))
        return Error{fmt::format("cannot write '{}': {}", paths.report.path(), write_problem())};
    written.push_back(paths.report.path());
    const auto files = reports.plots.finish(plots_of(report.series(), scene.name));
    if (!files) return Error{files.error()};
    written.insert(written.end(), files->begin(), files->end());
    return written;
}

/// A scene that becomes a film, from the beginning or from the checkpoint of an earlier run.
struct Session {
    Scene scene;
    std::string file;
    CommandFiles files;
    std::optional<Paths> paths;
    std::optional<Reports> reports;
    int threads;
    uint64_t frames, every;
    std::optional<World> world;
    std::optional<SceneView> view;
    std::optional<FilmPictures> pictures;
    std::optional<CacheOutput> cache;
    std::optional<SimReport> report;
    bool resumed = false;

    size_t picture_count() const { return frames / every; }
    double rate() const { return 1 / (scene.world.dt * static_cast<double>(every)); }

    std::optional<Error> read(const RunOptions& options)
    {
        const Result<std::string> found = scene_file(options.scene);
        if (!found) return Error{found.error()};
        file = *found;
        Result<Scene> loaded = load_scene(options.scene, file);
        if (!loaded) return Error{loaded.error()};
        scene = std::move(*loaded);
        frames = static_cast<uint64_t>(options.frames.value_or(scene.frames));
        every = static_cast<uint64_t>(scene.render.every);
        scene.frames = static_cast<int64_t>(frames);
        threads = thread_count(options.threads);
        const std::string parent = options.folder.empty() ? scene.output.folder : options.folder;
        files.read_scene(file, scene);
        const auto found_paths =
            Paths::of(files, (fs::path(parent) / scene.name).lexically_normal().string(), scene.name);
        if (!found_paths) return Error{found_paths.error()};
        paths.emplace(*found_paths);
        if (picture_count() == 0)
            return Error{
                fmt::format("{} frames make no film, as there is a picture every {}; ask for more with "
                            "--frames, or use 'tendril sim', which makes no pictures",
                            frames, every)};
        const auto size = [](int64_t pixels) { return static_cast<uint32_t>(pixels); };
        return FilmWriter::check(size(scene.render.width), size(scene.render.height), rate());
    }

    std::optional<Error> build()
    {
        Result<World> built = build_unsettled(scene, make_thread_executor(threads));
        if (!built) return Error{built.error()};
        world.emplace(std::move(*built));
        report.emplace(scene, *world, threads, 0.0);
        return {};
    }

    std::optional<Error> open(const RunOptions& options)
    {
        if (const auto wrong = build()) return wrong;
        auto created = SceneView::create(scene, *world, make_thread_executor(threads));
        if (!created) return Error{created.error()};
        view.emplace(std::move(*created));
        const std::string description =
            fmt::format("{}{} {:x}", description_of(options.scene, file, scene), frames, world->state_hash());
        auto opened = FilmPictures::open(paths->unfinished, fingerprint(description));
        if (!opened) return Error{opened.error()};
        pictures.emplace(std::move(*opened));
        auto written = Reports::open(files, *paths);
        if (!written) return Error{written.error()};
        reports.emplace(std::move(*written));
        if (options.again) pictures->discard();
        return resume(options.visible());
    }

    /// Continues from the checkpoint if all earlier pictures and frames exist.
    std::optional<Error> resume(Visible visible)
    {
        std::error_code ignored;
        const bool begun = fs::exists(paths->checkpoint(), ignored);
        if (scene.output.cache) {
            auto opened = begun ? CacheOutput::resume(paths->cache, *world) : CacheOutput::create(paths->cache, *world);
            if (!opened) return Error{opened.error()};
            cache.emplace(std::move(*opened));
        }
        resumed = begun && load_checkpoint(paths->checkpoint(), *world, *report);
        for (size_t n = 0; resumed && n < world->steps() / every; ++n) resumed = pictures->has(n);
        if (cache && resumed) resumed = cache->frames() >= world->steps();
        if (begun && !resumed)
            if (const auto wrong = build()) return wrong;
        return resumed ? std::nullopt : settle(*world, scene, visible);
    }
};

/// Simulates, draws and writes the outputs except the cache. Returns the names of the files.
Result<std::vector<std::string>> make_film(Session& session, const Stopwatch& watch, Visible visible)
{
    {
        Progress progress("picture", session.world->steps() / session.every, session.picture_count(), visible);
        Simulation simulation(*session.world, *session.report, session.cache ? &*session.cache : nullptr, *session.view,
                              session.frames, session.every);
        if (const auto wrong = make_pictures(simulation, *session.view, *session.pictures, *session.paths,
                                             session.every, *session.report, progress))
            return *wrong;
    }
    if (interrupted()) return std::vector<std::string>();
    session.report->finish(*session.world, watch.seconds());
    return finish(session.scene, *session.pictures, session.picture_count(), *session.report, *session.paths,
                  *session.reports, visible);
}

int run(const RunOptions& options)
{
    if (options.scene.scene.empty())
        return bad_input("run", "which scene? Name a file, or try 'tendril run long_hair'");
    const Stopwatch watch;
    catch_signals();
    Session session;
    if (const auto wrong = session.read(options)) return bad_input("run", wrong->message);
    if (const auto wrong = session.open(options)) return bad_input("run", wrong->message);
    if (session.resumed && !options.quiet)
        fmt::print("continuing after frame {} of {}\n", session.world->steps(), session.frames);

    const SimReport& report = *session.report;
    auto written = make_film(session, watch, options.visible());
    if (!written) return bad_input("run", written.error());
    if (interrupted()) {
        print_error("tendril run: interrupted at frame {}; start it again to continue\n", session.world->steps());
        return kSimulationProblem;
    }
    if (session.cache) {
        if (const auto finished = session.cache->finish(); !finished) return bad_input("run", finished.error());
        written->push_back(session.paths->cache.path());
    }
    session.pictures->remove();  // last, because a run that is killed before can continue
    if (!options.quiet) fmt::print("{}", report.table(*written));
    if (!have_ffmpeg())
        print_error("tendril run: cannot make a film without ffmpeg; the pictures are in '{}'\n",
                    session.paths->pictures.path());
    print_warnings("run", report.warnings());
    const std::string problem = report.problem();
    if (!problem.empty()) print_error("tendril run: {}\n", problem);
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
    add_path_option(*command, "--out", options->folder, "Parent of the folder of the scene; default: output.folder")
        ->type_name("FOLDER");
    command->add_option("--threads", options->threads, "Threads; 0: one per core. Results do not depend on them")
        ->check(CLI::Range(0, 1024));
    command->add_flag("--again", options->again, "Start over, even if an interrupted run could continue");
    command->add_flag("--quiet,-q", options->quiet, "No progress bar and no table");
    command->footer(kRunExamples);
    return [options] { return run(*options); };
}

}  // namespace tendril::app
