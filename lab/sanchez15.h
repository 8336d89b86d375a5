/// The functions that measure the claims of [Sanchez15], by subject. The table of claims is in sanchez15.cpp.
#pragma once

#include "lab_run.h"

namespace tendril::app::sanchez {

/// s_l and s_g.
struct Coefficients {
    const char *local, *global;
};
/// Within "below 0.3 and 0.1" of section 5, and at these limits.
inline constexpr Coefficients kUsual{"0.2", "0.05"}, kStrong{"0.3", "0.1"};

/// A scene as printed: the shape of Eq. 8-14, the fluid without our limits, one step of 0.016 s, s_d = 0.9. Repulsion
/// and viscosity are in the middle of the ranges of section 5.
inline Overrides printed_overrides(const Coefficients& shape)
{
    return {{"shape.form", "paper"},
            {"shape.units", "paper"},
            {"shape.local", shape.local},
            {"shape.global", shape.global},
            {"interaction.form", "paper"},
            {"interaction.units", "paper"},
            {"interaction.stiffness", "0.25"},
            {"interaction.viscosity", "100"},
            {"solver.velocity_correction", "0.9"},
            {"sim.dt", "0.016"},
            {"sim.substeps", "1"}};
}

// Whole characters: sanchez15_characters.cpp
Result<Finding> find_mannequin_and_horse(Lab& lab);
Result<Finding> find_fur(Lab& lab);
Result<Finding> find_styles(Lab& lab);
Result<Finding> find_characters(Lab& lab);

// Shape and volume, separately and together: sanchez15_figure2.cpp
Result<Finding> find_four_variants(Lab& lab);

// The equations of the shape: sanchez15_shape.cpp
Result<Finding> find_energy(Lab& lab);
Result<Finding> find_oscillation(Lab& lab);

// Hair as a fluid: sanchez15_volume.cpp
Result<Finding> find_ranges(Lab& lab);

// Times: sanchez15_cost.cpp
Result<Finding> find_times(Lab& lab);
Result<Finding> find_layouts(Lab& lab);

}  // namespace tendril::app::sanchez
