#include "tendril/parallel.h"

#include <hwy/targets.h>

namespace tendril {

std::string simd_name()
{
    const int64_t usable = HWY_SUPPORTED_TARGETS & HWY_TARGETS;
    return hwy::TargetName(usable & -usable);  // the best instruction set has the lowest bit
}

}  // namespace tendril
