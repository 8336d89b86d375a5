/// Percent-encoding, such as %2F, of bytes that an address cannot contain.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tendril::app {

/// Decodes a text once. Empty if a % is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace tendril::app
