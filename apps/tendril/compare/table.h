/// What came out of a comparison: a table for people, JSON for programs.
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
    std::string problem;  ///< why there is nothing else; empty: there is
    double nanoseconds = 0;
    std::optional<SimReport> report;
};

struct Comparison {
    Scene scene;
    Subject subject;
    std::string mode;  ///< what the settings are chosen for, such as "equal time"
    std::string base;  ///< the method that the others are made equal to
    size_t strands = 0, particles = 0;
    std::optional<Reference> reference;
    std::vector<Row> rows;

    /// `files` that were written.
    std::string table(const std::vector<std::string>& files) const;
    std::string json() const;
    /// A line per method, and one for the reference where it has values of its own.
    std::vector<NamedPlot> plots() const;

private:
    /// Mean kinetic energy as a share of that of the reference.
    double energy_kept(const Row& row) const;
    std::string reference_text() const;
};

}  // namespace tendril::app
