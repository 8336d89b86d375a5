/// The functions that measure the claims of [Rungjiratananon11], by subject, and their helpers.
#pragma once

#include "lab_run.h"

#include <cmath>
#include <functional>
#include <vector>

namespace tendril::app {

// Twist: rungjiratananon11_twist.cpp
Result<Finding> find_buckling(Lab& lab);
Result<Finding> find_loop(Lab& lab);
Result<Finding> find_coil(Lab& lab);
Result<Finding> find_even_twist(Lab& lab);
Result<Finding> find_varying_twist(Lab& lab);
Result<Finding> find_twist_spread(Lab& lab);

// Bodies that hang on strings: rungjiratananon11_hanging.cpp
Result<Finding> find_mobile(Lab& lab);
Result<Finding> find_tension(Lab& lab);
Result<Finding> find_knot(Lab& lab);
Result<Finding> find_bridge(Lab& lab);

// Tension and its effects: rungjiratananon11_tension.cpp
Result<Finding> find_tearing(Lab& lab);
Result<Finding> find_flicking(Lab& lab);
Result<Finding> find_plastic(Lab& lab);

// Neighbour search and cost: rungjiratananon11_cost.cpp
Result<Finding> find_seven_voxels(Lab& lab);
Result<Finding> find_stage_times(Lab& lab);

/// Values that run a scene with the equations as printed, in the paper's single substep of 0.01 s, with its search for
/// contacts; `more` values follow. The paper does not say how often it corrects all lengths. The 2 us per segment that
/// Table 1 has for this stage pay for some tens of times.
Overrides printed(const Overrides& more = {});
/// The same with the mean over regions as the goal of the twist, because the sum of Eq. 2 and 3 grows without bound.
Overrides printed_with_goals(const Overrides& more = {});
/// Both lists; the later value of a key wins.
Overrides joined(Overrides first, const Overrides& then);
/// Sets the verdict: the claim holds as printed, or else with our method, which `ours` names.
void judge(Finding& finding, bool holds_as_printed, bool holds_with_ours, const std::string& ours);

using AfterStep = std::function<void(World& world)>;

/// Steps up to a time [s].
void run_until(LabRun& run, double time, const AfterStep& after = {});
/// Continues the run and takes a picture at each of the times [s], in rows of `per_row`.
Result<Picture> film_strip(LabRun& run, const std::vector<double>& times, size_t per_row, uint32_t width,
                           uint32_t height, const AfterStep& after = {});

std::vector<Vec3d> positions_of(World& world, GroomId groom = {0}, size_t strand = 0);
/// Largest distance of a particle of the first string from the x axis [m].
double farthest_from_x_axis(World& world);
/// Twist of every segment of the first string relative to its first segment [rad].
std::vector<double> twist_of(World& world);
/// The fewest crossings of the curve with itself over all views perpendicular to the line between its ends.
int min_crossings(const std::vector<Vec3d>& positions);

}  // namespace tendril::app
