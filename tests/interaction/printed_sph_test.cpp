// The fluid of [Sanchez15] 3.2 as [Mueller03] prints it, against sums over all pairs.
#include "interaction/sph.h"

#include "interaction/sph_kernels.h"
#include "math/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tendril {
namespace {

constexpr size_t kCount = 200;
constexpr float kReach = 0.03f;

struct PrintedCrowd {
    std::vector<Vec3f> positions, velocities, accelerations;
    std::vector<float> rest_densities;

    PrintedCrowd()
    {
        for (uint64_t i = 0; i < kCount; ++i) {
            const auto number = [i](uint64_t k) { return static_cast<float>(2 * uniform(7, 8 * i + k) - 1); };
            positions.push_back(Vec3f{number(0), number(1), number(2)} * 0.05f);
            velocities.push_back({number(3), number(4), number(5)});
            rest_densities.push_back(1e5f * (2 + number(6)));
        }
        accelerations.resize(kCount);
    }
    void accelerate(const SphSettings& settings)
    {
        Sph sph(settings, Form::kPaper);
        sph.accelerations({positions, velocities, {}, rest_densities}, 0.016f, accelerations, *make_serial_executor());
    }
    double density(size_t i) const
    {
        double sum = 0;
        for (const Vec3f& p : positions)
            sum += poly6(length(to_double(p) - to_double(positions[i])), static_cast<double>(kReach));
        return sum;
    }
};

constexpr SphSettings kPrintedFluid{
    .smoothing_length = kReach, .stiffness = 0.5f, .viscosity = 200, .max_neighbours = 512, .units = SphUnits::kPaper};

TEST(PrintedSph, IsTheSumOfPressureAndViscosityOverAllPairs)
{
    PrintedCrowd crowd;
    crowd.accelerate(kPrintedFluid);
    std::vector<double> density, pressure;
    for (size_t i = 0; i < kCount; ++i) {
        density.push_back(crowd.density(i));
        pressure.push_back(0.5 * (density[i] - static_cast<double>(crowd.rest_densities[i])));
    }
    bool pulls = false;
    for (size_t i = 0; i < kCount; ++i) {
        Vec3d force{0, 0, 0};
        double size = 0;
        for (size_t j = 0; j < kCount; ++j) {
            const Vec3d d = to_double(crowd.positions[i]) - to_double(crowd.positions[j]);
            const double r = length(d), h = static_cast<double>(kReach);
            if (i == j || r >= h) continue;
            const Vec3d push = d * (-(pressure[i] + pressure[j]) / (2 * density[j]) * spiky_slope(r, h) / r);
            const Vec3d drag = (to_double(crowd.velocities[j]) - to_double(crowd.velocities[i])) *
                               (200 / density[j] * viscous_laplacian(r, h));
            force += push + drag;
            size += length(push) + length(drag);
            pulls |= dot(push, d) < 0;
        }
        EXPECT_LT(length(to_double(crowd.accelerations[i]) - force * (1 / density[i])), 1e-4 * size / density[i] + 1e-6)
            << i;
    }
    EXPECT_TRUE(pulls);  // below its rest density, the printed fluid sticks together
}

// Divided by the density, the pair terms are opposite. If lists are cut, a particle may push another that does not list
// it.
TEST(PrintedSph, KeepsMomentumUnlessListsAreCut)
{
    const auto lost = [](uint32_t most) {
        PrintedCrowd crowd;
        SphSettings settings = kPrintedFluid;
        settings.max_neighbours = most;
        crowd.accelerate(settings);
        Vec3d sum{0, 0, 0};
        double sizes = 0;
        for (const Vec3f& a : crowd.accelerations) {
            sum += to_double(a);
            sizes += length(to_double(a));
        }
        return length(sum) / sizes;
    };
    EXPECT_LT(lost(512), 1e-5);
    EXPECT_GT(lost(10), 1e-3);
}

TEST(PrintedSph, IsFiniteForAnyInput)
{
    PrintedCrowd crowd;
    crowd.positions[1] = crowd.positions[0];
    crowd.positions[3] = crowd.positions[2] + Vec3f{1e-30f, 0, 0};
    crowd.rest_densities[5] = std::numeric_limits<float>::infinity();
    crowd.velocities[6] = {1e30f, 0, 0};
    SphSettings settings = kPrintedFluid;
    settings.stiffness = settings.viscosity = 1e9f;
    crowd.accelerate(settings);
    for (const Vec3f& a : crowd.accelerations) EXPECT_TRUE(is_finite(a));
}

}  // namespace
}  // namespace tendril
