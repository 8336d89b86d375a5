/// The functions that measure the claims of [Mueller12], by subject. The table of claims is in mueller12.cpp.
#pragma once

#include "lab_run.h"

namespace tendril::app::mueller {

/// Settings that select the equations of a method as printed, or ours.
inline const Overrides kPrinted{{"solver.form", "paper"}};
inline const Overrides kOurs{{"solver.form", "stable"}};

inline Overrides both(Overrides first, const Overrides& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// Sets the verdict of a claim that has two forms; `ours` describes what ours does differently.
inline void judge(Finding& finding, bool printed_holds, bool ours_holds, const char* ours)
{
    finding.holds = printed_holds || ours_holds;
    if (!printed_holds && ours_holds) finding.ours = ours;
}

// The velocity correction: mueller12_masses.cpp, mueller12_energy.cpp
Result<Finding> find_uneven_masses(Lab& lab);
Result<Finding> find_rest_from_the_top(Lab& lab);
Result<Finding> find_damping(Lab& lab);

// One rope: mueller12_wave.cpp, mueller12_rope.cpp
Result<Finding> find_backward_pass(Lab& lab);
Result<Finding> find_printed_passes(Lab& lab);
Result<Finding> find_both_ends(Lab& lab);
Result<Finding> find_bend_limit(Lab& lab);

// Comparison with other methods: mueller12_methods.cpp
Result<Finding> find_equal_time(Lab& lab);
Result<Finding> find_equal_quality(Lab& lab);
Result<Finding> find_spring_limits(Lab& lab);

// Interaction and collisions: mueller12_hair.cpp
Result<Finding> find_friction(Lab& lab);
Result<Finding> find_repulsion(Lab& lab);
Result<Finding> find_field(Lab& lab);

// Whole characters and their cost: mueller12_scenes.cpp
Result<Finding> find_head(Lab& lab);
Result<Finding> find_afghan(Lab& lab);
Result<Finding> find_monster(Lab& lab);
Result<Finding> find_times(Lab& lab);

}  // namespace tendril::app::mueller
