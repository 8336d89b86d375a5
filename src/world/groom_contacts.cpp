#include "world/groom_contacts.h"

#include "math/random.h"

#include <algorithm>

namespace tendril {

double retained_penetration(double substep, double age, double ease)
{
    const double left = ease - age;
    return left > substep ? (left - substep) / left : 0.0;
}

StrandThickness::StrandThickness(const Groom& groom, const StrandLayout& layout)
{
    const std::span<const float> widths = groom.data().widths;
    if (widths.empty()) return;
    radius = ParticleRows(layout, 1);
    for (size_t s = 0; s < groom.strand_count(); ++s)
        for (int i = 0; i < layout.levels(s); ++i) {
            const float r = widths[groom.first_points()[s] + static_cast<size_t>(i)] / 2;
            radius.set(s, i, 0, r);
            thickest = std::max(thickest, r);
        }
}

void GroomContacts::draw_layers(const StrandLayout& layout, const ContactSettings& settings)
{
    if (!layers.empty() && layer == settings.layer && seed == settings.seed) return;
    layers = StrandRows(layout, 1);
    layer = settings.layer;
    seed = settings.seed;
    for (size_t s = 0; s < layout.strand_count(); ++s) layers.set(s, 0, layer * static_cast<float>(uniform(seed, s)));
}

}  // namespace tendril
