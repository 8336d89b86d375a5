// Strands as particles of a fluid: gathering them, and applying the accelerations.
#include "interaction/sph_interaction.h"
#include "math/random.h"
#include "support/sanitized.h"
#include "support/strand_bench.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tendril::test {
namespace {

constexpr double kDt = 1.0 / 60, kSubstep = kDt / 2;
constexpr size_t kRopes = 19;  // not a multiple of the lanes
constexpr uint32_t kFluidParticles = 8;
constexpr double kFluidMass = 2e-6;

Groom loose_ropes()
{
    RopeStyle style;
    style.strands = kRopes;
    style.particles = kFluidParticles;
    style.length = 0.07f;
    style.spacing = 0.01f;
    style.ends = Ends::kFree;
    return *make_groom(*make_ropes(style));
}

Vec3d random_vector(uint64_t seed, uint64_t i)
{
    return {2 * uniform(seed, 3 * i) - 1, 2 * uniform(seed, 3 * i + 1) - 1, 2 * uniform(seed, 3 * i + 2) - 1};
}

/// Free ropes at random positions around a point.
struct Tangle {
    explicit Tangle(const Vec3d& middle) : groom(loose_ropes()), strands(groom, RootKind::kOnBone)
    {
        strands.frame.position = middle;
        for (size_t s = 0; s < kRopes; ++s) strands.set_root(s, middle + random_vector(1, s) * 0.015);
        strands.begin_step();
        for (size_t s = 0; s < kRopes; ++s) strands.set_root(s, strands.root(s) + random_vector(2, s) * 0.002);
    }

    std::vector<Vec3f> apply(SphInteraction& fluid, std::span<const ForeignParticle> foreign = {})
    {
        std::vector<Vec3f> accelerations(foreign.size());
        const InteractingGroom self{&groom, &strands, 0, kFluidMass, kSubstep};
        InteractionStep step{kDt, kDt};
        step.foreign = foreign;
        step.foreign_accelerations = accelerations;
        fluid.apply({&self, 1}, step, *make_serial_executor());
        return accelerations;
    }
    /// Acceleration of a particle without initial drift [m/s^2].
    Vec3d acceleration(size_t strand, int level) const
    {
        return to_double(strands.drift(strand, level)) * (1 / (kDt * kSubstep));
    }
    /// Total force of the fluid [N]. Adds the sum of the magnitudes to `total`.
    Vec3d force(double* total) const
    {
        Vec3d sum{0, 0, 0};
        for (size_t s = 0; s < kRopes; ++s)
            for (uint32_t i = 0; i < kFluidParticles; ++i) {
                sum += acceleration(s, static_cast<int>(i)) * kFluidMass;
                *total += length(acceleration(s, static_cast<int>(i))) * kFluidMass;
            }
        return sum;
    }

