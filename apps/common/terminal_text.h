/// Long text for a terminal, or for a file that is read in one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tendril::app {

/// How wide text on stdout may be: as the terminal, from 80 to 120; 100 where there is none.
size_t text_columns();

/// Broken between words into lines of so many columns, each after so many spaces. A longer word has a line of its own.
std::string wrapped(std::string_view text, size_t columns, size_t indent);

}  // namespace tendril::app
