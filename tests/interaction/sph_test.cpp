#include "interaction/sph.h"

#include "interaction/sph_kernels.h"
#include "math/random.h"
#include "support/sanitized.h"
#include "support/simd.h"
#include "support/thread_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <set>

namespace tendril {
namespace {

constexpr size_t kMany = test::kSanitized ? 400 : 3000;

/// Particles with all their attributes.
struct Crowd {
    std::vector<Vec3f> positions, velocities, accelerations;
    std::vector<float> masses, rest_densities;

    size_t size() const { return positions.size(); }
    void add(const Vec3f& position, const Vec3f& velocity = {0, 0, 0}, float mass = 1e-6f)
    {
        positions.push_back(position);
        velocities.push_back(velocity);
        accelerations.push_back({0, 0, 0});
        masses.push_back(mass);
        rest_densities.push_back(0);
    }
    SphParticles view() const { return {positions, velocities, masses, rest_densities}; }

    void accelerate(Sph& sph, float dt, Executor& executor) { sph.accelerations(view(), dt, accelerations, executor); }
    void accelerate(Sph& sph, float dt) { accelerate(sph, dt, *make_serial_executor()); }
    void step(Sph& sph, float dt)
    {
        accelerate(sph, dt);
        for (size_t i = 0; i < size(); ++i) {
            velocities[i] += accelerations[i] * dt;
            positions[i] += velocities[i] * dt;
        }
    }
    void set_rest_densities(Sph& sph) { sph.densities(positions, masses, rest_densities, *make_serial_executor()); }

    double kinetic_energy() const
    {
        double sum = 0;
        for (size_t i = 0; i < size(); ++i) {
            const Vec3d v = to_double(velocities[i]);
            sum += 0.5 * static_cast<double>(masses[i]) * dot(v, v);
        }
        return sum;
    }
};

Vec3f random_vector(uint64_t seed, uint64_t index)
{
    const auto number = [&](uint64_t k) { return static_cast<float>(2 * uniform(seed, 3 * index + k) - 1); };
    return {number(0), number(1), number(2)};
}

/// Random positions in a cube with side 2 x `size` [m], random velocities, and masses that differ by up to a factor
/// of 10.
Crowd random_crowd(size_t count, float size, uint64_t seed = 1)
{
    Crowd crowd;
    for (size_t i = 0; i < count; ++i)
        crowd.add(random_vector(seed, i) * size, random_vector(seed + 1, i),
                  1e-6f * static_cast<float>(1 + 9 * uniform(seed + 2, i)));
    return crowd;
}

/// A cubic lattice of particles.
Crowd lattice(int side, float spacing, const Vec3f& velocity = {0, 0, 0})
{
    Crowd crowd;
    for (int k = 0; k < side; ++k)
        for (int j = 0; j < side; ++j)
            for (int i = 0; i < side; ++i)
                crowd.add(Vec3f{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)} * spacing,
                          velocity);
    return crowd;
}

Sph make_sph(float smoothing_length, float stiffness, float viscosity, uint32_t most = 512)
{
    return Sph(
        {.smoothing_length = smoothing_length, .stiffness = stiffness, .viscosity = viscosity, .max_neighbours = most});
}

Neighbours find(const Crowd& crowd, float radius, uint32_t most)
{
    Neighbours neighbours;
    neighbours.find(crowd.positions, crowd.masses, {.radius = radius, .max_neighbours = most}, *make_serial_executor());
    return neighbours;
}

/// Magnitude of the sum of all forces, relative to the sum of their magnitudes.
double lost_momentum(const Crowd& crowd)
{
    Vec3d sum{0, 0, 0};
    double sizes = 0;
    for (size_t i = 0; i < crowd.size(); ++i) {
        const Vec3d force = to_double(crowd.accelerations[i]) * static_cast<double>(crowd.masses[i]);
        sum += force;
        sizes += length(force);
    }
    EXPECT_GT(sizes, 0);
    return length(sum) / sizes;
}

bool all_finite(const Crowd& crowd)
{
    const auto finite = [](const Vec3f& v) { return is_finite(v); };
    return std::all_of(crowd.accelerations.begin(), crowd.accelerations.end(), finite) &&
           std::all_of(crowd.positions.begin(), crowd.positions.end(), finite);
}

bool same_bits(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3f)) == 0;
}

