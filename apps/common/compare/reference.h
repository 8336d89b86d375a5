/// The motion that all methods are compared with: that of the method without stretch and with equal masses, with so
/// many substeps that more change little.
#pragma once

#include "compare/variant.h"

namespace tendril::app {

struct Reference {
    Variant variant;
    int substeps = 0;
    SimReport report;
    Trajectory path;
    double change = 0;     ///< mean distance from the same motion with half the substeps [m]
    double deviation = 0;  ///< mean distance of the observed motion from it [m]

    bool converged() const;
};

/// `observed`: a motion whose deviation is of interest. `substeps`: a fixed number, or 0 for as many as it takes.
Result<Reference> find_reference(const Subject& subject, const Trajectory& observed, int substeps);

}  // namespace tendril::app
