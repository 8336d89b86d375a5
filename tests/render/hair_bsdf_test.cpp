// Energy conservation, sampling and reciprocity of the hair BSDF.
#include "render/hair_bsdf.h"
#include "math/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace tendril::test {
namespace {

constexpr double kPiExact = std::numbers::pi;

Vec3f direction(double theta, double phi)
{
    return to_float(Vec3d{std::sin(theta), std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi)});
}

std::array<float, 4> random_four(uint64_t index)
{
    std::array<float, 4> u;
    for (uint64_t k = 0; k < 4; ++k)
        u[k] = std::min(static_cast<float>(uniform(7, 4 * index + k)), std::nextafter(1.0f, 0.0f));
    return u;
}

/// A low-discrepancy point in the four-dimensional unit cube [Halton64]. Means converge far faster than with random
/// points.
std::array<float, 4> halton_four(uint64_t index)
{
    std::array<float, 4> u{};
    constexpr std::array<uint64_t, 4> kBases{2, 3, 5, 7};
    for (size_t k = 0; k < 4; ++k) {
        double digit = 1, sum = 0;
        for (uint64_t rest = index + 1; rest > 0; rest /= kBases[k]) {
            digit /= static_cast<double>(kBases[k]);
            sum += digit * static_cast<double>(rest % kBases[k]);
        }
        u[k] = std::min(static_cast<float>(sum), std::nextafter(1.0f, 0.0f));
    }
    return u;
}

Vec3f on_sphere(uint64_t index)
{
    const std::array<float, 4> u = random_four(index);
    return direction(std::asin(2 * static_cast<double>(u[0]) - 1), 2 * kPiExact * static_cast<double>(u[1]));
}

HairLook look_with_roughness(float along, float around, float tilt = 0)
{
    HairLook look;
    look.roughness = along;
    look.side_roughness = around;
    look.tilt = tilt;
    return look;
}

/// Integrates over the sphere. theta = -pi/2 cos(pi t) is even about both ends of t, so equal steps converge as fast as
/// for a periodic function. They are finest at the poles, where the lobes of light along the fibre lie.
template <class Function>
double over_sphere(const HairLook& look, const Function& function)
{
    const int rows = look.roughness < 0.1f ? 320 : look.roughness < 0.3f ? 96 : 72;
    const int columns = look.side_roughness < 0.1f ? 320 : 72;
    double sum = 0;
    for (int row = 0; row < rows; ++row) {
        const double t = kPiExact * (row + 0.5) / rows, theta = -0.5 * kPiExact * std::cos(t);
        double ring = 0;
        for (int column = 0; column < columns; ++column)
            ring += function(direction(theta, 2 * kPiExact * (column + 0.5) / columns));
        sum += ring * std::cos(theta) * std::sin(t);
    }
    return sum * 0.5 * kPiExact * (kPiExact / rows) * (2 * kPiExact / columns);
}

constexpr double kAlongFibre = 0.5 * kPiExact;

TEST(HairBsdf, WhiteFurnaceConservesEnergyByQuadrature)
{
    double worst = 0;
    for (const float along : {0.05f, 0.3f, 1.0f})
        for (const float around : {0.05f, 0.3f, 1.0f})
            for (const float tilt : {0.0f, 0.2f})
                for (const auto& [theta, h] :
                     {std::pair{0.0, 0.4f}, {-0.7, -0.98f}, {1.4, 0.7f}, {kAlongFibre, 0.1f}}) {
                    const HairLook look = look_with_roughness(along, around, tilt);
                    const HairBsdf fibre(look, {0, 0, 0}, h);
                    const double light = over_sphere(look, [&, wo = direction(theta, 1.0)](const Vec3f& wi) {
                        return static_cast<double>(fibre.eval(wo, wi).y);
                    });
                    EXPECT_NEAR(light, 1, 0.002) << along << ' ' << around << ' ' << tilt << ' ' << theta << ' ' << h;
                    worst = std::max(worst, std::abs(light - 1));
                }
    RecordProperty("worst_deviation_in_millionths", static_cast<int>(1e6 * worst));
}

