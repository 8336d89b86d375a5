#include "interaction/interaction.h"

#include "interaction/grid.h"
#include "interaction/printed_grid.h"
#include "interaction/sph_interaction.h"

#include <algorithm>

namespace tendril {

double mean_segment(const Groom& groom)
{
    double sum = 0, count = 0;
    for (size_t s = 0; s < groom.strand_count(); ++s)
        for (float l : groom.rest_lengths(s).subspan(1)) sum += l, ++count;
    return sum / count;
}

void place_at_rest(Strands& strands, const Groom& groom, const Vec3d& offset)
{
    strands.frame.position = offset;
    for (size_t s = 0; s < strands.strand_count(); ++s)
        if (groom.ends(s) == Ends::kFree) strands.set_root(s, to_double(groom.points(s)[0]) + offset);
}

bool KnownGrooms::changed(std::span<const InteractingGroom> grooms)
{
    const auto is_known = [](const InteractingGroom& groom, uint64_t known) { return groom.instance == known; };
    if (std::equal(grooms.begin(), grooms.end(), instances_.begin(), instances_.end(), is_known)) return false;
    instances_.clear();
    for (const InteractingGroom& groom : grooms) instances_.push_back(groom.instance);
    return true;
}

bool is_first_in_rest_space(std::span<const InteractingGroom> grooms, size_t groom)
{
    const auto shares = [&](const InteractingGroom& other) { return other.rest_space == grooms[groom].rest_space; };
    return std::none_of(grooms.begin(), grooms.begin() + static_cast<ptrdiff_t>(groom), shares);
}

std::unique_ptr<Interaction> make_interaction(const InteractionSettings& settings)
{
    switch (settings.method) {
        case InteractionMethod::kNone:
        case InteractionMethod::kContacts: return nullptr;  // solved in the substeps of strings, see StringContacts
        case InteractionMethod::kGrid:
            if (settings.form == Form::kPaper) return std::make_unique<PrintedGrid>(settings.grid);
            return std::make_unique<GridInteraction>(settings.grid);
        case InteractionMethod::kSph: return std::make_unique<SphInteraction>(settings.sph, settings.form);
    }
    return nullptr;
}

}  // namespace tendril
