/// Particles of other simulations that fly through hair: spray, dust, snow. Hair as a fluid pushes and drags them, and
/// is pushed and dragged by them.
#pragma once

#include "tendril/vec3.h"

#include <limits>

namespace tendril {

struct ForeignParticle {
    Vec3d position{0, 0, 0};  ///< [m], in the world
    Vec3f velocity{0, 0, 0};  ///< [m/s], up to 1e6
    float mass = 1e-6f;       ///< [kg], > 0
    /// Density above which it presses on what is around it [kg/m^3], >= 0. Infinite: it has no pressure of its own, but
    /// is pushed where hair is crowded.
    float rest_density = std::numeric_limits<float>::infinity();
};

}  // namespace tendril
