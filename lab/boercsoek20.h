/// The functions that measure the claims of [Boercsoek20], by subject. The table of claims is in boercsoek20.cpp.
#pragma once

#include "lab_run.h"

namespace tendril::app::boercsoek {

// Single strands: boercsoek20_strands.cpp
Result<Finding> find_bending(Lab& lab);
Result<Finding> find_stiffness(Lab& lab);
Result<Finding> find_leader_stretch(Lab& lab);

// Hair on a head: boercsoek20_head.cpp
Result<Finding> find_look(Lab& lab);
Result<Finding> find_real_time(Lab& lab);
Result<Finding> find_obj_head(Lab& lab);

}  // namespace tendril::app::boercsoek
