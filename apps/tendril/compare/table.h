/// The results of a comparison: a table for people, JSON for programs.
#pragma once

#include "compare/reference.h"
#include "compare/variant.h"
#include "plots.h"

#include <optional>
#include <string>
#include <vector>

namespace tendril::app {

/// One method.
struct Row {
    Variant variant;
    std::string settings, note;
    std::string problem;  ///< why there is no report; empty if there is one
    double nanoseconds = 0;
    std::optional<SimReport> report;
};

struct Comparison {
    Scene scene;
    Subject subject;
    std::string mode;  ///< how the settings are chosen, such as "equal time"
    std::string base;  ///< the method that the others are matched to
    size_t strands = 0, particles = 0;
    std::optional<Reference> reference;
    std::vector<Row> rows;

    /// `files`: the files that were written.
    std::string table(const std::vector<std::string>& files) const;
    std::string json() const;
    /// A line per method, and one for the reference where it has values.
    std::vector<NamedPlot> plots() const;

private:
    /// Mean kinetic energy relative to the reference.
    double energy_kept(const Row& row) const;
    std::string reference_text() const;
};

}  // namespace tendril::app
