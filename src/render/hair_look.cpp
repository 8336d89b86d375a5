// Pigments, colours and named looks.
//
// [dEon11]   the absorption of each pigment per unit of concentration.
// [Chiang16] the mapping between the absorption of a fibre and the colour of a dense volume of fibres (Eq. 9).
#include "tendril/hair_look.h"

#include "tendril/detail/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tendril {
namespace {

// Absorption per fibre radius and unit of concentration, for red, green, blue [dEon11].
constexpr Vec3f kEumelanin{0.419f, 0.697f, 1.37f};
constexpr Vec3f kPheomelanin{0.187f, 0.4f, 1.05f};

/// [Chiang16] Eq. 9: colour = exp(-d(beta_n) sqrt(absorption)); d was fitted to path-traced volumes of hair.
float darkening(float side_roughness)
{
    const float b = std::clamp(side_roughness, 0.05f, 1.0f);
    return 5.969f + b * (-0.215f + b * (2.532f + b * (-10.73f + b * (5.574f + b * 0.245f))));
}

// A colour of 0 would need infinite absorption. Anything darker than this looks black, and at that absorption a fibre
// transmits no light anyway.
constexpr float kDarkest = 1e-6f;

float absorption_of_channel(float colour, float d)
{
    const float root = std::log(std::clamp(colour, kDarkest, 1.0f)) / d;
    return root * root;
}

float colour_of_channel(float absorption, float d)
{
    return std::exp(-d * std::sqrt(std::max(absorption, 0.0f)));
}

struct NamedLook {
    const char* name;
    HairLook look;
};

// The concentrations are chosen so that [Chiang16] Eq. 9 gives the named colours. Real grey hair is a mix of white and
// dark strands; a single look for all strands must be their mean, and pigments alone would make that beige.
constexpr std::array<NamedLook, 6> kLooks = {{
    {"black", {.eumelanin = 8.0f, .pheomelanin = 0.0f, .roughness = 0.25f, .side_roughness = 0.3f}},
    {"brown", {.eumelanin = 0.4f, .pheomelanin = 0.08f, .roughness = 0.3f, .side_roughness = 0.3f}},
    {"blonde", {.eumelanin = 0.08f, .pheomelanin = 0.06f, .roughness = 0.3f, .side_roughness = 0.35f}},
    {"red", {.eumelanin = 0.02f, .pheomelanin = 0.55f, .roughness = 0.3f, .side_roughness = 0.3f}},
    {"grey", {.eumelanin = 0.01f, .dye = {0.023f, 0.019f, 0.009f}, .roughness = 0.4f, .side_roughness = 0.4f}},
    {"white", {.eumelanin = 0.001f, .pheomelanin = 0.0f, .roughness = 0.35f, .side_roughness = 0.35f}},
}};

}  // namespace

Vec3f absorption_of(const HairLook& look)
{
    const Vec3f dye{std::max(look.dye.x, 0.0f), std::max(look.dye.y, 0.0f), std::max(look.dye.z, 0.0f)};
    return kEumelanin * std::max(look.eumelanin, 0.0f) + kPheomelanin * std::max(look.pheomelanin, 0.0f) + dye;
}

Vec3f absorption_of_colour(const Vec3f& colour, float side_roughness)
{
    const float d = darkening(side_roughness);
    return {absorption_of_channel(colour.x, d), absorption_of_channel(colour.y, d), absorption_of_channel(colour.z, d)};
}

Vec3f colour_of_absorption(const Vec3f& absorption, float side_roughness)
{
    const float d = darkening(side_roughness);
    return {colour_of_channel(absorption.x, d), colour_of_channel(absorption.y, d), colour_of_channel(absorption.z, d)};
}

const std::vector<std::string>& hair_look_names()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const NamedLook& named : kLooks) list.emplace_back(named.name);
        return list;
    }();
    return names;
}

Result<HairLook> hair_look(const std::string& name)
{
    for (const NamedLook& named : kLooks)
        if (name == named.name) return named.look;
    const std::string nearest = nearest_name(name, hair_look_names());
    return Error{fmt::format("hair look: unknown look '{}'{}; choose one of {}", name,
                             nearest.empty() ? std::string() : " (did you mean '" + nearest + "'?)",
                             fmt::join(hair_look_names(), ", "))};
}

}  // namespace tendril