/// Checks that each list contains exactly the particles within the radius, each of them once.
void expect_all_pairs(const Crowd& crowd, float radius)
{
    const Neighbours neighbours = find(crowd, radius, kMaxListed);
    ASSERT_EQ(neighbours.cut(), 0u);
    for (size_t a = 0; a < neighbours.size(); ++a) {
        std::set<uint32_t> expected;
        for (uint32_t b = 0; b < neighbours.size(); ++b)
            if (a != b && neighbours.scaled_distance2(a, b) < 1) expected.insert(b);
        const std::span<const uint32_t> list = neighbours.list(a);
        ASSERT_EQ(list.size(), expected.size()) << "at " << a;
        EXPECT_EQ(std::set<uint32_t>(list.begin(), list.end()), expected);
    }
}

double sum_of_poly6(const Crowd& crowd, size_t i, float h)
{
    double sum = 0;
    for (size_t j = 0; j < crowd.size(); ++j)
        sum += static_cast<double>(crowd.masses[j]) *
               poly6(length(to_double(crowd.positions[i]) - to_double(crowd.positions[j])), static_cast<double>(h));
    return sum;
}

}  // namespace

// --- Kernels

TEST(SphKernels, IntegrateToOne)
{
    const double h = 0.7, dr = h / 20000;
    double of_poly6 = 0, of_spiky = 0, of_viscous = 0;
    for (double r = dr / 2; r < h; r += dr) {
        const double shell = 4 * std::numbers::pi * r * r * dr;
        of_poly6 += poly6(r, h) * shell;
        of_spiky += spiky(r, h) * shell;
        of_viscous += viscous(r, h) * shell;
    }
    EXPECT_NEAR(of_poly6, 1, 1e-6);
    EXPECT_NEAR(of_spiky, 1, 1e-6);
    EXPECT_NEAR(of_viscous, 1, 1e-6);
}

TEST(SphKernels, DerivativesMatchFiniteDifferences)
{
    const double h = 0.7, e = 1e-4;
    for (double r = 0.05; r < h - 2 * e; r += 0.05) {
        EXPECT_NEAR(spiky_slope(r, h), (spiky(r + e, h) - spiky(r - e, h)) / (2 * e), 1e-4);
        // The Laplacian of a function of r alone is (r W)''/r.
        const auto rw = [&](double at) { return at * viscous(at, h); };
        EXPECT_NEAR(viscous_laplacian(r, h), (rw(r + e) - 2 * rw(r) + rw(r - e)) / (e * e * r), 1e-3);
    }
}

TEST(SphKernels, BoundsThatNeedNoRootHold)
{
    for (double r = 0; r <= 1; r += 1e-3) {
        const double u = 1 - r * r, t = 1 - r;
        EXPECT_GE(bound_of_t(u, u * u, u * u * u), t - 1e-12);
        EXPECT_GE(bound_of_t2(u * u, u * u * u), t * t - 1e-12);
        EXPECT_LE(bound_of_t(u, u * u, u * u * u), 1.25 * t + 1e-12 + 0.1 * u);
    }
}

// --- Neighbours

TEST(Neighbours, MatchBruteForce)
{
    expect_all_pairs(random_crowd(kMany / 2, 0.1f), 0.02f);
    expect_all_pairs(random_crowd(300, 0.001f), 0.02f);  // all in one cell
    expect_all_pairs(lattice(7, 0.01f), 0.02f);          // many pairs at exactly the radius
}

