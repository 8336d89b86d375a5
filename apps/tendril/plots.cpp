#include "plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

template <class Value>
PlotLine line(const std::string& name, const Series& series, const Value& value)
{
    PlotLine out{name, {}};
    for (const Sample& sample : series.samples()) out.values.push_back(value(sample));
    return out;
}

Plot over_time(const Series& series, const std::string& title, const char* y_label)
{
    Plot plot{title, "time [s]", y_label, {}, {}};
    for (const Sample& sample : series.samples()) plot.x.push_back(sample.time);
    return plot;
}

Plot stretch_plot(const Series& series, const std::string& title)
{
    Plot plot = over_time(series, title + ": stretch of the segments", "share of the rest length");
    plot.scale = PlotScale::kLogarithmic;
    plot.lines.push_back(line("largest", series, [](const Sample& s) { return s.stretch_max; }));
    plot.lines.push_back(line("mean", series, [](const Sample& s) { return s.stretch_mean; }));
    return plot;
}

Plot energy_plot(const Series& series, const std::string& title)
{
    Plot plot = over_time(series, title + ": energy", "energy [J]");
    plot.lines.push_back(line("kinetic", series, [](const Sample& s) { return s.kinetic; }));
    plot.lines.push_back(line("potential", series, [](const Sample& s) { return s.potential; }));
    plot.lines.push_back(line("total", series, [](const Sample& s) { return s.energy(); }));
    return plot;
}

Plot speed_plot(const Series& series, const std::string& title)
{
    Plot plot = over_time(series, title + ": speed", "speed [m/s]");
    plot.lines.push_back(line("fastest particle", series, [](const Sample& s) { return s.fastest; }));
    return plot;
}

/// Without colliders, the plot has no lines.
Plot penetration_plot(const Series& series, const std::string& title)
{
    Plot plot = over_time(series, title + ": penetration", "depth [mm]");
    if (series.has_penetration())
        plot.lines.push_back(line("deepest particle", series, [](const Sample& s) { return 1e3 * s.penetration; }));
    return plot;
}

/// Leaves out stages that took no time. The first sample is the initial state and has no times.
Plot time_plot(const Series& series, const std::string& title)
{
    Plot plot = over_time(series, title + ": time per frame", "time [ms]");
    plot.style = PlotStyle::kStacked;
    const auto names = stages_per_frame({});
    for (size_t k = 0; k < names.size(); ++k) {
        bool taken = false;
        PlotLine stage = line(names[k].first, series, [&](const Sample& s) {
            if (s.frames == 0) return std::numeric_limits<double>::quiet_NaN();
            const double seconds = stages_per_frame(s)[k].second;
            taken = taken || seconds > 0;
            return 1e3 * seconds;
        });
        if (taken) plot.lines.push_back(std::move(stage));
    }
    return plot;
}

}  // namespace

std::vector<NamedPlot> plots_of(const Series& series, const std::string& title)
{
    return {{"stretch", stretch_plot(series, title)},
            {"energy", energy_plot(series, title)},
            {"speed", speed_plot(series, title)},
            {"penetration", penetration_plot(series, title)},
            {"time", time_plot(series, title)}};
}

std::vector<NamedPlot> comparison_plots(const std::vector<NamedSeries>& all, const std::string& title)
{
    const auto plot = [&](const char* what, const char* y_label, PlotScale scale, const auto& value) {
        Plot out = over_time(all.empty() ? Series{} : *all[0].series, title + ": " + what, y_label);
        out.scale = scale;
        for (const NamedSeries& one : all) {
            PlotLine drawn = line(one.name, *one.series, value);
            const auto seen = [](double v) { return std::isfinite(v); };
            if (std::any_of(drawn.values.begin(), drawn.values.end(), seen)) out.lines.push_back(std::move(drawn));
        }
        return out;
    };
    return {{"deviation", plot("mean distance from the converged motion", "distance [m]", PlotScale::kLinear,
                               [](const Sample& s) { return s.deviation; })},
            {"stretch", plot("largest stretch of a segment", "share of the rest length", PlotScale::kLogarithmic,
                             [](const Sample& s) { return s.stretch_max; })},
            {"energy", plot("energy", "energy [J]", PlotScale::kLinear, [](const Sample& s) { return s.energy(); })}};
}

Result<PlotFiles> PlotFiles::open(CommandFiles& files, const std::string& report, const std::vector<NamedPlot>& plots)
{
    const fs::path path = report;
    const fs::path prefix = path.parent_path() / (path.extension() == ".json" ? path.stem() : path.filename());
    std::vector<OutputFile> opened;
    for (const NamedPlot& plot : plots) {
        const auto output = files.write(fmt::format("{}.{}.svg", prefix.string(), plot.name), "a plot");
        if (!output) return Error{output.error()};
        Result<OutputFile> file = OutputFile::open(*output);
        if (!file) return Error{file.error()};
        opened.push_back(std::move(*file));
    }
    return PlotFiles(std::move(opened));
}

Result<std::vector<std::string>> PlotFiles::finish(const std::vector<NamedPlot>& plots)
{
    std::vector<std::string> written;
    for (size_t i = 0; i < files_.size(); ++i) {
        if (plots[i].plot.lines.empty()) continue;
        if (!files_[i].finish(plot_svg(plots[i].plot)))
            return Error{fmt::format("cannot write '{}': {}", files_[i].path(), write_problem())};
        written.push_back(files_[i].path());
    }
    return written;
}

}  // namespace tendril::app
