/// From a TOML value to the value of a key, checked. For the files of this folder only: it shows toml++.
#pragma once

#include "io/scene_keys.h"

// Errors are returned, and nothing is written as TOML.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <string>
#include <string_view>
#include <toml++/toml.h>

namespace tendril {

/// `path` is "table.key". An error says what is wrong, but not where.
Result<SceneValue> read_value(const SceneKey& key, const std::string& path, const toml::node& node);

/// As above, from text that is written as in TOML; words may go without quotes.
Result<SceneValue> read_value(const SceneKey& key, const std::string& path, std::string_view text);

}  // namespace tendril
