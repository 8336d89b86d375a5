/// From a TOML value to the value of a key, checked. For the files of this folder only: it shows toml++.
#pragma once

#include "tendril/scene_keys.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace tendril {

[[noreturn]] inline void throw_malformed_toml()
{
    throw std::logic_error("malformed TOML");
}

}  // namespace tendril

// toml++ 3.3 asserts on some files that are merely wrong (a table called `[[[`), and without assertions it lets the
// compiler assume that there are none. Its assertions become exceptions here, in every build; parse_toml catches them.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) ((expr) ? static_cast<void>(0) : ::tendril::throw_malformed_toml())
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace tendril {

/// An error names the file and the line.
Result<toml::table> parse_toml(const std::string& text, const std::string& file_name);

/// `path` is "table.key". An error says what is wrong, but not where.
Result<SceneValue> read_value(const SceneKey& key, const std::string& path, const toml::node& node);

/// As above, from text that is written as in TOML; words may go without quotes.
Result<SceneValue> read_value(const SceneKey& key, const std::string& path, std::string_view text);

}  // namespace tendril
