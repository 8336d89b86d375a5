/// Keys of a scene that were set but have no effect, because of the values of other keys.
#pragma once

#include "tendril/scene_keys.h"

#include <string>
#include <vector>

namespace tendril {

/// A key that was set and has no effect.
struct IdleKey {
    const SceneTable* table;
    const Setting* key;
    std::string location;
};

/// Messages with the location of the first of the keys that share a condition, and what would make them act.
struct IdleKeys {
    std::vector<std::string> errors, warnings;
};
IdleKeys describe_idle(const std::vector<IdleKey>& keys);

}  // namespace tendril
