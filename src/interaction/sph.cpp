#include "interaction/sph.h"

#include "interaction/sph_kernels.h"
#include "math/point_tree.h"
#include "math/random.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace tendril {
namespace {

// Pressure waves travel no farther than this share of h in a step. Explicit steps gain energy from faster waves
// (docs/sph.md).
constexpr double kMaxCourant = 0.4;
// Pressure moves a particle by at most this share of h in a step, reached only if all neighbours are on one side. Most
// contributions cancel: with a fifth of this limit, crowded hair hardly spreads.
constexpr double kMaxTravel = 1.0;

// Pressure is damped by a viscosity of this times h sqrt(p/rho), as used for shocks [Monaghan92]. The pressure is not
// the gradient of an energy; without damping, particles that cannot separate would heat up.
constexpr double kDamping = 0.1;

/// Coefficients that all particles share. In double precision: h^-5 and m/h^3 easily leave the range of floats.
struct Coefficients {
    double density;    // factor of the sum of m u^3
    double stiffness;  // limited for the step
    double push;       // factor of p/rho^2
    double max_push;   // over the sum of m t^2
    double drag;       // factor of 1/rho, or of 1/rho^2 if dynamic
    double damping;    // factor of sqrt(p/rho)/rho
    double dt;
    bool dynamic;  // whether the viscosity is dynamic, not kinematic

    Coefficients(const SphSettings& s, double step)
    {
        const double h = static_cast<double>(s.smoothing_length);
        dt = step;
        density = poly6(0, h);
        const double fastest = kMaxCourant * h / dt;
        stiffness = std::clamp(static_cast<double>(s.stiffness), 0.0, fastest * fastest);
        push = -spiky_slope(0, h) / h;
        max_push = kMaxTravel / (dt * dt);
        drag = viscous_laplacian(0, h) * std::clamp(static_cast<double>(s.viscosity), 0.0, kMaxViscosity);
        damping = viscous_laplacian(0, h) * kDamping * h;
        dynamic = s.units == SphUnits::kPaper;
    }

    // Far beyond the values that the step allows.
    static constexpr double kMaxViscosity = 1e20;
};

// Prefetch distance: particles that are neighbours in space are scattered over the input arrays.
constexpr size_t kAhead = 16;

// Keeps divisions finite.
constexpr double kMinDensity = 1e-30;

/// Rounds like the rest densities, so that the pressure at rest is exactly zero.
float density_of(double scale, const Surroundings& around)
{
    return static_cast<float>(scale * static_cast<double>(around.u3));
}

/// Converts to float. Values above the bound, which floats may not hold, are limited; they have the same effect.
float to_bounded(double value)
{
    constexpr double kLargest = 1e30;
    return static_cast<float>(std::min(value, kLargest));
}

/// Computes the contribution of a particle to its pair forces (docs/sph.md, "Limits").
SphState prepare(const Coefficients& c, const PointMass& particle, const Surroundings& around, const Vec3f& velocity,
                 double rest_density)
{
    const double mass = particle.mass;
    const double u1 = std::max(0.0, around.u1 - mass), u2 = std::max(0.0, around.u2 - mass),
                 u3 = std::max(0.0, around.u3 - mass);  // over the other particles
    const double density = std::max<double>(density_of(c.density, around), kMinDensity), per_density = 1 / density;
    const double excess = std::max(0.0, density - std::max(0.0, rest_density)) * per_density;
    const double drag =
        (c.drag * (c.dynamic ? per_density : 1.0) + c.damping * std::sqrt(c.stiffness * excess)) * per_density;
    SphState state;
    state.x = particle.x;
    state.y = particle.y;
    state.z = particle.z;
    state.mass = particle.mass;
    state.vx = velocity.x;
    state.vy = velocity.y;
    state.vz = velocity.z;
    // Half of the stable limit, because both particles of a pair move.
    state.drag = to_bounded(drag / (1 + 2 * c.dt * drag * bound_of_t(u1, u2, u3)));
    state.push = to_bounded(c.push * c.stiffness * excess * per_density);
    state.max_push = to_bounded(c.max_push / std::max(bound_of_t2(u2, u3), 1e-60));
    state.reach = around.reach;
    state.unused = 0;
    return state;
}

}  // namespace

