/// Plots of a simulation, one SVG file each: stretch, energy, speed, penetration, and time by stage.
#pragma once

#include "output_file.h"
#include "series.h"
#include "tendril/plot.h"

#include <string>
#include <utility>
#include <vector>

namespace tendril::app {

struct NamedPlot {
    const char* name;
    Plot plot;
};

/// All plots of a simulation; `title` names it.
std::vector<NamedPlot> plots_of(const Series& series, const std::string& title);

struct NamedSeries {
    std::string name;
    const Series* series;
};

/// Plots that compare several simulations of a scene: deviation, stretch and energy, with a line for each that has
/// values.
std::vector<NamedPlot> comparison_plots(const std::vector<NamedSeries>& all, const std::string& title);

/// The files of the plots: PREFIX.stretch.svg and so on, in a folder. They are opened before the work begins; without
/// `finish`, no files are left behind.
class PlotFiles {
public:
    /// Opens files beside a report, with its name without `.json`, for plots of these names, which may still be empty.
    static Result<PlotFiles> open(CommandFiles& files, const std::string& report,
                                  const std::vector<NamedPlot>& plots = plots_of({}, {}));

    /// Writes the plots that have lines and returns the names of the files.
    Result<std::vector<std::string>> finish(const std::vector<NamedPlot>& plots);

private:
    explicit PlotFiles(std::vector<OutputFile> files) : files_(std::move(files)) {}
    std::vector<OutputFile> files_;
};

}  // namespace tendril::app
