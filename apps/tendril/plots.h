/// Plots of a simulation, one SVG file each: how far segments stretch, energy, speed, penetration, and where
/// the time went.
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

/// What there is to see; `title` says of what.
std::vector<NamedPlot> plots_of(const Series& series, const std::string& title);

struct NamedSeries {
    std::string name;
    const Series* series;
};

/// The same scene several times: deviation, stretch and energy, with a line for each that has some.
std::vector<NamedPlot> comparison_plots(const std::vector<NamedSeries>& all, const std::string& title);

/// The files of the plots: PREFIX.stretch.svg and so on, in a folder. Opened before the work begins; without `finish`
/// nothing is left behind.
class PlotFiles {
public:
    /// For plots of these names, which may still be empty. An empty folder is the present one.
    static Result<PlotFiles> open(const std::string& folder, const std::string& prefix,
                                  const std::vector<NamedPlot>& plots = plots_of({}, {}));
    /// Beside a report, with its name without `.json`.
    static Result<PlotFiles> beside(const std::string& report, const std::vector<NamedPlot>& plots = plots_of({}, {}));

    /// The names of the files. A plot without lines is left out.
    Result<std::vector<std::string>> finish(const std::vector<NamedPlot>& plots);

private:
    explicit PlotFiles(std::vector<OutputFile> files) : files_(std::move(files)) {}
    std::vector<OutputFile> files_;
};

}  // namespace tendril::app
