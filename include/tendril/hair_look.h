/// What hair is made of, as far as light is concerned: pigments, roughness, the tilt of the scales. Used by the fast
/// shading of drafts and by the physically based one alike.
#pragma once

#include "tendril/result.h"
#include "tendril/vec3.h"

#include <string>
#include <vector>

namespace tendril {

/// Human hair by its pigments. The defaults are a dark brown. Concentrations as in [dEon11].
struct HairLook {
    float eumelanin = 1.3f;       ///< of the brown-black pigment, >= 0; 8 black, 0.4 brown, 0.1 blonde, 0 white
    float pheomelanin = 0.0f;     ///< of the red-yellow pigment, >= 0
    Vec3f dye{0, 0, 0};           ///< what dyes absorb besides, per radius, for red, green, blue, each >= 0
    float roughness = 0.3f;       ///< along the fibre, beta_m of [Chiang16], [0.05, 1]
    float side_roughness = 0.3f;  ///< around the fibre, beta_n of [Chiang16], [0.05, 1]
    float tilt = 0.035f;          ///< of the scales towards the tip [rad], [0, 0.2]; about 2 degrees in human hair
    float refraction = 1.55f;     ///< index of keratin, [1.1, 2]
};

/// Light that a fibre takes away per radius of path, for red, green, blue; from the pigments, [dEon11].
Vec3f absorption_of(const HairLook& look);
/// The absorption that gives dense hair about this colour, and the colour that an absorption gives, [Chiang16] Eq. 9.
Vec3f absorption_of_colour(const Vec3f& colour, float side_roughness);
Vec3f colour_of_absorption(const Vec3f& absorption, float side_roughness);

/// Looks by name: black, brown, blonde, red, grey, white.
const std::vector<std::string>& hair_look_names();
/// An error names those that there are.
Result<HairLook> hair_look(const std::string& name);

}  // namespace tendril
