/// The functions that measure the claims of [Sanchez15], by subject. The table of claims is in sanchez15.cpp.
#pragma once

#include "lab_run.h"

namespace tendril::app::sanchez {

// Whole characters: sanchez15_characters.cpp
Result<Finding> find_mannequin_and_horse(Lab& lab);
Result<Finding> find_fur(Lab& lab);
Result<Finding> find_styles(Lab& lab);
Result<Finding> find_characters(Lab& lab);

// Shape and volume, separately and together: sanchez15_figure2.cpp
Result<Finding> find_four_variants(Lab& lab);

// The equations of the shape: sanchez15_shape.cpp
Result<Finding> find_energy(Lab& lab);
Result<Finding> find_oscillation(Lab& lab);

// Hair as a fluid: sanchez15_volume.cpp
Result<Finding> find_ranges(Lab& lab);

// Times: sanchez15_cost.cpp
Result<Finding> find_times(Lab& lab);
Result<Finding> find_layouts(Lab& lab);

}  // namespace tendril::app::sanchez
