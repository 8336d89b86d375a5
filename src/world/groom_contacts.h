/// What the strands of a groom bring into contact: their radii, and the distance that they keep from colliders.
#pragma once

#include "solvers/contact/contact.h"
#include "strands/strands.h"
#include "tendril/groom.h"
#include "tendril/settings.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tendril {

/// The radii of the strands of a groom, which all its instances share.
struct StrandThickness {
    StrandThickness(const Groom& groom, const StrandLayout& layout);

    ParticleRows radius;  ///< of each particle [m]; empty if the groom has no widths
    float thickest = 0;   ///< the largest radius [m]
};

/// The contact data of one instance of a groom.
struct GroomContacts {
    std::shared_ptr<const StrandThickness> thickness;
    StrandRows layers;  ///< extra distance from colliders, by strand [m]
    float layer = -1;   ///< the setting that `layers` was drawn for
    uint64_t seed = 0;  ///< likewise
    std::vector<ColliderSubstep> substeps;

    /// Draws `layers` if the settings have changed. A layer depends on the seed and the index of the strand.
    void draw_layers(const StrandLayout& layout, const ContactSettings& settings);
};

/// The penetration that a rest pose may keep decreases linearly to zero over `ease` seconds. Returns the share of the
/// current penetration that may remain after another substep.
double retained_penetration(double substep, double age, double ease);

}  // namespace tendril
