/// Claims that are run with the equations as printed and with ours.
#pragma once

#include "lab_run.h"

#include <string>
#include <utility>

namespace tendril::app {

/// A value of solver.form and its name in tables.
struct LabForm {
    const char *value, *name;
    bool printed() const { return value[0] == 'p'; }
};
inline constexpr LabForm kLabForms[]{{"paper", "as printed"}, {"stable", "ours"}};

/// Both lists of values; the later value of a key wins.
inline Overrides joined(Overrides first, const Overrides& then)
{
    first.insert(first.end(), then.begin(), then.end());
    return first;
}

/// A claim holds as printed if the printed form meets the bar, and otherwise with our method if that does. `method`
/// names it.
inline void judge(Finding& finding, bool printed, bool ours, std::string method)
{
    finding.holds = printed || ours;
    if (!printed && ours) finding.ours = std::move(method);
}

}  // namespace tendril::app