float smoothing_length_of(std::span<const Vec3f> positions, Executor& executor, size_t neighbours)
{
    constexpr size_t kSamples = 512;
    constexpr uint64_t kSeed = 1;
    if (positions.size() < 2) return 1;
    std::vector<Vec3d> points;
    for (const Vec3f& p : positions) points.push_back(to_double(p));
    const PointTree tree(points);
    // Random samples: a regular stride might pick the same level of every strand.
    std::vector<double> reach(std::min(kSamples, points.size()));
    parallel_for(executor, reach.size(), 16, [&](size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
            const auto i = static_cast<size_t>(uniform(kSeed, k) * static_cast<double>(points.size()));
            const std::vector<uint32_t> near = tree.nearest(points[i], neighbours + 1);
            reach[k] = length(points[near.back()] - points[i]);
        }
    });
    std::nth_element(reach.begin(), reach.begin() + static_cast<ptrdiff_t>(reach.size() / 2), reach.end());
    const double median = reach[reach.size() / 2];
    return median > 0 ? static_cast<float>(median) : 1;
}

std::span<const float> Sph::masses_of(std::span<const float> masses) const
{
    return settings_.units == SphUnits::kPaper ? std::span<const float>{} : masses;
}

void Sph::find(std::span<const Vec3f> positions, std::span<const float> masses, Executor& executor)
{
    assert(settings_.smoothing_length > 0);
    neighbours_.find(positions, masses_of(masses),
                     {.radius = settings_.smoothing_length, .max_neighbours = settings_.max_neighbours}, executor);
}

void Sph::densities(std::span<const Vec3f> positions, std::span<const float> masses, std::span<float> densities,
                    Executor& executor)
{
    find(positions, masses, executor);
    const double scale = poly6(0, settings_.smoothing_length);
    parallel_for(executor, positions.size(), 8192, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i)
            densities[neighbours_.order()[i]] = density_of(scale, neighbours_.surroundings()[i]);
    });
}

void Sph::find_neighbours(const SphParticles& particles, Executor& executor)
{
    find(particles.positions, particles.masses, executor);
}

void Sph::sum_forces(const SphParticles& particles, float dt, std::span<Vec3f> accelerations, Executor& executor)
{
    assert(dt > 0);
    if (form_ == Form::kPaper) return sum_as_printed(particles, accelerations, executor);
    const Coefficients coefficients(settings_, dt);
    states_.resize(neighbours_.size());
    const std::span<const uint32_t> order = neighbours_.order();
    parallel_for(executor, neighbours_.size(), 4096, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            const uint32_t from = order[i], later = order[std::min(i + kAhead, end - 1)];
            hwy::Prefetch(&particles.velocities[later]);
            hwy::Prefetch(&particles.rest_densities[later]);
            states_[i] = prepare(coefficients, neighbours_.particles()[i], neighbours_.surroundings()[i],
                                 particles.velocities[from], static_cast<double>(particles.rest_densities[from]));
        }
    });
    parallel_for(executor, neighbours_.size(), 1024,
                 [&](size_t begin, size_t end) { sum_pair_forces(neighbours_, states_, accelerations, begin, end); });
}

void Sph::sum_as_printed(const SphParticles& particles, std::span<Vec3f> accelerations, Executor& executor)
{
    printed_.resize(neighbours_.size());
    parallel_for(executor, neighbours_.size(), 4096, [&](size_t begin, size_t end) {
        prepare_printed_fluid(neighbours_, settings_, particles.velocities, particles.rest_densities, printed_, begin,
                              end);
    });
    parallel_for(executor, neighbours_.size(), 1024, [&](size_t begin, size_t end) {
        sum_printed_forces(neighbours_, settings_, printed_, accelerations, begin, end);
    });
}

void Sph::accelerations(const SphParticles& particles, float dt, std::span<Vec3f> accelerations, Executor& executor)
{
    find_neighbours(particles, executor);
    sum_forces(particles, dt, accelerations, executor);
}

size_t Sph::bytes() const
{
    return neighbours_.bytes() + states_.capacity() * sizeof(SphState) + printed_.capacity() * sizeof(PrintedFluid);
}

}  // namespace tendril
