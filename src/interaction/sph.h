/// Smoothed particle hydrodynamics [Mueller03] for hair as a continuum [Sanchez15] 3.2: hair that is denser than at
/// rest pushes itself apart, and strands drag each other along. Particles are flat arrays, with no distinction between
/// grooms, spray and dust. docs/sph.md describes the method, its limits and the departures from the papers.
#pragma once

#include "interaction/neighbours.h"
#include "interaction/printed_sph.h"
#include "interaction/sph_forces.h"
#include "tendril/parallel.h"
#include "tendril/settings.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// The particles. All arrays are as long as the positions.
struct SphParticles {
    std::span<const Vec3f> positions;       ///< [m], relative to a common origin; finite
    std::span<const Vec3f> velocities;      ///< [m/s], from the motion over the last step
    std::span<const float> masses;          ///< [kg], > 0; unused in the paper's units, and may be empty there
    std::span<const float> rest_densities;  ///< from densities() at rest; infinite: exerts no pressure
};

/// Returns the smoothing length that reaches about `neighbours` others [m]: the median over a sample of particles. Call
/// it once, for the rest pose.
float smoothing_length_of(std::span<const Vec3f> positions, Executor& executor, size_t neighbours = 30);

/// Keeps its buffers between steps, and allocates only if the number of particles or `max_neighbours` grows.
class Sph {
public:
    /// `settings.smoothing_length` must be > 0 before any other call.
    explicit Sph(const SphSettings& settings, Form form = Form::kStable) : settings_(settings), form_(form) {}
    const SphSettings& settings() const { return settings_; }
    void set(const SphSettings& settings) { settings_ = settings; }
    void set_form(Form form) { form_ = form; }

    /// Computes the density at each particle, itself included [kg/m^3], or [1/m^3] in the paper's units. It counts all
    /// neighbours, even if lists are cut.
    void densities(std::span<const Vec3f> positions, std::span<const float> masses, std::span<float> densities,
                   Executor& executor);

    /// Computes the acceleration of each particle by pressure and viscosity [m/s^2], for a step of `dt` seconds that
    /// integrates velocities += dt acceleration, then positions += dt velocity. The sum of mass times acceleration is 0
    /// up to rounding, except in the printed form.
    void accelerations(const SphParticles& particles, float dt, std::span<Vec3f> accelerations, Executor& executor);

    // The two halves of accelerations(), public for benchmarks.
    void find_neighbours(const SphParticles& particles, Executor& executor);
    void sum_forces(const SphParticles& particles, float dt, std::span<Vec3f> accelerations, Executor& executor);

    const Neighbours& neighbours() const { return neighbours_; }
    size_t bytes() const;

private:
    std::span<const float> masses_of(std::span<const float> masses) const;
    void find(std::span<const Vec3f> positions, std::span<const float> masses, Executor& executor);
    void sum_as_printed(const SphParticles& particles, std::span<Vec3f> accelerations, Executor& executor);

    SphSettings settings_;
    Form form_;
    Neighbours neighbours_;
    std::vector<SphState> states_;
    std::vector<PrintedFluid> printed_;
};

}  // namespace tendril
