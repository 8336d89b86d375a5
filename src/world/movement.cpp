#include "world/movement.h"

#include "world/strand_movement.h"
#include "world/string_movement.h"

namespace tendril {

std::vector<std::unique_ptr<Movement>> make_movements()
{
    std::vector<std::unique_ptr<Movement>> all;
    // Strings come first because they move the rigid bodies; the other movements then see the new poses.
    all.push_back(std::make_unique<StringMovement>());
    all.push_back(std::make_unique<StrandMovement>());
    return all;
}

}  // namespace tendril
