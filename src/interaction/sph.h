/// Smoothed particle hydrodynamics [Mueller03] for hair as a continuum [Sanchez15] 3.2: hair that is denser than at
/// rest pushes itself apart, and strands drag each other along. Particles are flat arrays: those of all grooms, spray
/// and dust are all the same to it. The method, its limits and where it departs from the papers: docs/sph.md.
#pragma once

#include "interaction/neighbours.h"
#include "interaction/sph_forces.h"
#include "tendril/parallel.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// What the coefficients mean.
enum class SphUnits : uint8_t {
    kSi,     ///< stiffness [m^2/s^2], viscosity [m^2/s]; independent of the unit of mass
    kPaper,  ///< as [Sanchez15]: every particle has mass 1; repulsion 0 to 0.5, viscosity 0 to 200
};

/// How hair acts on hair as a fluid. Any value is stable: what the step cannot take is limited (docs/sph.md).
struct SphSettings {
    /// How far particles act on each other, h [m]. 0 or more; 0: smoothing_length_of() of the rest pose.
    float smoothing_length = 0;
    /// Pressure per density above that at rest, k in p = k (rho - rho_rest) [m^2/s^2]: the square of the speed at which
    /// a push travels through hair. 0 or more. With 1, hair pressed to 1.5 times its density carries 3 cm of itself. In
    /// the paper's units: its repulsion, [0, 0.5].
    float stiffness = 1.0f;
    /// How quickly differences of velocity even out, the kinematic viscosity [m^2/s]. 0 or more; neighbours share
    /// their motion within h^2/(15 viscosity): 0.07 s with the default and h = 1 cm. In the paper's units: its
    /// (dynamic) viscosity, [0, 200].
    float viscosity = 1e-4f;
    /// Neighbours that a particle acts on at most, [1, 512]: the nearest. Momentum is kept also where lists are cut.
    uint32_t most_neighbours = 48;
    SphUnits units = SphUnits::kSi;
};

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
