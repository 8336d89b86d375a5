#include "world/movement.h"

#include "world/strand_movement.h"
#include "world/string_movement.h"

namespace tendril {

std::vector<std::unique_ptr<Movement>> make_movements()
{
    std::vector<std::unique_ptr<Movement>> all;
    // This movement comes first because it moves the rigid bodies; the others then see their new poses.
    all.push_back(std::make_unique<StringMovement>());
    all.push_back(std::make_unique<StrandMovement>());
    return all;
}

}  // namespace tendril
