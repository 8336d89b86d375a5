#include "interaction/interaction.h"

#include "interaction/grid.h"

namespace tendril {

std::unique_ptr<Interaction> make_interaction(const InteractionSettings& settings)
{
    switch (settings.method) {
        case InteractionMethod::kNone: return nullptr;
        case InteractionMethod::kGrid: return std::make_unique<GridInteraction>(settings.grid);
    }
    return nullptr;
}

}  // namespace tendril
