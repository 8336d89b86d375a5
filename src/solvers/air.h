/// Gravity, drag and wind as the solvers apply them: prepared once per substep in double precision, evaluated per
/// particle in kernels (air-inl.h).
#pragma once

#include "tendril/settings.h"

#include <array>
#include <cstddef>

namespace tendril {

/// One eddy: a plane wave whose motion is perpendicular to its direction, so that the field has no sources.
struct WindWave {
    Vec3f wave;       ///< wave vector [turns/m]
    float phase;      ///< at the origin of the strands [turns]
    Vec3f amplitude;  ///< [m per substep]
};

inline constexpr size_t kWindWaves = 8;

/// Gravity and air over one substep of `h` seconds.
struct AirSubstep {
    Vec3f fall;                        ///< gravity times h^2 [m]
    float normal = 0, tangential = 0;  ///< share of the relative motion that drag removes, [0, 1]
    /// Share of the displacement by a constant force that drag leaves of it, (0, 1].
    float normal_left = 1, tangential_left = 1;
    Vec3f wind{0, 0, 0};                      ///< mean wind times h [m]
    std::array<WindWave, kWindWaves> eddies;  ///< unused if `turbulent` is false
    bool turbulent = false;

    bool resists() const { return normal > 0 || tangential > 0; }
};

AirSubstep prepare_air(const AirSettings& air, const WindSettings& wind, const Vec3d& gravity, const Vec3d& origin,
                       double time, double h);

/// The wind at a position and time [m/s], as kernels evaluate it, but in double precision. For viewers and tests.
Vec3d wind_at(const WindSettings& wind, const Vec3d& position, double time);

}  // namespace tendril