TEST(HairBsdf, WhiteFurnaceConservesEnergyBySamplingTheWidthAndDirections)
{
    for (const float along : {0.05f, 0.3f, 1.0f})
        for (const float around : {0.05f, 0.3f, 1.0f})
            for (const double theta : {0.0, -0.7, 1.4, kAlongFibre}) {
                double by_sample = 0;
                constexpr int kSamples = 1000;
                for (uint64_t i = 0; i < kSamples; ++i) {
                    const HairBsdf fibre(look_with_roughness(along, around, 0.035f), {0, 0, 0},
                                         2 * (static_cast<float>(i) + 0.5f) / kSamples - 1);
                    by_sample += static_cast<double>(fibre.sample(direction(theta, 0.3), random_four(i)).weight.x);
                }
                EXPECT_NEAR(by_sample / kSamples, 1, 1e-4) << along << ' ' << around << ' ' << theta;
            }
}

// This test does not depend on how directions are sampled.
TEST(HairBsdf, WhiteFurnaceConservesEnergyByUniformDirections)
{
    constexpr int kSamples = 50000;
    double sum = 0;
    for (uint64_t i = 0; i < kSamples; ++i) {
        const std::array<float, 4> u = halton_four(i);
        const HairBsdf fibre(look_with_roughness(0.5f, 0.5f, 0.035f), {0, 0, 0}, 2 * u[0] - 1);
        const Vec3f wi =
            direction(std::asin(2 * static_cast<double>(u[1]) - 1), 2 * kPiExact * static_cast<double>(u[2]));
        sum += 4 * kPiExact * static_cast<double>(fibre.eval(direction(0.4, 0), wi).x);
    }
    EXPECT_NEAR(sum / kSamples, 1, 0.005);
}

TEST(HairBsdf, DensityIntegratesToOne)
{
    for (const float along : {0.05f, 0.4f, 1.0f})
        for (const float around : {0.05f, 0.4f, 1.0f})
            for (const double theta : {0.2, 1.5}) {
                const HairLook look = look_with_roughness(along, around, 0.1f);
                const HairBsdf fibre(look, {0.2f, 0.5f, 2.0f}, -0.6f);
                const Vec3f wo = direction(theta, -2.0);
                const double mass =
                    over_sphere(look, [&](const Vec3f& wi) { return static_cast<double>(fibre.pdf(wo, wi)); });
                EXPECT_NEAR(mass, 1, 0.002) << along << ' ' << around << ' ' << theta;
            }
}

TEST(HairBsdf, SamplesMatchEvalAndPdf)
{
    for (uint64_t i = 0; i < 3000; ++i) {
        const HairBsdf fibre(
            look_with_roughness(0.05f + 0.95f * random_four(i)[2], 0.05f + 0.95f * random_four(i)[3], 0.05f),
            {0.1f, 0.4f, 1.5f}, 2 * random_four(i)[1] - 1);
        const Vec3f wo = on_sphere(i + 10000);
        const HairBsdf::Sample sample = fibre.sample(wo, random_four(i + 20000));
        EXPECT_NEAR(length(sample.wi), 1, 1e-5f);
        if (sample.pdf == 0) continue;
        EXPECT_EQ(sample.pdf, fibre.pdf(wo, sample.wi));
        const Vec3f value = fibre.eval(wo, sample.wi);
        EXPECT_NEAR(sample.weight.x * sample.pdf, value.x, 1e-5f * (1 + value.x));
        EXPECT_NEAR(sample.weight.z * sample.pdf, value.z, 1e-5f * (1 + value.z));
    }
}

// The weights of a white fibre are 1 however directions are sampled, so the distribution needs its own test.
TEST(HairBsdf, SamplesFollowTheDensity)
{
    constexpr int kSamples = 20000;
    for (const float roughness : {0.2f, 0.6f}) {
        const HairLook look = look_with_roughness(roughness, roughness, 0.1f);
        const HairBsdf fibre(look, {0.1f, 0.1f, 0.1f}, 0.3f);
        const Vec3f wo = direction(0.3, 0.7);
        const auto moments = [](const Vec3f& w) {
            return std::array<float, 6>{w.x, w.y, w.z, w.x * w.x, w.y * w.z, w.x * w.y};
        };
        std::array<double, 6> drawn{}, expected{};
        for (uint64_t i = 0; i < kSamples; ++i) {
            const auto m = moments(fibre.sample(wo, halton_four(i)).wi);
            for (size_t k = 0; k < m.size(); ++k) drawn[k] += static_cast<double>(m[k]) / kSamples;
        }
        for (size_t k = 0; k < expected.size(); ++k) {
            expected[k] = over_sphere(
                look, [&](const Vec3f& wi) { return static_cast<double>(fibre.pdf(wo, wi) * moments(wi)[k]); });
            EXPECT_NEAR(drawn[k], expected[k], 0.003) << roughness << ' ' << k;
        }
    }
}

