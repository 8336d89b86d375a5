#include "interaction/printed_sph.h"

#include "interaction/sph_kernels.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

constexpr double kMostAcceleration = 1e12;  // keeps floats finite [m/s^2]
constexpr double kLeastDensity = 1e-30;     // keeps divisions finite

}  // namespace

void prepare_printed_fluid(const Neighbours& neighbours, const SphSettings& settings, std::span<const Vec3f> velocities,
                           std::span<const float> rest_densities, std::span<PrintedFluid> out, size_t begin, size_t end)
{
    const double scale = poly6(0, static_cast<double>(settings.smoothing_length));
    for (size_t at = begin; at < end; ++at) {
        const PointMass& point = neighbours.particles()[at];
        const uint32_t index = neighbours.order()[at];
        const double density = std::max(scale * static_cast<double>(neighbours.surroundings()[at].u3), kLeastDensity);
        const auto rest = static_cast<double>(rest_densities[index]);
        const double pressure = std::isfinite(rest) ? static_cast<double>(settings.stiffness) * (density - rest) : 0;
        out[at] = {to_double(Vec3f{point.x, point.y, point.z}), to_double(velocities[index]),
                   static_cast<double>(point.mass), density, pressure};
    }
}

void sum_printed_forces(const Neighbours& neighbours, const SphSettings& settings, std::span<const PrintedFluid> fluid,
                        std::span<Vec3f> accelerations, size_t begin, size_t end)
{
    const auto h = static_cast<double>(settings.smoothing_length), mu = static_cast<double>(settings.viscosity);
    for (size_t at = begin; at < end; ++at) {
        const PrintedFluid& i = fluid[at];
        Vec3d force{0, 0, 0};
        for (const uint32_t other : neighbours.list(at)) {
            const PrintedFluid& j = fluid[other];
            const Vec3d d = i.position - j.position;
            const double r = length(d), per_density = j.mass / j.density;
            if (r > 0) force -= d * ((i.pressure + j.pressure) / 2 * per_density * (spiky_slope(r, h) / r));
            force += (j.velocity - i.velocity) * (mu * per_density * viscous_laplacian(r, h));
        }
        const Vec3d a = force * (1 / i.density);
        const double most = std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z), kMostAcceleration});
        accelerations[neighbours.order()[at]] =
            is_finite(a) ? to_float(a * (kMostAcceleration / most)) : Vec3f{0, 0, 0};
    }
}

}  // namespace tendril
