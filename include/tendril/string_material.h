/// What strings are made of: how they resist being stretched, bent and twisted, and what breaks them. SI units.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace tendril {

/// The stress-strain curve is a line of slope `young` up to `yield` and of slope `plastic` from there to `rupture`
/// [Rungjiratananon11] 5.1. Stress is force divided by the cross-section at rest.
struct StringMaterial {
    double density = 1140;       ///< [kg/m^3], > 0
    double young = 2.7e9;        ///< slope of the curve in the elastic range [Pa], > 0
    double yield = 6e7;          ///< stress above which elongation becomes permanent [Pa], > 0
    double plastic = 2e8;        ///< slope above the yield stress [Pa], in (0, young)
    double rupture = 9e7;        ///< stress at which it tears [Pa], > 0; below `yield`: it tears before it yields
    double bend_modulus = 8e8;   ///< resistance to bending: times pi r^4/4 it is the stiffness EI [Pa], >= 0
    double shear_modulus = 3e8;  ///< resistance to twisting: times pi r^4/2 it is the rigidity GJ [Pa], >= 0

    /// Strain when the stress rises from zero to `stress`.
    double strain_at(double stress) const
    {
        return stress <= yield ? stress / young : yield / young + (stress - yield) / plastic;
    }
    /// Hardening modulus: rise of the yield stress per unit of permanent strain [Pa].
    double hardening() const { return young * plastic / (young - plastic); }
};

struct NamedMaterial {
    const char* name;
    StringMaterial material;
    const char* about;
};
/// Named materials. Values are handbook values for the fibre, with lower bending and twisting stiffness for strings
/// spun or laid from many fibres.
std::span<const NamedMaterial> string_materials();
std::optional<StringMaterial> string_material(std::string_view name);

}  // namespace tendril
