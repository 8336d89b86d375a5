/// The claims of [Rungjiratananon11] by subject, and what they share.
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

// Things that hang on strings: rungjiratananon11_hanging.cpp
Result<Finding> find_mobile(Lab& lab);
Result<Finding> find_tension(Lab& lab);
Result<Finding> find_knot(Lab& lab);
Result<Finding> find_bridge(Lab& lab);

// Tension and what it does: rungjiratananon11_tension.cpp
Result<Finding> find_tearing(Lab& lab);
Result<Finding> find_flicking(Lab& lab);
Result<Finding> find_plastic(Lab& lab);

// Searching and cost: rungjiratananon11_cost.cpp
Result<Finding> find_seven_voxels(Lab& lab);
Result<Finding> find_stage_times(Lab& lab);

using AfterStep = std::function<void(World& world)>;

/// Steps up to a time [s].
void run_until(LabRun& run, double time, const AfterStep& after = {});
/// Runs on and takes a picture at each of the times, one below the other or in rows.
Result<Picture> film_strip(LabRun& run, const std::vector<double>& times, size_t per_row, uint32_t width,
                           uint32_t height, const AfterStep& after = {});

std::vector<Vec3d> places_of(World& world, GroomId groom = {0}, size_t strand = 0);
/// How far any particle is from the x axis [m].
double farthest_from_x_axis(World& world);
/// Twist of every segment of the first string against its first one [rad].
std::vector<double> twist_of(World& world);
/// How often the curve crosses itself, seen across the line between its ends from where it does so least.
int least_crossings(const std::vector<Vec3d>& places);

}  // namespace tendril::app
