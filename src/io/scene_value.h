/// Converts TOML values to values of keys and checks them. Included by this folder only, because it includes toml++.
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

// toml++ 3.3 asserts on some malformed files (such as a table called `[[[`), and with assertions disabled it lets the
// compiler assume that this never happens. Here its assertions become exceptions in every build; parse_toml catches
// them.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) ((expr) ? static_cast<void>(0) : ::tendril::throw_malformed_toml())
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace tendril {

/// Errors name the file and, where it is known, the line.
Result<toml::table> parse_toml(const std::string& text, const std::string& file_name);

/// Converts and checks a value. `path` is "table.key". Errors say what is wrong, but not where.
Result<SettingValue> read_value(const Setting& key, const std::string& path, const toml::node& node);

/// The same from text in TOML syntax; strings need no quotes.
Result<SettingValue> read_value(const Setting& key, const std::string& path, std::string_view text);

}  // namespace tendril
