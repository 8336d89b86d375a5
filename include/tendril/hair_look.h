/// Optical properties of hair: pigments, roughness and the tilt of the cuticle scales. The fast shading of drafts and
/// the physically based shading share them.
#pragma once

#include "tendril/result.h"
#include "tendril/vec3.h"

#include <string>
#include <vector>

namespace tendril {

/// Human hair, described by its pigments. The defaults give dark brown hair. Concentrations follow [dEon11].
struct HairLook {
    float eumelanin = 1.3f;       ///< brown-black pigment, >= 0; 8 in black hair, 0.4 in brown, 0.08 in blonde
    float pheomelanin = 0.0f;     ///< red-yellow pigment, >= 0; 0.55 in red hair, 0.08 in brown, 0.06 in blonde
    Vec3f dye{0, 0, 0};           ///< extra absorption by dyes, per fibre radius, for red, green, blue, each >= 0
    float roughness = 0.3f;       ///< longitudinal roughness, beta_m of [Chiang16], [0.05, 1]
    float side_roughness = 0.3f;  ///< azimuthal roughness, beta_n of [Chiang16], [0.05, 1]
    float tilt = 0.035f;          ///< tilt of the scales towards the tip [rad], [0, 0.2]; about 2 degrees in human hair
    float refraction = 1.55f;     ///< refractive index, [1.1, 2]; 1.55 is keratin
};

/// The absorption of a fibre per radius of path length, for red, green and blue, from its pigments [dEon11].
Vec3f absorption_of(const HairLook& look);
/// The absorption at which dense hair has approximately this colour [Chiang16] Eq. 9, and the inverse mapping.
Vec3f absorption_of_colour(const Vec3f& colour, float side_roughness);
Vec3f colour_of_absorption(const Vec3f& absorption, float side_roughness);

/// The names of the built-in looks: black, brown, blonde, red, grey, white.
const std::vector<std::string>& hair_look_names();
/// Returns the look of that name. The error for an unknown name lists the valid ones.
Result<HairLook> hair_look(const std::string& name);

}  // namespace tendril
