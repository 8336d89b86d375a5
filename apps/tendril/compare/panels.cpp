#include "panels.h"

#include "compare/label.h"
#include "interrupt.h"
#include "output_file.h"
#include "scene_options.h"
#include "tendril/scene_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

constexpr double kScreen = 16.0 / 9.0;
constexpr uint32_t kGap = 2;  // between panels [pixels]
constexpr uint8_t kPaper = 24;

/// Arranges panels in rows such that the aspect ratio is near that of a screen and few cells stay empty.
struct Layout {
    uint32_t columns, rows, width, height;  // width and height of a panel

    Layout(uint32_t panels, uint32_t panel_width, uint32_t panel_height)
        : columns(1), rows(panels), width(panel_width), height(panel_height)
    {
        double best = score(panels);
        Layout tried = *this;
        for (tried.columns = 2; tried.columns <= panels; ++tried.columns) {
            tried.rows = (panels + tried.columns - 1) / tried.columns;
            if (const double now = tried.score(panels); now <= best) {
                best = now;
                *this = tried;
            }
        }
    }
    uint32_t total_width() const { return columns * (width + kGap) - kGap; }
    uint32_t total_height() const { return rows * (height + kGap) - kGap; }

private:
    double score(uint32_t panels) const
    {
        const double aspect = static_cast<double>(total_width()) / total_height();
        return std::abs(std::log(aspect / kScreen)) + static_cast<double>(columns * rows - panels) / panels;
    }
};

void paste(Picture& into, const Picture& part, uint32_t left, uint32_t top)
{
    for (uint32_t y = 0; y < part.height; ++y)
        std::copy_n(&part.bytes[3 * size_t{y} * part.width], 3 * size_t{part.width},
                    &into.bytes[3 * (size_t{top + y} * into.width + left)]);
}

Layout layout_of(const Scene& scene, size_t panels)
{
    return {static_cast<uint32_t>(panels), static_cast<uint32_t>(scene.render.width),
            static_cast<uint32_t>(scene.render.height)};
}

double rate_of(const Scene& scene)
{
    return 1 / (scene.world.dt * static_cast<double>(scene.render.every));
}

/// The worlds of all panels, and their view.
struct PanelWorlds {
    Scene scene;
    std::vector<World> worlds;
    std::optional<SceneView> view;

    std::optional<Error> build(const Subject& subject, const std::vector<Panel>& panels)
    {
        for (const Panel& panel : panels) {
            Result<Scene> one = scene_of(subject, panel.variant);
            if (!one) return Error{one.error()};
            if (worlds.empty()) scene = *one;
            Result<World> world = world_of(*one, subject);
            if (!world) return Error{world.error()};
            worlds.push_back(std::move(*world));
        }
        // All panels use the camera of the first.
        scene.frames = static_cast<int64_t>(subject.frames);
        auto created = SceneView::create(scene, worlds[0], make_thread_executor(thread_count(0)));
        if (!created) return Error{created.error()};
        view.emplace(std::move(*created));
        return {};
    }

    /// Takes `frames` steps and draws the last.
    Result<Picture> next(World& world, uint64_t frames) const
    {
        std::optional<SceneView::Frame> before;
        for (uint64_t f = 0; f < frames; ++f) {
            if (f + 1 == frames && view->needs_frame_before()) before = view->frame_of(world, nullptr);
            world.step();
        }
        return view->picture(view->frame_of(world, before ? &*before : nullptr), view->settings(),
                             [](double) { return !interrupted(); });
    }
};

}  // namespace

Result<ComparisonFilm> ComparisonFilm::open(CommandFiles& files, const std::string& file, const Scene& scene,
                                            uint64_t frames, size_t panels)
{
    if (fs::path(file).extension() != ".mp4") return Error{fmt::format("--film '{}': a film must be a .mp4", file)};
    if (frames < static_cast<uint64_t>(scene.render.every))
        return Error{
            fmt::format("--film: {} frames make no picture, as there is one every {}", frames, scene.render.every)};
    const Layout layout = layout_of(scene, panels);
    if (const auto wrong = FilmWriter::check(layout.total_width(), layout.total_height(), rate_of(scene)))
        return *wrong;
    const auto film = files.write(file, "--film");
    const auto folder = files.write_pictures(fs::path(file).replace_extension("").string() + "_pictures");
    const auto unfinished = files.write_folder(file + ".unfinished");
    for (const auto* output : {&film, &folder, &unfinished})
        if (!*output) return Error{output->error()};
    if (const auto writable = OutputFile::open(*film); !writable) return Error{writable.error()};
    auto pictures = FilmPictures::open(*unfinished, fingerprint(file));
    if (!pictures) return Error{pictures.error()};
    pictures->discard();
    return ComparisonFilm(*film, *folder, std::make_unique<FilmPictures>(std::move(*pictures)));
}

ComparisonFilm::~ComparisonFilm()
{
    if (pictures_) pictures_->remove();
}

Result<std::string> ComparisonFilm::make(const Subject& subject, const std::vector<Panel>& panels)
{
    PanelWorlds set;
    if (const auto wrong = set.build(subject, panels)) return *wrong;
    const Layout layout = layout_of(set.scene, panels.size());
    const auto every = static_cast<uint64_t>(set.scene.render.every);
    const size_t count = subject.frames / every;
    {
        Progress progress("picture", 0, count, subject.visible);
        for (size_t n = 0; n < count && !interrupted(); ++n) {
            Picture whole{layout.total_width(), layout.total_height(), {}};
            whole.bytes.assign(3 * size_t{whole.width} * whole.height, kPaper);
            for (uint32_t p = 0; p < panels.size(); ++p) {
                const Result<Picture> part = set.next(set.worlds[p], every);
                if (!part) return Error{part.error()};
                const uint32_t left = p % layout.columns * (layout.width + kGap);
                const uint32_t top = p / layout.columns * (layout.height + kGap);
                paste(whole, *part, left, top);
                draw_label(whole, {left, top, layout.width, layout.height}, panels[p].label);
            }
            if (const auto put = pictures_->put(n, whole); !put) return Error{put.error()};
            progress.update(n + 1, "of the film");
        }
    }
    if (interrupted()) return Error{"interrupted"};
    const OutputPath& out = have_ffmpeg() ? film_ : folder_;
    const auto made = have_ffmpeg() ? pictures_->make_film(out, count, rate_of(set.scene), subject.visible)
                                    : pictures_->copy_to(out, count);
    if (!made) return Error{made.error()};
    return out.path();
}

}  // namespace tendril::app
