/// The settings at which a method is as dear, or as good, as another.
#pragma once

#include "compare/knobs.h"
#include "compare/reference.h"
#include "compare/variant.h"

#include <string>

namespace tendril::app {

struct Found {
    Variant variant;
    std::string note;  ///< what is to be known about it; empty: nothing
};

/// As much work as fits into a cost [ns].
Result<Found> as_dear(const Subject& subject, const std::string& method, double nanoseconds,
                      const Reference& reference);

/// As little work as brings the mean deviation down to `deviation` [m].
Result<Found> as_good(const Subject& subject, const std::string& method, double deviation, const Reference& reference);

}  // namespace tendril::app
