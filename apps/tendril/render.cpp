// `tendril render`: pictures of a scene, of a cache, or of any curve file.
#include "command_files.h"
#include "commands.h"
#include "film_pictures.h"
#include "interrupt.h"
#include "print_error.h"
#include "progress.h"
#include "scene_options.h"
#include "simulate.h"
#include "tendril/scene_view.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

struct RenderOptions {
    SceneOptions scene;  ///< or a curve file
    std::string cache, out;
    std::optional<uint64_t> frame;
    uint64_t first = 0, last = 0;  ///< 0: not given
    int threads = 0;
    bool quiet = false;

    Visible visible() const { return quiet ? Visible::kNever : Visible::kOnTerminal; }
};

constexpr const char* kRenderExamples =
    "SOURCE is a scene, which is simulated up to the requested frames or read from --cache, or a curve file: a "
    "Tendril\n"
    "cache, .hair, .tfx, .data, .obj, .usda. Frames are counted from 1, as in 'tendril sim'. To continue an "
    "interrupted\n"
    "film, run the same command again.\n\n"
    "Examples:\n"
    "  tendril render hair.hair                         a picture, hair.png\n"
    "  tendril render bust --frame 60 --quality final   one frame of a scene\n"
    "  tendril render bust --cache bust.tendril         a film, bust.mp4, of an earlier simulation\n"
    "  tendril render bust.tendril --first 30 --last 90 --out turn.mp4\n"
    "  tendril render bust --out pictures/              single pictures\n\n"
    "Exit codes: 0 fine, 1 interrupted, 2 bad input or usage.";

/// The source of frames: a simulation or a file.
class Source {
public:
    static Result<Source> open(const RenderOptions& options)
    {
        Source source;
        const fs::path path = options.scene.scene;
        std::error_code ignored;
        const bool curves = fs::exists(path, ignored) && path.extension() != ".toml";
        if (const auto wrong = curves ? source.open_curves(options) : source.open_scene(options)) return *wrong;
        return source;
    }

    /// Names the files that it reads.
    CommandFiles files(const RenderOptions& options) const
    {
        CommandFiles files;
        if (!file_.empty()) files.read_scene(file_, scene_);
        if (file_.empty()) files.read(options.scene.scene, "the source");
        files.read(options.cache, "the cache to draw");
        return files;
    }
    const Scene& scene() const { return scene_; }
    const SceneView& view() const { return *view_; }
    uint64_t frames() const { return cache_ ? std::max<size_t>(1, cache_->samples.size()) : scene_.frames; }
    /// Everything that its pictures depend on.
    std::string description(const RenderOptions& options, const std::vector<uint64_t>& frames) const
    {
        std::ostringstream text;
        text << description_of(options.scene, file_, scene_);
        for (const std::string& name : {options.scene.scene, options.cache}) {
            std::error_code problem;
            const auto size = fs::file_size(name, problem);
            if (!problem) text << size << ' ' << fs::last_write_time(name, problem).time_since_epoch().count() << '\n';
        }
        for (uint64_t frame : frames) text << frame << ' ';
        return text.str();
    }

    /// Frames must be requested in increasing order.
    Result<SceneView::Frame> frame(uint64_t number)
    {
        if (cache_) return view_->frame_of(*cache_, number - 1, world_ ? &*world_ : nullptr);
        while (world_->steps() + 1 < number && !interrupted()) world_->step();
        if (interrupted()) return Error{fmt::format("interrupted at frame {} of {}", world_->steps(), number)};
        std::optional<SceneView::Frame> before;
        if (view_->needs_frame_before()) before = view_->frame_of(*world_, nullptr);
        if (world_->steps() < number) world_->step();
        return view_->frame_of(*world_, before ? &*before : nullptr);
    }

private:
    std::optional<Error> open_scene(const RenderOptions& options)
    {
        const auto file = scene_file(options.scene);
        if (!file) return Error{file.error()};
        Result<Scene> scene = load_scene(options.scene, *file);
        if (!scene) return Error{scene.error()};
        scene_ = std::move(*scene);
        file_ = *file;
        const int threads = thread_count(options.threads);
        Result<World> world = build_unsettled(scene_, make_thread_executor(threads));
        if (!world) return Error{world.error()};
        world_.emplace(std::move(*world));
        auto view = SceneView::create(scene_, *world_, make_thread_executor(threads));
        if (!view) return Error{view.error()};
        view_.emplace(std::move(*view));
        if (!options.cache.empty()) return read_cache(options.cache);
        return settle(*world_, scene_, options.visible());
    }

