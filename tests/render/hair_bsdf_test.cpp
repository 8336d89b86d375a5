// A fibre scatters all light that it does not absorb, whatever its roughness, and samples what it evaluates.
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

std::array<float, 4> four(uint64_t index)
{
    std::array<float, 4> u;
    for (uint64_t k = 0; k < 4; ++k)
        u[k] = std::min(static_cast<float>(uniform(7, 4 * index + k)), std::nextafter(1.0f, 0.0f));
    return u;
}

/// Spread evenly over the unit cube of four dimensions [Halton64]: means converge far faster than with chance.
std::array<float, 4> even_four(uint64_t index)
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
    const std::array<float, 4> u = four(index);
    return direction(std::asin(2 * static_cast<double>(u[0]) - 1), 2 * kPiExact * static_cast<double>(u[1]));
}

HairLook rough(float along, float around, float tilt = 0)
{
    HairLook look;
    look.roughness = along;
    look.side_roughness = around;
    look.tilt = tilt;
    return look;
}

/// Integral over the sphere. theta = -pi/2 cos(pi t) is even about both ends of t, so that equal steps converge as
/// fast as for a periodic function, and are finest at the poles, where lobes of light along the fibre are.
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

TEST(HairBsdf, WhiteFurnaceGivesBackAllLightByQuadrature)
{
    double worst = 0;
    for (const float along : {0.05f, 0.3f, 1.0f})
        for (const float around : {0.05f, 0.3f, 1.0f})
            for (const float tilt : {0.0f, 0.2f})
                for (const auto& [theta, h] :
                     {std::pair{0.0, 0.4f}, {-0.7, -0.98f}, {1.4, 0.7f}, {kAlongFibre, 0.1f}}) {
                    const HairLook look = rough(along, around, tilt);
                    const HairBsdf fibre(look, {0, 0, 0}, h);
                    const double light = over_sphere(look, [&, wo = direction(theta, 1.0)](const Vec3f& wi) {
                        return static_cast<double>(fibre.eval(wo, wi).y);
                    });
                    EXPECT_NEAR(light, 1, 0.002) << along << ' ' << around << ' ' << tilt << ' ' << theta << ' ' << h;
                    worst = std::max(worst, std::abs(light - 1));
                }
    RecordProperty("worst_deviation_in_millionths", static_cast<int>(1e6 * worst));
}

TEST(HairBsdf, WhiteFurnaceGivesBackAllLightBySamplingTheWidthAndDirections)
{
    for (const float along : {0.05f, 0.3f, 1.0f})
        for (const float around : {0.05f, 0.3f, 1.0f})
            for (const double theta : {0.0, -0.7, 1.4, kAlongFibre}) {
                double by_sample = 0;
                constexpr int kSamples = 1000;
                for (uint64_t i = 0; i < kSamples; ++i) {
                    const HairBsdf fibre(rough(along, around, 0.035f), {0, 0, 0},
                                         2 * (static_cast<float>(i) + 0.5f) / kSamples - 1);
                    by_sample += static_cast<double>(fibre.sample(direction(theta, 0.3), four(i)).weight.x);
                }
                EXPECT_NEAR(by_sample / kSamples, 1, 1e-4) << along << ' ' << around << ' ' << theta;
            }
}

// Nothing here knows how directions are drawn.
TEST(HairBsdf, WhiteFurnaceGivesBackAllLightUnderUniformDirections)
{
    constexpr int kSamples = 50000;
    double sum = 0;
    for (uint64_t i = 0; i < kSamples; ++i) {
        const std::array<float, 4> u = even_four(i);
        const HairBsdf fibre(rough(0.5f, 0.5f, 0.035f), {0, 0, 0}, 2 * u[0] - 1);
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
                const HairLook look = rough(along, around, 0.1f);
                const HairBsdf fibre(look, {0.2f, 0.5f, 2.0f}, -0.6f);
                const Vec3f wo = direction(theta, -2.0);
                const double mass =
                    over_sphere(look, [&](const Vec3f& wi) { return static_cast<double>(fibre.pdf(wo, wi)); });
                EXPECT_NEAR(mass, 1, 0.002) << along << ' ' << around << ' ' << theta;
            }
}

