// The fast shading matches the physical model in brightness, direction and colour.
#include "render/draft_shading.h"
#include "math/random.h"
#include "render/hair_bsdf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace tendril::test {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

/// The albedo of a half-space filled with parallel strands along x, lit at `theta` from its normal z, by random walks.
/// A distant viewer perceives this as the brightness of dense hair.
Vec3f dense_albedo(const HairLook& look, float theta)
{
    constexpr uint64_t kPaths = 1000, kMaxTurns = 200, kNumbers = 6;
    Vec3f sum{0, 0, 0};
    for (uint64_t path = 0; path < kPaths; ++path) {
        Vec3f throughput{1, 1, 1}, to = Vec3f{-std::sin(theta), 0, -std::cos(theta)};
        float depth = 0;
        for (uint64_t turn = 0; turn < kMaxTurns; ++turn) {
            const auto u = [&](uint64_t k) {
                return static_cast<float>(uniform(path, kNumbers * turn + k)) * 0.999999f;
            };
            // The mean free path is longer for light along the strands, because their projected width is smaller.
            depth -= to.z / std::max(std::hypot(to.y, to.z), 1e-4f) * -std::log(1 - u(0));
            if (depth < 0) {
                sum += throughput * (1.0f / kPaths);
                break;
            }
            const HairBsdf strand(look, absorption_of(look), 2 * u(1) - 1);
            const auto sample = strand.sample(to * -1.0f, {u(2), u(3), u(4), u(5)});
            throughput = {throughput.x * sample.weight.x, throughput.y * sample.weight.y,
                          throughput.z * sample.weight.z};
            to = sample.wi;
            if (std::max({throughput.x, throughput.y, throughput.z}) < 1e-3f) break;
        }
    }
    return sum;
}

template <class Function>
Vec3f over_hemisphere(const Function& function)
{
    constexpr int kRows = 60, kColumns = 120;
    Vec3f sum{0, 0, 0};
    for (int row = 0; row < kRows; ++row)
        for (int column = 0; column < kColumns; ++column) {
            const float z = (static_cast<float>(row) + 0.5f) / kRows, r = std::sqrt(1 - z * z);
            const float phi = 2 * kPi * (static_cast<float>(column) + 0.5f) / kColumns;
            sum += function(Vec3f{r * std::cos(phi), r * std::sin(phi), z}) * (2 * kPi / (kRows * kColumns));
        }
    return sum;
}

DraftShading::Tint tint_of(const HairLook& look)
{
    return DraftShading(look).tint(colour_of_absorption(absorption_of(look), look.side_roughness));
}

const Vec3f kStrand{1, 0, 0};

TEST(DraftShading, DenseHairIsAsBrightAsWithThePhysicalModel)
{
    for (const std::string& name : hair_look_names())
        for (const float theta : {0.0f, 0.6f}) {
            const HairLook look = *hair_look(name);
            const DraftShading shading(look);
            const auto tint = tint_of(look);
            const Vec3f light{std::sin(theta), 0, std::cos(theta)};
            const Vec3f draft = over_hemisphere([&](const Vec3f& viewer) {
                return shading.shade(kStrand, viewer, light, tint).reflected * (viewer.z / light.z);
            });
            const Vec3f physical = dense_albedo(look, theta);
            for (const auto& [d, p] : {std::pair{draft.x, physical.x}, {draft.y, physical.y}, {draft.z, physical.z}}) {
                EXPECT_LT(d, 1.5f * p) << name << ' ' << theta;
                EXPECT_GT(d, p / 1.5f) << name << ' ' << theta;
            }
        }
}

// The light transmitted through one backlit strand, averaged over its width.
TEST(DraftShading, BacklitStrandGlowsAsInThePhysicalModel)
{
    for (const std::string& name : hair_look_names()) {
        const HairLook look = *hair_look(name);
        if (name == "black") continue;  // transmits nothing
        const Vec3f light{0, 0, 1};
        const auto tint = tint_of(look);
        const DraftShading shading(look);
        Vec3f draft{0, 0, 0}, physical{0, 0, 0};
        constexpr int kViews = 9, kRays = 100;
        for (int i = 0; i < kViews; ++i) {
            const float phi = kPi + 0.1f * static_cast<float>(i - kViews / 2);
            const Vec3f viewer{0, std::sin(phi), std::cos(phi)};
            draft += shading.shade(kStrand, viewer, light, tint).transmitted;
            for (int ray = 0; ray < kRays; ++ray)
                physical += HairBsdf(look, absorption_of(look), 2 * (static_cast<float>(ray) + 0.5f) / kRays - 1)
                                .eval(viewer, light) *
                            (1.0f / kRays);
        }
        EXPECT_LT(std::abs(std::log(draft.x / physical.x)), std::log(1.5f)) << name;
        EXPECT_LT(std::abs(std::log(draft.y / physical.y)), std::log(1.5f)) << name;
    }
}

TEST(DraftShading, HighlightsLieOnEitherSideOfTheSpecularCone)
{
    HairLook look = *hair_look("black");
    look.tilt = 0.1f, look.roughness = 0.1f;
    const DraftShading shading(look);
    const auto brightest = [&](const DraftShading::Tint& tint) {
        float best = 0, most = -1;
        for (float theta = -1; theta <= 1; theta += 0.005f) {
            const float c = shading.shade(kStrand, {std::sin(theta), 0, std::cos(theta)}, {0, 0, 1}, tint).reflected.x;
            if (c > most) most = c, best = theta;
        }
        return best;
    };
    EXPECT_NEAR(brightest({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}), -0.2f, 0.02f);
    EXPECT_NEAR(brightest({{0, 0, 0}, {0, 0, 0}, {100, 100, 100}}), 0.4f, 0.03f);
}

TEST(DraftShading, HandlesExtremeInput)
{
    const std::vector<Vec3f> directions = {{1, 0, 0},     {-1, 0, 0},     {0, 1, 0},          {0, 0, -1},
                                           {1, 1e-7f, 0}, {-1, 0, 1e-4f}, {1.0000001f, 0, 0}, {0.6f, 0.8f, 0}};
    for (const float roughness : {0.0f, 0.05f, 1.0f, 4.0f})
        for (const Vec3f& colour : {Vec3f{0, 0, 0}, Vec3f{1, 1, 1}, Vec3f{0.5f, 0, 1}}) {
            HairLook look;
            look.roughness = look.side_roughness = roughness;
            const DraftShading shading(look);
            for (const Vec3f& viewer : directions)
                for (const Vec3f& light : directions) {
                    const auto shade = shading.shade(kStrand, viewer, light, shading.tint(colour));
                    for (const Vec3f& c : {shade.reflected, shade.transmitted})
                        EXPECT_TRUE(is_finite(c) && c.x >= 0 && c.y >= 0 && c.z >= 0);
                }
        }
}

}  // namespace
}  // namespace tendril::test
