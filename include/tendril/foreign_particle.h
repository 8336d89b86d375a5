/// Foreign particles: particles of another simulation, such as spray, dust or snow, that move through hair. Hair that
/// is simulated as a fluid pushes and drags them, and they push and drag the hair.
#pragma once

#include "tendril/vec3.h"

#include <limits>

namespace tendril {

struct ForeignParticle {
    Vec3d position{0, 0, 0};  ///< [m], in the world
    Vec3f velocity{0, 0, 0};  ///< [m/s], up to 1e6
    float mass = 1e-6f;       ///< [kg], > 0
    /// Density above which it exerts pressure on its surroundings [kg/m^3], >= 0. If infinite, it exerts no pressure of
    /// its own, but dense hair still pushes it.
    float rest_density = std::numeric_limits<float>::infinity();
};

}  // namespace tendril
