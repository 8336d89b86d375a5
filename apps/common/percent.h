/// Bytes that an address cannot hold are written %2F in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tendril::app {

/// Decoded once; nothing where a % is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace tendril::app
