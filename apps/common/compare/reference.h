/// The motion that all methods are measured against: that of the method without stretch and with equal masses, in so
/// many substeps that more of them change it little.
#pragma once

#include "compare/variant.h"

namespace tendril::app {

struct Reference {
    Variant variant;
    int substeps = 0;
    SimReport report;
    Trajectory path;
    double change = 0;     ///< mean distance of the same with half of the substeps [m]
    double deviation = 0;  ///< mean distance of the motion whose accuracy matters [m]

    bool converged() const;
};

/// `matters`: a motion whose deviation is to be known. `substeps`: as many as that; 0: as it takes.
Result<Reference> find_reference(const Subject& subject, const Trajectory& matters, int substeps);

}  // namespace tendril::app
