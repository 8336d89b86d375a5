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

/// The files of the plots: PREFIX.stretch.svg and so on, in a folder. Opened before the work begins; without `finish`
/// nothing is left behind.
class PlotFiles {
public:
    /// An empty folder is the present one.
    static Result<PlotFiles> open(const std::string& folder, const std::string& prefix);
    /// Beside a report, with its name without `.json`.
    static Result<PlotFiles> beside(const std::string& report);

    /// The names of the files. A plot without lines is left out.
    Result<std::vector<std::string>> finish(const Series& series, const std::string& title);

private:
    explicit PlotFiles(std::vector<OutputFile> files) : files_(std::move(files)) {}
    std::vector<OutputFile> files_;
};

}  // namespace tendril::app
