/// Smoothed particle hydrodynamics [Mueller03] for hair as a continuum [Sanchez15] 3.2: hair that is denser than at
/// rest pushes itself apart, and strands drag each other along. Particles are flat arrays: those of all grooms, spray
/// and dust are all the same to it. The method, its limits and where it departs from the papers: docs/sph.md.
#pragma once

#include "interaction/neighbours.h"
#include "interaction/sph_forces.h"
#include "tendril/parallel.h"
#include "tendril/settings.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// Particles of any origin. All arrays are as long as the positions.
struct SphParticles {
    std::span<const Vec3f> positions;       ///< [m], relative to one origin for all; finite
    std::span<const Vec3f> velocities;      ///< of the motion [m/s]
    std::span<const float> masses;          ///< [kg], above 0; not used, and may be empty, in the paper's units
    std::span<const float> rest_densities;  ///< as densities() finds them at rest; infinite: has no pressure of its own
};

/// How far a particle must reach for about `neighbours` others, by the median over some particles [m]. At rest, once.
float smoothing_length_of(std::span<const Vec3f> positions, Executor& executor, size_t neighbours = 30);

/// Keeps its buffers from step to step: it allocates only while the number of particles or the cap grows.
class Sph {
public:
    /// The smoothing length must be known by now.
    explicit Sph(const SphSettings& settings) : settings_(settings) {}
    const SphSettings& settings() const { return settings_; }
    void set(const SphSettings& settings) { settings_ = settings; }

    /// Density at each particle, itself included [kg/m^3], or [1/m^3] in the paper's units. Never cut by the cap.
    void densities(std::span<const Vec3f> positions, std::span<const float> masses, std::span<float> densities,
                   Executor& executor);

    /// The acceleration of each particle [m/s^2] by pressure and viscosity over a step of `dt` seconds, for
    /// velocities += dt acceleration, then positions += dt velocity. The sum of mass times acceleration is 0 but for
    /// rounding.
    void accelerations(const SphParticles& particles, float dt, std::span<Vec3f> accelerations, Executor& executor);

    // The two halves of accelerations(), for measuring.
    void find_neighbours(const SphParticles& particles, Executor& executor);
    void sum_forces(const SphParticles& particles, float dt, std::span<Vec3f> accelerations, Executor& executor);

    const Neighbours& neighbours() const { return neighbours_; }
    size_t bytes() const;

private:
    std::span<const float> masses_of(std::span<const float> masses) const;
    void find(std::span<const Vec3f> positions, std::span<const float> masses, Executor& executor);

    SphSettings settings_;
    Neighbours neighbours_;
    std::vector<SphState> states_;
};

}  // namespace tendril
