/// The forces of a fluid as [Sanchez15] 3.2 takes them from [Mueller03], without the changes of sph.cpp that keep them
/// stable and preserve momentum; docs/equations.md compares them.
#pragma once

#include "interaction/neighbours.h"
#include "tendril/settings.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <span>

namespace tendril {

/// What the forces need to know of one particle.
struct PrintedFluid {
    Vec3d position, velocity;
    double mass, density, pressure;
};

/// The density and the pressure of the particles, in the sorted order of `neighbours`:
///     p = k (rho - rho_0)                                                                  [Mueller03] Eq. 12
/// rho_0 is each particle's density at rest, which neither paper defines; if it is infinite, p is 0.
void prepare_printed_fluid(const Neighbours& neighbours, const SphSettings& settings, std::span<const Vec3f> velocities,
                           std::span<const float> rest_densities, std::span<PrintedFluid> out, size_t begin,
                           size_t end);

/// Writes the accelerations of the particles [begin, end) in the sorted order of `neighbours` [m/s^2]:
///     a_i = (f_pressure + f_viscosity) / rho_i                                 the first two terms of [Sanchez15] Eq.
///     15 f_pressure  = -sum over j of m_j (p_i + p_j)/(2 rho_j) grad W(x_i - x_j)             [Mueller03] Eq. 10 and
///     21 f_viscosity = mu sum over j of m_j (v_j - v_i)/rho_j lap W(x_i - x_j)                [Mueller03] Eq. 14 and
///     22
/// Accelerations are bounded only to stay finite.
void sum_printed_forces(const Neighbours& neighbours, const SphSettings& settings, std::span<const PrintedFluid> fluid,
                        std::span<Vec3f> accelerations, size_t begin, size_t end);

}  // namespace tendril
