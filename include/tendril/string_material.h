/// What strings are made of: how they resist being stretched, bent and twisted, and what breaks them. SI units.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace tendril {

/// Stress over strain is a line of slope `young` up to `yield`, and one of slope `plastic` from there to `rupture`.
/// [Rungjiratananon11] 5.1. Stresses are forces over the cross-section at rest.
struct StringMaterial {
    double density = 1140;       ///< [kg/m^3], > 0
    double young = 2.7e9;        ///< slope of stress over strain while it is elastic [Pa], > 0
    double yield = 6e7;          ///< stress above which an elongation stays [Pa], > 0
    double plastic = 2e8;        ///< slope of stress over strain above that [Pa], in (0, young)
    double rupture = 9e7;        ///< stress at which it tears [Pa], > 0; below `yield`: it tears before it yields
    double bend_modulus = 8e8;   ///< resistance to bending: times pi r^4/4 it is the stiffness EI [Pa], >= 0
    double shear_modulus = 3e8;  ///< resistance to twisting: times pi r^4/2 it is the rigidity GJ [Pa], >= 0

    /// Strain under a stress that grows from nothing.
    double strain_at(double stress) const
    {
        return stress <= yield ? stress / young : yield / young + (stress - yield) / plastic;
    }
    /// Of permanent strain: how much stress a unit of it adds to what makes the material yield [Pa].
    double hardening() const { return young * plastic / (young - plastic); }
};

struct NamedMaterial {
    const char* name;
    StringMaterial material;
    const char* about;
};
/// Those known by name: what handbooks give for the fibre, made softer against bending and twisting where the string is
/// spun or laid from many of them.
std::span<const NamedMaterial> string_materials();
std::optional<StringMaterial> string_material(std::string_view name);

}  // namespace tendril
