/// The functions that measure the claims of [Zappe20], by subject.
#pragma once

#include "lab_run.h"

namespace tendril::app {

// The curve itself: zappe20_curve.cpp
Result<Finding> find_tail_moves_less(Lab& lab);
Result<Finding> find_straight_pull(Lab& lab);
Result<Finding> find_emulated_rope(Lab& lab);
Result<Finding> find_better_projection(Lab& lab);

// Hair: zappe20_hair.cpp
Result<Finding> find_mohawk(Lab& lab);
Result<Finding> find_frame_1000(Lab& lab);
Result<Finding> find_one_number(Lab& lab);
Result<Finding> find_growth_of_cost(Lab& lab);

}  // namespace tendril::app