const Vec3f kPigment{0.1f, 0.3f, 1.0f};

TEST(HairBsdf, IsReciprocalOnTheSpecularConeWithoutTilt)
{
    double tilted = 0;
    for (uint64_t i = 0; i < 4000; ++i) {
        const auto u = random_four(i);
        const double theta = (2 * static_cast<double>(u[0]) - 1) * kPiExact / 2;
        const Vec3f a = direction(theta, 0), b = direction(-theta, 2 * kPiExact * static_cast<double>(u[1]));
        const float h = 2 * u[2] - 1;
        const auto both_directions = [&](float tilt) {
            const HairLook look = look_with_roughness(0.3f, 0.3f, tilt);
            // The reversed path leaves where the original entered, on the other side of the width.
            return std::pair{HairBsdf(look, kPigment, h).eval(a, b), HairBsdf(look, kPigment, -h).eval(b, a)};
        };
        const auto [forward, backward] = both_directions(0);
        EXPECT_NEAR(forward.x, backward.x, 1e-4f * (forward.x + 0.01f));
        EXPECT_NEAR(forward.z, backward.z, 1e-4f * (forward.z + 0.01f));
        const auto [tilted_there, tilted_back] = both_directions(0.1f);
        tilted = std::max(tilted, static_cast<double>(std::abs(tilted_there.x / tilted_back.x - 1)));
    }
    EXPECT_GT(tilted, 0.1);  // tilted scales break the symmetry between root and tip
}

/// The mean difference between eval(a, b) and eval(b, a), relative to their mean value. Averages over the width and
/// over directions up to `steepest` from the cross-section.
double reciprocity_error(float roughness, float tilt, double steepest)
{
    double difference = 0, sum = 0;
    const HairLook look = look_with_roughness(roughness, roughness, tilt);
    for (uint64_t i = 0; i < 400; ++i) {
        const auto u = random_four(i), w = random_four(i + 1000);
        const auto theta = [&](float x) { return std::asin((2 * static_cast<double>(x) - 1) * std::sin(steepest)); };
        const Vec3f a = direction(theta(u[0]), 0), b = direction(theta(w[0]), 2 * kPiExact * static_cast<double>(w[1]));
        double forward = 0, backward = 0;
        for (int k = 0; k < 32; ++k) {
            const HairBsdf fibre(look, kPigment, (static_cast<float>(k) + 0.5f) / 16 - 1);
            forward += static_cast<double>(fibre.eval(a, b).y);
            backward += static_cast<double>(fibre.eval(b, a).y);
        }
        difference += std::abs(forward - backward);
        sum += 0.5 * (forward + backward);
    }
    return difference / sum;
}

// Exact energy conservation costs exact reciprocity, see hair_bsdf.h.
TEST(HairBsdf, IsNearlyReciprocalElsewhere)
{
    for (const float roughness : {0.2f, 0.3f, 0.6f, 1.0f}) {
        EXPECT_LT(reciprocity_error(roughness, 0, kPiExact / 3), 0.08) << roughness;
        EXPECT_LT(reciprocity_error(roughness, 0.035f, kPiExact / 3), 0.1) << roughness;
    }
}

TEST(HairBsdf, MorePigmentAbsorbsMoreLight)
{
    for (const double theta : {0.0, 1.0}) {
        double before = 1.001;
        for (const float absorption : {0.0f, 0.01f, 0.1f, 0.3f, 1.0f, 3.0f, 10.0f}) {
            double light = 0;
            constexpr int kSamples = 4000;
            for (uint64_t i = 0; i < kSamples; ++i)
                light +=
                    static_cast<double>(HairBsdf(look_with_roughness(0.3f, 0.3f), {absorption, absorption, absorption},
                                                 2 * (static_cast<float>(i) + 0.5f) / kSamples - 1)
                                            .sample(direction(theta, 0), random_four(i))
                                            .weight.x) /
                    kSamples;
            EXPECT_LT(light, before - 1e-4) << theta << ' ' << absorption;
            before = light;
        }
        EXPECT_GT(before, 0.03);  // light reflected by the scales never enters the fibre
    }
}