    std::optional<Error> open_curves(const RenderOptions& options)
    {
        if (!options.cache.empty()) return Error{"--cache needs a scene, and the source is already a curve file"};
        if (const auto wrong = read_cache(options.scene.scene)) return wrong;
        // A scene of defaults, for the keys of [render].
        const auto overrides = overrides_of(options.scene.overrides);
        if (!overrides) return Error{overrides.error()};
        for (const auto& [key, value] : *overrides)
            if (key.rfind("render.", 0) != 0)
                return Error{fmt::format("--set {}: a curve file has no scene; only keys of [render] can be set", key)};
        Result<Scene> scene = parse_scene("[groom]\n", options.scene.scene, *overrides);
        if (!scene) return Error{scene.error()};
        scene_ = std::move(*scene);
        scene_.name = fs::path(options.scene.scene).stem().string();
        if (cache_->times.size() > 1) scene_.world.dt = cache_->times[1] - cache_->times[0];
        auto view = SceneView::create(scene_, *cache_, make_thread_executor(thread_count(options.threads)));
        if (!view) return Error{view.error()};
        view_.emplace(std::move(*view));
        return {};
    }

    std::optional<Error> read_cache(const std::string& file)
    {
        Result<CurveFile> curves = read_curves(file);
        if (!curves) return Error{curves.error()};
        to_polylines(*curves);
        if (curves->up == UpAxis::kZ) turn_curves(*curves, UpAxis::kZ, UpAxis::kY);
        if (curves->metres_per_unit > 0 && curves->metres_per_unit != 1) scale_curves(*curves, curves->metres_per_unit);
        cache_.emplace(std::move(*curves));
        return {};
    }

    Scene scene_;
    std::string file_;  // of the scene, if it has one
    std::optional<World> world_;
    std::optional<CurveFile> cache_;
    std::optional<SceneView> view_;
};

/// Draws one picture, with a progress bar.
int render_picture(const RenderOptions& options, Source& source, uint64_t frame, const std::string& name)
{
    const auto out = source.files(options).write(name, "the picture");
    if (!out) return bad_input("render", out.error());
    const auto shown = source.frame(frame);
    if (!shown) return bad_input("render", shown.error());
    constexpr uint64_t kSteps = 1000;
    Progress progress("step", 0, kSteps, options.visible());
    const auto picture = source.view().picture(*shown, source.view().settings(), [&](double done) {
        progress.update(static_cast<uint64_t>(done * kSteps), "of the picture");
        return !interrupted();
    });
    if (!picture) return bad_input("render", picture.error());
    if (const auto written = write_png(out->path(), *picture); !written) return bad_input("render", written.error());
    if (!options.quiet) fmt::print("{}\n", name);
    if (interrupted()) print_error("tendril render: interrupted; the picture is incomplete\n");
    return interrupted() ? kSimulationProblem : kFine;
}

enum class Many : uint8_t { kFilm, kFolder };

/// Draws all missing pictures and returns the exit code.
int draw_missing(const RenderOptions& options, Source& source, const std::vector<uint64_t>& frames,
                 FilmPictures& pictures)
{
    Progress progress("picture", 0, frames.size(), options.visible());
    for (size_t n = 0; n < frames.size(); ++n) {
        if (pictures.has(n)) continue;
        const auto frame = source.frame(frames[n]);
        if (!frame) return bad_input("render", frame.error());
        const auto picture =
            source.view().picture(*frame, source.view().settings(), [](double) { return !interrupted(); });
        if (!picture) return bad_input("render", picture.error());
        if (interrupted()) {
            print_error("tendril render: interrupted at frame {}; run the same command again to continue\n", frames[n]);
            return kSimulationProblem;
        }
        if (const auto put = pictures.put(n, *picture); !put) return bad_input("render", put.error());
        progress.update(n + 1, "");
    }
    return kFine;
}

