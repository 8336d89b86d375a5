/// From a TOML value to the value of a key, checked. For the files of this folder only: it shows toml++.
#pragma once

#include "io/scene_keys.h"

// toml++ 3.3 goes on after an error when it may not throw, and trips over its own assertions: let it throw, in one
// place.
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#include <string>
#include <string_view>
#include <toml++/toml.h>

namespace tendril {

/// An error names the file and the line.
Result<toml::table> parse_toml(const std::string& text, const std::string& file_name);

/// `path` is "table.key". An error says what is wrong, but not where.
Result<SceneValue> read_value(const SceneKey& key, const std::string& path, const toml::node& node);

/// As above, from text that is written as in TOML; words may go without quotes.
Result<SceneValue> read_value(const SceneKey& key, const std::string& path, std::string_view text);

}  // namespace tendril