TEST(HairBsdf, ScalesShiftReflectionToTheRootAndTransmissionToTheTip)
{
    const float tilt = 0.1f;
    const HairBsdf black(look_with_roughness(0.05f, 0.05f, tilt), {50, 50, 50}, 0),
        white(look_with_roughness(0.05f, 0.05f, tilt), {0, 0, 0}, 0);
    const auto brightest = [](const HairBsdf& fibre, double phi) {
        double best = 0, value = -1;
        for (double theta = -0.6; theta <= 0.6; theta += 0.002)
            if (const double v = static_cast<double>(fibre.eval({0, 1, 0}, direction(theta, phi)).x); v > value)
                value = v, best = theta;
        return best;
    };
    EXPECT_NEAR(brightest(black, 0), -0.2, 0.01);
    EXPECT_NEAR(brightest(white, kPiExact), 0.1, 0.01);
}

// A ray that hits a smooth cylinder off its axis is reflected at the normal of the hit.
TEST(HairBsdf, ReflectsAtTheNormalOfTheHit)
{
    const double normal_azimuth = -0.5, azimuth = 0.2;
    const Vec3f n = direction(0, normal_azimuth), wo = direction(0, azimuth);
    const HairBsdf fibre(look_with_roughness(0.05f, 0.05f), {50, 50, 50}, cross(n, wo).x);
    const Vec3f mirrored = direction(0, 2 * normal_azimuth - azimuth);
    EXPECT_GT(fibre.eval(wo, mirrored).x, 20 * fibre.eval(wo, direction(0, azimuth)).x);
    EXPECT_GT(fibre.eval(wo, mirrored).x, fibre.eval(wo, direction(0, 2 * normal_azimuth - azimuth + 0.02)).x);
    EXPECT_GT(fibre.eval(wo, mirrored).x, fibre.eval(wo, direction(0, 2 * normal_azimuth - azimuth - 0.02)).x);
}

void expect_valid(const HairBsdf& fibre, const Vec3f& wo, const Vec3f& wi, const std::array<float, 4>& u)
{
    const auto is_valid = [](const Vec3f& v) { return is_finite(v) && v.x >= 0 && v.y >= 0 && v.z >= 0; };
    const HairBsdf::Value value = fibre.eval_and_pdf(wo, wi);
    EXPECT_TRUE(is_valid(value.value) && std::isfinite(value.pdf) && value.pdf >= 0);
    const HairBsdf::Sample sample = fibre.sample(wo, u);
    EXPECT_TRUE(is_finite(sample.wi) && is_valid(sample.weight) && std::isfinite(sample.pdf) && sample.pdf >= 0);
    EXPECT_LT(std::max({sample.weight.x, sample.weight.y, sample.weight.z}), 3.001f);
}

TEST(HairBsdf, HandlesExtremeInput)
{
    const float below_one = std::nextafter(1.0f, 0.0f);
    const std::vector<Vec3f> directions = {{1, 0, 0},      {-1, 0, 0},     {0, 1, 0},       {0, 0, -1},
                                           {1, 1e-20f, 0}, {-1, 0, 1e-7f}, {0.6f, 0.8f, 0}, {-0.6f, 0, 0.8f}};
    for (const float roughness : {0.0f, 0.05f, 0.3f, 1.0f, 5.0f})
        for (const float h : {-1.0f, -0.9999999f, 0.0f, 1.0f, 1.5f})
            for (const float absorption : {-1.0f, 0.0f, 1.0f, 1e30f, std::numeric_limits<float>::infinity()})
                for (const float refraction : {1.0f, 1.55f, 9.0f}) {
                    HairLook look = look_with_roughness(roughness, roughness, 0.2f);
                    look.refraction = refraction;
                    const HairBsdf fibre(look, {absorption, 0, absorption}, h);
                    for (const Vec3f& wo : directions)
                        for (const Vec3f& wi : directions) {
                            expect_valid(fibre, wo, wi, {0, 0, 0, 0});
                            expect_valid(fibre, wo, wi, {below_one, below_one, below_one, below_one});
                        }
                }
}

TEST(HairBsdf, BesselFunctionMatchesTheStandardLibrary)
{
    for (double x = 0; x < 600; x = x * 1.3 + 0.01) {
        const double exact = std::exp(-x) * std::cyl_bessel_i(0.0, x);
        EXPECT_NEAR(static_cast<double>(bessel_i0_scaled(static_cast<float>(x))) / exact, 1, 1e-6) << x;
    }
}

}  // namespace
}  // namespace tendril::test