int render_many(const RenderOptions& options, Source& source, const std::vector<uint64_t>& frames,
                const std::string& name, Many kind)
{
    const double rate = 1 / (source.scene().world.dt * static_cast<double>(source.scene().render.every));
    const RenderSettings settings = source.view().settings();
    if (kind == Many::kFilm)
        if (const auto wrong = FilmWriter::check(settings.width, settings.height, rate))
            return bad_input("render", wrong->message);
    CommandFiles files = source.files(options);
    const auto out = kind == Many::kFolder ? files.write_pictures(name) : files.write(name, "the film");
    if (!out) return bad_input("render", out.error());
    const auto unfinished = files.write_folder(
        kind == Many::kFolder ? (fs::path(name).lexically_normal() / "unfinished").string() : name + ".unfinished");
    if (!unfinished) return bad_input("render", unfinished.error());
    auto pictures = FilmPictures::open(*unfinished, fingerprint(source.description(options, frames)));
    if (!pictures) return bad_input("render", pictures.error());
    if (const int code = draw_missing(options, source, frames, *pictures); code != kFine) return code;
    const auto made = kind == Many::kFolder ? pictures->copy_to(*out, frames.size())
                                            : pictures->make_film(*out, frames.size(), rate, options.visible());
    if (!made) return bad_input("render", made.error());
    pictures->remove();
    if (!options.quiet) fmt::print("{}\n", name);
    return kFine;
}

int render(const RenderOptions& options)
{
    if (options.frame && (options.first > 0 || options.last > 0))
        return bad_input("render", "--frame selects one picture, --first and --last several; give one or the other");
    if (options.scene.scene.empty()) return bad_input("render", "of what? Name a scene or a curve file");
    catch_signals();
    auto source = Source::open(options);
    if (!source) return bad_input("render", source.error());
    const uint64_t available = source->frames();
    const auto every = static_cast<uint64_t>(source->scene().render.every);
    // As in `tendril run`, the first picture shows frame `every`.
    const uint64_t first = options.first > 0 ? options.first : std::min(every, available);
    const uint64_t last = options.last > 0 ? options.last : available;
    for (uint64_t asked : {options.frame.value_or(1), first, last})
        if (asked < 1 || asked > available)
            return bad_input("render", fmt::format("there is no frame {}; there are 1 to {}", asked, available));
    std::vector<uint64_t> frames;
    for (uint64_t f = options.frame.value_or(first); f <= options.frame.value_or(last); f += every) frames.push_back(f);
    if (frames.empty() && options.first == 0)
        return bad_input("render",
                         fmt::format("no picture up to --last {}: the first one shows frame {}, as render.every "
                                     "says; name another one with --first",
                                     last, first));
    if (frames.empty()) return bad_input("render", "--first is after --last");

    const bool into_folder = !options.out.empty() && (options.out.back() == '/' || fs::is_directory(options.out));
    const bool one = frames.size() == 1 && !into_folder;
    std::string out = options.out.empty() ? source->scene().name + (one ? ".png" : ".mp4") : options.out;
    const std::string ending = fs::path(out).extension().string();
    if (one && ending != ".png") return bad_input("render", fmt::format("'{}': a single picture must be a .png", out));
    if (one) return render_picture(options, *source, frames[0], out);
    if (!into_folder && ending != ".mp4")
        return bad_input("render",
                         fmt::format("'{}': {} pictures need a film, .mp4, or a folder, FOLDER/", out, frames.size()));
    if (!into_folder && !have_ffmpeg()) {
        out = fs::path(out).replace_extension("").string() + "_pictures/";
        print_error("tendril render: cannot make a film without ffmpeg; the pictures go to '{}'\n", out);
        return render_many(options, *source, frames, out, Many::kFolder);
    }
    return render_many(options, *source, frames, out, into_folder ? Many::kFolder : Many::kFilm);
}

}  // namespace

Run add_render_command(CLI::App& program)
{
    const auto options = std::make_shared<RenderOptions>();
    CLI::App* command =
        program.add_subcommand("render", "Draw pictures and films of a scene, a cache, or a curve file");
    add_scene_options(*command, options->scene, "SOURCE", "Scene or curve file");
    add_picture_options(*command, options->scene);
    add_path_option(*command, "--cache", options->cache, "Cache with frames of the scene from an earlier simulation");
    command->add_option("--frame", options->frame, "Only this frame")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000'000));
    command->add_option("--first", options->first, "First frame; default: --every")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000'000));
    command->add_option("--last", options->last, "Last frame; default: the last one that exists")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000'000));
    add_path_option(*command, "--out,-o", options->out, "A .png, a .mp4, or FOLDER/; default: named after the source");
    command->add_option("--threads", options->threads, "Threads; 0: one per core. Results do not depend on them")
        ->check(CLI::Range(0, 1024));
    command->add_flag("--quiet,-q", options->quiet, "No progress bar and no file names");
    command->footer(kRenderExamples);
    return [options] { return render(*options); };
}

}  // namespace tendril::app