TEST(Neighbours, AreFoundInFoldedSpace)
{
    Crowd crowd = random_crowd(kMany / 3, 0.1f);
    for (size_t i = 0; i < crowd.size() / 2; ++i) crowd.positions[i] += Vec3f{700, -400, 0.05f};
    crowd.add({-1e9f, 2e9f, 0});
    expect_all_pairs(crowd, 0.03f);
}

TEST(Neighbours, OfFlatAndStraightCrowdsAreFound)
{
    Crowd plane = random_crowd(kMany / 4, 0.1f), line = random_crowd(300, 0.5f);
    for (Vec3f& p : plane.positions) p.z = 0.3f;
    for (Vec3f& p : line.positions) p.x = p.z = -1;
    expect_all_pairs(plane, 0.02f);
    expect_all_pairs(line, 0.05f);
}

TEST(Neighbours, ListsThatAreCutKeepTheNearest)
{
    const Crowd crowd = random_crowd(kMany / 2, 0.1f);
    constexpr uint32_t kMost = 7;
    const Neighbours neighbours = find(crowd, 0.08f, kMost);
    EXPECT_GT(neighbours.cut(), neighbours.size() / 2);
    for (size_t a = 0; a < neighbours.size(); a += 7) {
        std::vector<float> distances;
        for (size_t b = 0; b < neighbours.size(); ++b)
            if (a != b && neighbours.scaled_distance2(a, b) < 1) distances.push_back(neighbours.scaled_distance2(a, b));
        std::sort(distances.begin(), distances.end());
        const float reach = distances.size() > kMost ? distances[kMost] : 1;
        EXPECT_EQ(neighbours.surroundings()[a].reach, reach);
        for (const uint32_t b : neighbours.list(a)) EXPECT_LT(neighbours.scaled_distance2(a, b), reach);
        EXPECT_EQ(neighbours.list(a).size(), std::min<size_t>(kMost, distances.size()));
    }
}

TEST(Neighbours, AreMutualWhereListsAreCut)
{
    const Neighbours neighbours = find(random_crowd(kMany / 2, 0.1f), 0.04f, 5);
    size_t one_sided = 0;
    for (size_t a = 0; a < neighbours.size(); ++a)
        for (const uint32_t b : neighbours.list(a)) {
            const std::span<const uint32_t> other = neighbours.list(b);
            const bool listed = std::find(other.begin(), other.end(), a) != other.end();
            EXPECT_EQ(listed, neighbours.mutual(a, b));
            one_sided += listed ? 0 : 1;
        }
    EXPECT_GT(one_sided, 0u);
}

TEST(Neighbours, MoreThanATileAreSeenAndThinnedOut)
{
    const Crowd crowd = random_crowd(test::kSanitized ? 1500 : 4000, 0.001f);
    const Neighbours neighbours = find(crowd, 0.01f, 20);
    for (size_t a = 0; a < neighbours.size(); a += 97) {
        std::vector<float> distances;
        for (size_t b = 0; b < neighbours.size(); ++b)
            if (a != b) distances.push_back(neighbours.scaled_distance2(a, b));
        std::nth_element(distances.begin(), distances.begin() + 20, distances.end());
        EXPECT_EQ(neighbours.surroundings()[a].reach, distances[20]);
        EXPECT_EQ(neighbours.list(a).size(), 20u);
    }
}