TEST(HairBsdf, SamplesCarryTheirDensityAndValue)
{
    for (uint64_t i = 0; i < 3000; ++i) {
        const HairBsdf fibre(rough(0.05f + 0.95f * four(i)[2], 0.05f + 0.95f * four(i)[3], 0.05f), {0.1f, 0.4f, 1.5f},
                             2 * four(i)[1] - 1);
        const Vec3f wo = on_sphere(i + 10000);
        const HairBsdf::Sample sample = fibre.sample(wo, four(i + 20000));
        EXPECT_NEAR(length(sample.wi), 1, 1e-5f);
        if (sample.pdf == 0) continue;
        EXPECT_EQ(sample.pdf, fibre.pdf(wo, sample.wi));
        const Vec3f value = fibre.eval(wo, sample.wi);
        EXPECT_NEAR(sample.weight.x * sample.pdf, value.x, 1e-5f * (1 + value.x));
        EXPECT_NEAR(sample.weight.z * sample.pdf, value.z, 1e-5f * (1 + value.z));
    }
}

// The weights of a white fibre are 1 however directions are drawn, so where they go is a test of its own.
TEST(HairBsdf, SamplesFallWhereTheDensitySays)
{
    constexpr int kSamples = 20000;
    for (const float roughness : {0.2f, 0.6f}) {
        const HairLook look = rough(roughness, roughness, 0.1f);
        const HairBsdf fibre(look, {0.1f, 0.1f, 0.1f}, 0.3f);
        const Vec3f wo = direction(0.3, 0.7);
        const auto moments = [](const Vec3f& w) {
            return std::array<float, 6>{w.x, w.y, w.z, w.x * w.x, w.y * w.z, w.x * w.y};
        };
        std::array<double, 6> drawn{}, expected{};
        for (uint64_t i = 0; i < kSamples; ++i) {
            const auto m = moments(fibre.sample(wo, even_four(i)).wi);
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

TEST(HairBsdf, IsReciprocalOnTheMirroringConeWithoutTilt)
{
    double tilted = 0;
    for (uint64_t i = 0; i < 4000; ++i) {
        const auto u = four(i);
        const double theta = (2 * static_cast<double>(u[0]) - 1) * kPiExact / 2;
        const Vec3f a = direction(theta, 0), b = direction(-theta, 2 * kPiExact * static_cast<double>(u[1]));
        const float h = 2 * u[2] - 1;
        const auto there_and_back = [&](float tilt) {
            const HairLook look = rough(0.3f, 0.3f, tilt);
            // Turned around, the path leaves where it came from: at the other side of the width.
            return std::pair{HairBsdf(look, kPigment, h).eval(a, b), HairBsdf(look, kPigment, -h).eval(b, a)};
        };
        const auto [there, back] = there_and_back(0);
        EXPECT_NEAR(there.x, back.x, 1e-4f * (there.x + 0.01f));
        EXPECT_NEAR(there.z, back.z, 1e-4f * (there.z + 0.01f));
        const auto [tilted_there, tilted_back] = there_and_back(0.1f);
        tilted = std::max(tilted, static_cast<double>(std::abs(tilted_there.x / tilted_back.x - 1)));
    }
    EXPECT_GT(tilted, 0.1);  // tilted scales tell root from tip
}

/// The mean difference of there and back over the width and all directions up to `steepest` from the plane across, as
/// a share of the mean value.
double irreciprocity(float roughness, float tilt, double steepest)
{
    double difference = 0, sum = 0;
    const HairLook look = rough(roughness, roughness, tilt);
    for (uint64_t i = 0; i < 400; ++i) {
        const auto u = four(i), w = four(i + 1000);
        const auto theta = [&](float x) { return std::asin((2 * static_cast<double>(x) - 1) * std::sin(steepest)); };
        const Vec3f a = direction(theta(u[0]), 0), b = direction(theta(w[0]), 2 * kPiExact * static_cast<double>(w[1]));
        double there = 0, back = 0;
        for (int k = 0; k < 32; ++k) {
            const HairBsdf fibre(look, kPigment, (static_cast<float>(k) + 0.5f) / 16 - 1);
            there += static_cast<double>(fibre.eval(a, b).y);
            back += static_cast<double>(fibre.eval(b, a).y);
        }
        difference += std::abs(there - back);
        sum += 0.5 * (there + back);
    }
    return difference / sum;
}

// The price of keeping energy exactly, see hair_bsdf.h.
TEST(HairBsdf, IsNearlyReciprocalElsewhere)
{
    for (const float roughness : {0.2f, 0.3f, 0.6f, 1.0f}) {
        EXPECT_LT(irreciprocity(roughness, 0, kPiExact / 3), 0.08) << roughness;
        EXPECT_LT(irreciprocity(roughness, 0.035f, kPiExact / 3), 0.1) << roughness;
    }
}

TEST(HairBsdf, PigmentTakesLightSteadily)
{
    for (const double theta : {0.0, 1.0}) {
        double before = 1.001;
        for (const float absorption : {0.0f, 0.01f, 0.1f, 0.3f, 1.0f, 3.0f, 10.0f}) {
            double light = 0;
            constexpr int kSamples = 4000;
            for (uint64_t i = 0; i < kSamples; ++i)
                light += static_cast<double>(HairBsdf(rough(0.3f, 0.3f), {absorption, absorption, absorption},
                                                      2 * (static_cast<float>(i) + 0.5f) / kSamples - 1)
                                                 .sample(direction(theta, 0), four(i))
                                                 .weight.x) /
                         kSamples;
            EXPECT_LT(light, before - 1e-4) << theta << ' ' << absorption;
            before = light;
        }
        EXPECT_GT(before, 0.03);  // what the scales reflect never enters
    }
}

TEST(HairBsdf, ScalesTurnReflectedLightToTheRootAndPassedLightToTheTip)
{
    const float tilt = 0.1f;
    const HairBsdf black(rough(0.05f, 0.05f, tilt), {50, 50, 50}, 0), white(rough(0.05f, 0.05f, tilt), {0, 0, 0}, 0);
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

// A ray that meets a smooth cylinder off its axis is mirrored at the normal there.
TEST(HairBsdf, ReflectsAtTheNormalOfTheHit)
{
    const double normal_azimuth = -0.5, azimuth = 0.2;
    const Vec3f n = direction(0, normal_azimuth), wo = direction(0, azimuth);
    const HairBsdf fibre(rough(0.05f, 0.05f), {50, 50, 50}, cross(n, wo).x);
    const Vec3f mirrored = direction(0, 2 * normal_azimuth - azimuth);
    EXPECT_GT(fibre.eval(wo, mirrored).x, 20 * fibre.eval(wo, direction(0, azimuth)).x);
    EXPECT_GT(fibre.eval(wo, mirrored).x, fibre.eval(wo, direction(0, 2 * normal_azimuth - azimuth + 0.02)).x);
    EXPECT_GT(fibre.eval(wo, mirrored).x, fibre.eval(wo, direction(0, 2 * normal_azimuth - azimuth - 0.02)).x);
}

void expect_sound(const HairBsdf& fibre, const Vec3f& wo, const Vec3f& wi, const std::array<float, 4>& u)
{
    const auto sound = [](const Vec3f& v) { return is_finite(v) && v.x >= 0 && v.y >= 0 && v.z >= 0; };
    const HairBsdf::Value value = fibre.eval_and_pdf(wo, wi);
    EXPECT_TRUE(sound(value.value) && std::isfinite(value.pdf) && value.pdf >= 0);
    const HairBsdf::Sample sample = fibre.sample(wo, u);
    EXPECT_TRUE(is_finite(sample.wi) && sound(sample.weight) && std::isfinite(sample.pdf) && sample.pdf >= 0);
    EXPECT_LT(std::max({sample.weight.x, sample.weight.y, sample.weight.z}), 3.001f);
}

TEST(HairBsdf, StandsAbuse)
{
    const float below_one = std::nextafter(1.0f, 0.0f);
    const std::vector<Vec3f> directions = {{1, 0, 0},      {-1, 0, 0},     {0, 1, 0},       {0, 0, -1},
                                           {1, 1e-20f, 0}, {-1, 0, 1e-7f}, {0.6f, 0.8f, 0}, {-0.6f, 0, 0.8f}};
    for (const float roughness : {0.0f, 0.05f, 0.3f, 1.0f, 5.0f})
        for (const float h : {-1.0f, -0.9999999f, 0.0f, 1.0f, 1.5f})
            for (const float absorption : {-1.0f, 0.0f, 1.0f, 1e30f, std::numeric_limits<float>::infinity()})
                for (const float refraction : {1.0f, 1.55f, 9.0f}) {
                    HairLook look = rough(roughness, roughness, 0.2f);
                    look.refraction = refraction;
                    const HairBsdf fibre(look, {absorption, 0, absorption}, h);
                    for (const Vec3f& wo : directions)
                        for (const Vec3f& wi : directions) {
                            expect_sound(fibre, wo, wi, {0, 0, 0, 0});
                            expect_sound(fibre, wo, wi, {below_one, below_one, below_one, below_one});
                        }
                }
}

TEST(HairBsdf, BesselFunctionIsThatOfTheLibrary)
{
    for (double x = 0; x < 600; x = x * 1.3 + 0.01) {
        const double exact = std::exp(-x) * std::cyl_bessel_i(0.0, x);
        EXPECT_NEAR(static_cast<double>(bessel_i0_scaled(static_cast<float>(x))) / exact, 1, 1e-6) << x;
    }
}

}  // namespace
}  // namespace tendril::test
