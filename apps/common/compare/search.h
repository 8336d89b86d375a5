/// Finds the settings at which a method costs as much as another, or is as good.
#pragma once

#include "compare/knobs.h"
#include "compare/reference.h"
#include "compare/variant.h"

#include <string>

namespace tendril::app {

struct Found {
    Variant variant;
    std::string note;  ///< a remark for the table; may be empty
};

/// The largest effort whose cost is at most `nanoseconds`.
Result<Found> match_cost(const Subject& subject, const std::string& method, double nanoseconds,
                         const Reference& reference);

/// The smallest effort whose mean deviation is at most `deviation` [m].
Result<Found> match_quality(const Subject& subject, const std::string& method, double deviation,
                            const Reference& reference);

}  // namespace tendril::app