    Groom groom;
    Strands strands;
};

std::vector<ForeignParticle> spray(const Vec3d& middle, size_t count = 100)
{
    std::vector<ForeignParticle> out(count);
    for (size_t i = 0; i < count; ++i) {
        out[i].position = middle + random_vector(3, i) * 0.04;
        out[i].velocity = to_float(random_vector(4, i) + Vec3d{2, 0, 0});
        out[i].mass = static_cast<float>(1e-7 + 1e-5 * uniform(5, i));
        if (i % 2 == 0) out[i].rest_density = 0.01f;
    }
    return out;
}

SphSettings thick()
{
    SphSettings settings;
    settings.smoothing_length = 0.012f;
    settings.viscosity = 1e-3f;
    return settings;
}

class SphMomentum : public testing::TestWithParam<double> {};

TEST_P(SphMomentum, HairLosesTheMomentumThatForeignParticlesGain)
{
    const Vec3d middle{GetParam(), 1, -GetParam()};
    Tangle tangle(middle);
    SphInteraction fluid(thick());
    const std::vector<ForeignParticle> foreign = spray(middle);
    const std::vector<Vec3f> accelerations = tangle.apply(fluid, foreign);
    double total = 0, on_foreign = 0;
    Vec3d sum = tangle.force(&total);
    for (size_t i = 0; i < foreign.size(); ++i) {
        const Vec3d f = to_double(accelerations[i]) * static_cast<double>(foreign[i].mass);
        sum += f;
        on_foreign += length(f);
    }
    EXPECT_GT(on_foreign, 0.05 * total);
    EXPECT_LT(length(sum), 1e-5 * (total + on_foreign));
}

INSTANTIATE_TEST_SUITE_P(AnywhereInTheWorld, SphMomentum, testing::Values(0.0, 1e4));

TEST(SphInteraction, InvalidForeignParticlesDoNothing)
{
    constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
    Tangle alone({0, 0, 0}), visited({0, 0, 0});
    SphInteraction fluid(thick()), other(thick());
    std::vector<ForeignParticle> bad = spray({0, 0, 0}, 6);
    bad[0].position.x = kNotANumber;
    bad[1].velocity.y = std::numeric_limits<float>::infinity();
    bad[2].mass = 0;
    bad[3].mass = -1;
    bad[4].rest_density = std::numeric_limits<float>::quiet_NaN();
    bad[5].position.z = 100;
    alone.apply(fluid);
    for (const Vec3f& a : visited.apply(other, bad)) EXPECT_EQ(length(a), 0);
    for (size_t s = 0; s < kRopes; ++s)
        for (int i = 0; i < static_cast<int>(kFluidParticles); ++i)
            EXPECT_EQ(visited.strands.drift(s, i), alone.strands.drift(s, i));
}

TEST(SphInteraction, HeldParticlesActButStay)
{
    RopeStyle style;
    style.strands = 2;
    style.particles = kFluidParticles;
    style.length = 0.07f;
    style.spacing = 0.05f;
    style.ends = Ends::kBothHeld;
    const Groom groom = *make_groom(*make_ropes(style));
    Strands strands(groom, RootKind::kSampled);
    strands.set_root(0, {0, 0, 0});
    strands.set_root(1, {0, 0, 0.002});
    strands.begin_step();
    SphInteraction fluid(thick());
    const InteractingGroom self{&groom, &strands, 0, kFluidMass, kSubstep};
    fluid.apply({&self, 1}, {kDt, kDt}, *make_serial_executor());
    const int tip = static_cast<int>(kFluidParticles) - 1;
    for (size_t s = 0; s < 2; ++s) {
        EXPECT_EQ(length(strands.drift(s, 0)), 0);
        EXPECT_EQ(length(strands.drift(s, tip)), 0);
        EXPECT_GT(length(strands.drift(s, 1)), 0);
    }
}

// Two tangles on opposite sides of the earth behave as if each were alone.
TEST(SphInteraction, GroomsFarApartActAsIfAlone)
{
    const Vec3d here{0, 0, 0}, far{1e7, 0, 0};
    Tangle alone(here), first(here), second(far);
    SphInteraction fluid(thick()), both(thick());
    alone.apply(fluid);
    const InteractingGroom grooms[] = {{&first.groom, &first.strands, 0, kFluidMass, kSubstep},
                                       {&second.groom, &second.strands, 1, kFluidMass, kSubstep}};
    both.apply(grooms, {kDt, kDt}, *make_serial_executor());
    double total = 0, off = 0, off_far = 0;
    for (size_t s = 0; s < kRopes; ++s)
        for (int i = 0; i < static_cast<int>(kFluidParticles); ++i) {
            total += length(alone.acceleration(s, i));
            off += length(alone.acceleration(s, i) - first.acceleration(s, i));
            off_far += length(alone.acceleration(s, i) - second.acceleration(s, i));
        }
    EXPECT_LT(off, 1e-4 * total);
    EXPECT_LT(off_far, 1e-3 * total);
}

}  // namespace
}  // namespace tendril::test