TEST(Neighbours, MemoryDependsOnTheirNumberNotOnTheirBox)
{
    Crowd crowd;
    for (size_t i = 0; i < 1000; ++i) crowd.add(random_vector(3, i) * 1000.0f);
    const Neighbours far = find(crowd, 0.005f, 48);
    for (Vec3f& p : crowd.positions) p = p * 1e-4f;
    const Neighbours near = find(crowd, 0.005f, 48);
    EXPECT_LT(far.bytes(), 500'000u);
    EXPECT_EQ(far.bytes(), near.bytes());
    crowd.positions[0] = Vec3f{1, -1, 1} * std::numeric_limits<float>::max();
    crowd.positions[1] = Vec3f{-1, 1, 1} * std::numeric_limits<float>::max();
    EXPECT_EQ(find(crowd, 0.005f, 48).bytes(), near.bytes());
}

TEST(Neighbours, NothingIsAllocatedOnceTheirNumberIsKnown)
{
    Crowd crowd = random_crowd(kMany, 0.1f);
    Neighbours neighbours;
    const auto bytes_at = [&](float scale) {
        std::vector<Vec3f> moved = crowd.positions;
        for (Vec3f& p : moved) p = p * scale;
        neighbours.find(moved, crowd.masses, {.radius = 0.01f, .max_neighbours = 48}, *make_serial_executor());
        return neighbours.bytes();
    };
    const size_t bytes = bytes_at(1);
    for (const float scale : {0.1f, 3.0f, 1e5f, 1e-3f}) EXPECT_EQ(bytes_at(scale), bytes);
}

// --- Densities

TEST(Sph, DensityMatchesBruteForce)
{
    const Crowd crowd = random_crowd(kMany / 2, 0.1f);
    constexpr float kReach = 0.03f;
    Sph sph = make_sph(kReach, 1, 0, 4);  // the cap does not affect densities
    std::vector<float> densities(crowd.size());
    sph.densities(crowd.positions, crowd.masses, densities, *make_serial_executor());
    for (size_t i = 0; i < crowd.size(); i += 11) {
        const double exact = sum_of_poly6(crowd, i, kReach);
        EXPECT_NEAR(densities[i], exact, 2e-6 * exact);
    }
}

// With a large smoothing length, the density of a lattice is its mass over its volume.
TEST(Sph, DensityOfALatticeIsMassPerVolume)
{
    constexpr float kSpacing = 0.004f;
    Crowd crowd = lattice(9, kSpacing);
    Sph sph = make_sph(4 * kSpacing, 1, 0);
    crowd.set_rest_densities(sph);
    const size_t middle = crowd.size() / 2;
    EXPECT_NEAR(crowd.rest_densities[middle] * std::pow(kSpacing, 3.0f) / crowd.masses[0], 1, 2e-3);
}

TEST(Sph, SmoothingLengthReachesAboutThirty)
{
    Crowd crowd = lattice(test::kSanitized ? 9 : 16, 0.01f);
    for (size_t i = 0; i < crowd.size(); ++i) crowd.positions[i] += random_vector(5, i) * 0.004f;
    crowd.add({1e6f, 0, 0});  // an outlier does not matter
    const float h = smoothing_length_of(crowd.positions, *make_serial_executor());
    const Neighbours neighbours = find(crowd, h, kMaxListed);
    size_t listed = 0;
    for (size_t i = 0; i < neighbours.size(); ++i) listed += neighbours.list(i).size();
    EXPECT_NEAR(static_cast<double>(listed) / static_cast<double>(neighbours.size()), 30, 5);
    EXPECT_GT(smoothing_length_of(std::vector<Vec3f>(50, Vec3f{1, 2, 3}), *make_serial_executor()), 0);
}

// --- Forces

TEST(Sph, AccelerationsMatchBruteForce)
{
    constexpr float kReach = 0.03f;
    constexpr double kStiffness = 0.3, kViscosity = 1e-4, kStep = 1e-6, h = kReach;  // so short that no limit applies
    Crowd crowd = random_crowd(kMany / 3, 0.06f);
    Sph sph = make_sph(kReach, static_cast<float>(kStiffness), static_cast<float>(kViscosity));
    crowd.set_rest_densities(sph);
    const std::vector<float> density = crowd.rest_densities;
    for (size_t i = 0; i < crowd.size(); ++i) crowd.rest_densities[i] *= 0.6f + 0.6f * static_cast<float>(i % 2);
    crowd.accelerate(sph, static_cast<float>(kStep));
    const auto pressure = [&](size_t i) {
        return kStiffness * std::max(0.0, static_cast<double>(density[i] - crowd.rest_densities[i]));
    };
    const auto viscosity = [&](size_t i) { return kViscosity + 0.1 * h * std::sqrt(pressure(i) / density[i]); };
    for (size_t i = 0; i < crowd.size(); i += 7) {
        Vec3d a{0, 0, 0};
        const double rho = density[i];
        for (size_t j = 0; j < crowd.size(); ++j) {
            const Vec3d d = to_double(crowd.positions[i]) - to_double(crowd.positions[j]);
            const double r = length(d), other = density[j], m = crowd.masses[j];
            if (j == i || r >= h) continue;
            const double push = pressure(i) / (rho * rho) + pressure(j) / (other * other);
            a += d * (-m * push * spiky_slope(r, h) / r);
            a += (to_double(crowd.velocities[j]) - to_double(crowd.velocities[i])) *
                 (m * std::min(viscosity(i) / rho, viscosity(j) / other) * viscous_laplacian(r, h));
        }
        EXPECT_LT(length(to_double(crowd.accelerations[i]) - a), 1e-3 * length(a));
    }
}

TEST(Sph, HairAtItsRestDensityDoesNotPush)
{
    Crowd crowd = random_crowd(kMany / 3, 0.06f);
    Sph sph = make_sph(0.02f, 100, 0);
    crowd.set_rest_densities(sph);
    crowd.accelerate(sph, 0.01f);
    for (const Vec3f& a : crowd.accelerations) EXPECT_EQ(a, (Vec3f{0, 0, 0}));
    // It does not pull below its rest density either.
    for (Vec3f& p : crowd.positions) p = p * 1.2f;
    crowd.accelerate(sph, 0.01f);
    for (const Vec3f& a : crowd.accelerations) EXPECT_LT(length(a), 1e-3f);
}

TEST(Sph, KeepsMomentum)
{
    for (const uint32_t most : {512u, 16u, 3u}) {
        Crowd crowd = random_crowd(kMany, 0.1f);
        Sph sph = make_sph(0.04f, 5, 1e-3f, most);
        crowd.accelerate(sph, 0.01f);
        EXPECT_EQ(sph.neighbours().cut() > 0, most < 512);
        EXPECT_LT(lost_momentum(crowd), 1e-6) << most;
    }
}

TEST(Sph, ViscosityMakesVelocitiesEqual)
{
    for (const float viscosity : {1e-2f, 1e6f}) {
        Crowd crowd = random_crowd(200, 0.01f);
        Sph sph = make_sph(0.04f, 0, viscosity);
        Vec3d momentum{0, 0, 0};
        double mass = 0, energy = crowd.kinetic_energy();
        for (size_t i = 0; i < crowd.size(); ++i) {
            momentum += to_double(crowd.velocities[i]) * static_cast<double>(crowd.masses[i]);
            mass += static_cast<double>(crowd.masses[i]);
        }
        for (int k = 0; k < 60; ++k) {
            crowd.accelerate(sph, 0.01f);
            for (size_t i = 0; i < crowd.size(); ++i) crowd.velocities[i] += crowd.accelerations[i] * 0.01f;
            EXPECT_LE(crowd.kinetic_energy(), energy * (1 + 1e-6));
            energy = crowd.kinetic_energy();
        }
        for (const Vec3f& v : crowd.velocities) EXPECT_LT(length(to_double(v) - momentum * (1 / mass)), 1e-3);
    }
}

// Two isolated particles never swap their velocities, however high the viscosity: at most, they reach a common one.
TEST(Sph, ViscosityDoesNotOvershoot)
{
    for (const float viscosity : {1e-5f, 1e-2f, 1e8f}) {
        Crowd pair;
        pair.add({0, 0, 0}, {1, 0, 0});
        pair.add({0.005f, 0, 0}, {-1, 0, 0}, 3e-6f);
        Sph sph = make_sph(0.02f, 0, viscosity);
        pair.accelerate(sph, 0.01f);
        const float first = 1 + 0.01f * pair.accelerations[0].x, second = -1 + 0.01f * pair.accelerations[1].x;
        EXPECT_LT(first, 1);
        EXPECT_GE(first, second);
    }
}

TEST(Sph, BlobsThatOverlapPushEachOtherApart)
{
    constexpr float kSpacing = 0.01f;
    Crowd crowd = lattice(4, kSpacing);
    Sph sph = make_sph(2 * kSpacing, 0.5f, 0);
    crowd.set_rest_densities(sph);
    const size_t half = crowd.size();
    for (size_t i = 0; i < half; ++i) {
        crowd.add(crowd.positions[i] + Vec3f{1.7f * kSpacing, 0.3f * kSpacing, 0.2f * kSpacing});
        crowd.rest_densities.back() = crowd.rest_densities[i];
    }
    const auto distance = [&] {
        Vec3d sum{0, 0, 0};
        for (size_t i = 0; i < half; ++i) sum += to_double(crowd.positions[half + i]) - to_double(crowd.positions[i]);
        return length(sum) / static_cast<double>(half);
    };
    const double before = distance();
    for (int k = 0; k < 100; ++k) crowd.step(sph, 0.01f);
    EXPECT_GT(distance(), before + 0.01);
    EXPECT_TRUE(all_finite(crowd));
}

/// However stiff, viscous or dense, a step moves no particle by more than a share of h, so speeds stay bounded.
TEST(Sph, AbsurdValuesAreStable)
{
    constexpr float kReach = 0.02f, kStep = 0.016f;
    for (const float absurd : {1e6f, 1e20f, std::numeric_limits<float>::max()})
        for (const uint32_t most : {512u, 10u}) {
            Crowd crowd = random_crowd(test::kSanitized ? 100 : 400, 0.02f);
            for (Vec3f& v : crowd.velocities) v = v * 0.1f;
            Sph sph = make_sph(kReach, absurd, absurd, most);
            for (int k = 0; k < 100; ++k) {
                crowd.step(sph, kStep);
                ASSERT_TRUE(all_finite(crowd));
                if (k < 5) {
                    EXPECT_LT(lost_momentum(crowd), 1e-6);
                }
            }
            double fastest = 0;
            for (const Vec3f& v : crowd.velocities) fastest = std::max(fastest, length(to_double(v)));
            EXPECT_LT(fastest, 3 * kReach / kStep);
        }
}

// In a closed box with pressure and without viscosity, the kinetic energy stays small.
TEST(Sph, StiffCrowdsInABoxDoNotHeatUp)
{
    constexpr float kSpacing = 0.01f, kReach = 2 * kSpacing, kStep = 0.016f, kLow = -kSpacing / 2;
    constexpr int kSide = 4;
    for (const float rest : {0.1f, 0.9f}) {
        Crowd crowd = lattice(kSide, kSpacing);
        Sph sph = make_sph(kReach, 1e6f, 0);
        for (size_t i = 0; i < crowd.size(); ++i) crowd.positions[i] += random_vector(3, i) * 1e-3f;
        crowd.set_rest_densities(sph);
        for (float& rho : crowd.rest_densities) rho *= rest;
        double mass = 0;
        for (const float m : crowd.masses) mass += static_cast<double>(m);
        for (int k = 0; k < (test::kSanitized ? 100 : 1500); ++k) {
            crowd.step(sph, kStep);
            for (size_t i = 0; i < crowd.size(); ++i)
                for (float Vec3f::*axis : {&Vec3f::x, &Vec3f::y, &Vec3f::z}) {
                    float &x = crowd.positions[i].*axis, &v = crowd.velocities[i].*axis;
                    const float inside = std::clamp(x, kLow, kLow + kSide * kSpacing);
                    if (x != inside) v = -v;
                    x = 2 * inside - x;
                }
            const double most = k < 50 ? 0.3 : 0.25;  // more while the crowd spreads at first
            ASSERT_LT(std::sqrt(2 * crowd.kinetic_energy() / mass), most * kReach / kStep) << k;
        }
    }
}

TEST(Sph, CoincidentParticlesAreHarmless)
{
    Crowd crowd;
    for (size_t i = 0; i < 100; ++i) crowd.add({0.1f, 0.2f, 0.3f}, random_vector(1, i));
    for (size_t i = 0; i < 20; ++i) crowd.add({0.1f, 0.2f + 1e-30f, 0.3f + 1e-12f}, random_vector(2, i));
    crowd.add({0.105f, 0.2f, 0.3f});
    for (const uint32_t most : {512u, 48u}) {
        Sph sph = make_sph(0.01f, 1e6f, 1, most);
        for (int k = 0; k < 10; ++k) crowd.step(sph, 0.01f);
        EXPECT_TRUE(all_finite(crowd));
    }
}

TEST(Sph, FewParticlesAreFine)
{
    Sph sph = make_sph(0.01f, 1, 1);
    Crowd crowd;
    crowd.accelerate(sph, 0.01f);
    crowd.add({1, 2, 3});
    crowd.accelerate(sph, 0.01f);
    EXPECT_EQ(crowd.accelerations[0], (Vec3f{0, 0, 0}));
}

// Accelerations do not depend on the unit of mass in SI units, and ignore masses in the paper's units.
TEST(Sph, UnitsOfMass)
{
    Crowd light = random_crowd(kMany / 3, 0.05f), heavy = light;
    for (float& m : heavy.masses) m *= 1024;
    Sph sph = make_sph(0.02f, 1, 1e-4f);
    light.accelerate(sph, 0.016f);
    heavy.accelerate(sph, 0.016f);
    EXPECT_TRUE(same_bits(light.accelerations, heavy.accelerations));

    Sph paper({.smoothing_length = 0.02f, .stiffness = 0.3f, .viscosity = 100, .units = SphUnits::kPaper});
    heavy.masses.clear();
    heavy.accelerate(paper, 0.016f);
    light.accelerate(paper, 0.016f);
    EXPECT_TRUE(same_bits(light.accelerations, heavy.accelerations));
    light.masses.assign(light.size(), 1.0f);
    EXPECT_LT(lost_momentum(light), 1e-6);
}

// --- Same bits

TEST(Sph, SameBitsForAnyNumberOfThreads)
{
    for (const uint32_t most : {512u, 12u}) {
        Crowd crowd = random_crowd(test::kSanitized ? 5000 : 20000, 0.15f);
        crowd.positions[7] = {1e4f, 0, 0};
        Sph sph = make_sph(0.015f, 1, 1e-4f, most);
        crowd.accelerate(sph, 0.01f);
        const std::vector<Vec3f> serial = crowd.accelerations;
        for (const unsigned threads : {1u, 2u, 3u, 8u}) {
            test::HostExecutor executor(threads);
            std::fill(crowd.accelerations.begin(), crowd.accelerations.end(), Vec3f{0, 0, 0});
            crowd.accelerate(sph, 0.01f, executor);
            EXPECT_TRUE(same_bits(serial, crowd.accelerations)) << threads;
        }
    }
}

TEST(Sph, SameBitsForAnyInstructionSet)
{
    for (const uint32_t most : {512u, 12u}) {
        Crowd crowd = random_crowd(kMany, 0.08f);
        std::vector<std::vector<Vec3f>> results;
        for (const int64_t set : test::instruction_sets()) {
            const test::UseInstructionSet use(set);
            Sph sph = make_sph(0.015f, 1, 1e-4f, most);
            crowd.accelerate(sph, 0.01f);
            results.push_back(crowd.accelerations);
        }
        for (const std::vector<Vec3f>& r : results) EXPECT_TRUE(same_bits(results[0], r));
    }
}

}  // namespace tendril
