#include "lab_run.h"

#include "forms.h"
#include "lab_measure.h"
#include "scene_options.h"
#include "simulate.h"
#include "stopwatch.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <limits>

namespace tendril::app {
namespace {

template <class T>
void add_once(std::vector<T>& values, const T& value)
{
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

/// Records that a scene was opened with these values; see SceneUse.
SceneUse& record_use(std::vector<SceneUse>& uses, const std::string& name, const Overrides& overrides)
{
    auto use = std::find_if(uses.begin(), uses.end(), [&](const SceneUse& one) { return one.name == name; });
    if (use == uses.end()) use = uses.insert(use, {.name = name});
    // The names of temporary files, which a claim writes and removes, mean nothing to readers.
    std::error_code problem;
    const std::string temporary = std::filesystem::temp_directory_path(problem).string();
    for (const auto& [key, given] : overrides) {
        const bool is_temporary = !problem && given.find(temporary) != std::string::npos;
        const std::string value = is_temporary ? "a temporary file" : given;
        const auto same = [&key = key](const auto& entry) { return entry.first == key; };
        auto entry = std::find_if(use->values.begin(), use->values.end(), same);
        if (entry == use->values.end()) {
            entry = use->values.insert(entry, {key, {}});
            if (use->opened > 0) entry->second.emplace_back();
        }
        add_once(entry->second, value);
    }
    for (auto& [key, values] : use->values) {
        const auto same = [&key = key](const auto& given) { return given.first == key; };
        if (std::none_of(overrides.begin(), overrides.end(), same)) add_once(values, std::string());
    }
    ++use->opened;
    return *use;
}

}  // namespace

Series LabRun::simulate(uint64_t steps, const std::function<void(World&)>& after)
{
    Series series;
    series.add_metrics(world_.steps(), world_.time(), world_.measure(), 0);
    for (uint64_t i = 0; i < steps; ++i) {
        series.add_step(world_.step());
        const Stopwatch watch;
        const Metrics metrics = world_.measure();
        series.add_metrics(world_.steps(), world_.time(), metrics, watch.seconds());
        if (after) after(world_);
    }
    return series;
}

void LabRun::look_at(const Vec3d& eye, const Vec3d& target)
{
    scene_.render.camera = CameraType::kLookAt;
    scene_.render.eye = eye;
    scene_.render.target = target;
    view_.reset();
}

Result<Picture> LabRun::picture(uint32_t width, uint32_t height)
{
    if (!view_) {
        scene_.render.width = width;
        scene_.render.height = height;
        Result<SceneView> view = SceneView::create(scene_, world_, executor_);
        if (!view) return Error{view.error()};
        view_ = std::make_unique<SceneView>(std::move(*view));
    }
    RenderSettings settings = view_->settings();
    settings.width = width;
    settings.height = height;
    return view_->picture(view_->frame_of(world_, nullptr), settings);
}

Result<Scene> Lab::scene(const std::string& name, const Overrides& overrides)
{
    SceneUse& use = record_use(uses_, name, overrides);
    SceneOptions options;
    options.scene = name;
    const Result<std::string> file = scene_file(options);
    if (!file) return Error{file.error()};
    Result<Scene> scene = read_scene(*file, overrides);
    if (scene) add_once(use.forms, forms_of(*scene));
    return scene;
}

Result<LabRun> Lab::open(const std::string& name, const Overrides& overrides, int threads)
{
    Result<Scene> made = scene(name, overrides);
    if (!made) return Error{made.error()};
    auto executor = make_thread_executor(threads > 0 ? threads : threads_);
    Result<World> world = build_unsettled(*made, executor);
    if (!world) return Error{world.error()};
    if (auto wrong = settle(*world, *made, Visible::kNever)) return *wrong;
    return LabRun(std::move(*made), std::move(*world), std::move(executor));
}

StageSeconds Lab::time_of_step(LabRun& run, int steps, int warm_up) const
{
    for (int i = 0; i < warm_up; ++i) run.world().step();
    std::vector<double> roots, body, interaction, solve;
    for (int i = 0; i < steps; ++i) {
        const StepReport report = run.world().step();
        roots.push_back(report.seconds.roots);
        body.push_back(report.seconds.body);
        interaction.push_back(report.seconds.interaction);
        solve.push_back(report.seconds.solve);
    }
    StageSeconds out;
    out.roots = median(roots);
    out.body = median(body);
    out.interaction = median(interaction);
    out.solve = median(solve);
    return out;
}

StageSeconds Lab::fastest_step(LabRun& run, int steps, int warm_up) const
{
    for (int i = 0; i < warm_up; ++i) run.world().step();
    StageSeconds best;
    double fastest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < steps; ++i) {
        const auto s = run.world().step().seconds;
        const double total = s.roots + s.body + s.interaction + s.solve;
        if (total >= fastest) continue;
        fastest = total;
        best.roots = s.roots;
        best.body = s.body;
        best.interaction = s.interaction;
        best.solve = s.solve;
    }
    return best;
}

double Lab::processor_seconds(LabRun& run, int steps, int warm_up) const
{
    for (int i = 0; i < warm_up; ++i) run.world().step();
    std::vector<double> seconds;
    for (int i = 0; i < steps; ++i) {
        const std::clock_t start = std::clock();
        run.world().step();
        seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return median(seconds);
}

Picture side_by_side(const std::vector<Picture>& pictures, size_t per_row)
{
    Picture out;
    if (pictures.empty() || per_row == 0) return out;
    const uint32_t width = pictures[0].width, height = pictures[0].height;
    constexpr uint32_t kGap = 3;  // separates the pictures
    const size_t columns = std::min(per_row, pictures.size()), rows = (pictures.size() + columns - 1) / columns;
    out.width = (width + kGap) * static_cast<uint32_t>(columns) - kGap;
    out.height = (height + kGap) * static_cast<uint32_t>(rows) - kGap;
    out.bytes.resize(size_t{3} * out.width * out.height, 255);
    for (size_t k = 0; k < pictures.size(); ++k) {
        const Picture& one = pictures[k];
        const size_t left = k % columns * (width + kGap), top = k / columns * (height + kGap);
        for (uint32_t y = 0; y < std::min(height, one.height); ++y)
            std::copy_n(one.bytes.begin() + static_cast<std::ptrdiff_t>(size_t{3} * y * one.width),
                        size_t{3} * std::min(width, one.width),
                        out.bytes.begin() + static_cast<std::ptrdiff_t>(3 * ((top + y) * out.width + left)));
    }
    return out;
}

PlotLine line_of(const std::string& name, const Series& series, double (*value)(const Sample& sample))
{
    PlotLine line{name, {}};
    for (const Sample& sample : series.samples()) line.values.push_back(value(sample));
    return line;
}

std::vector<double> times_of(const Series& series)
{
    std::vector<double> times;
    for (const Sample& sample : series.samples()) times.push_back(sample.time);
    return times;
}

}  // namespace tendril::app
