/// Wraps long text for a terminal, or for a file that is read in one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tendril::app {

/// The width of text on stdout: that of the terminal, from 80 to 120, or 100 without a terminal.
size_t text_columns();

/// Breaks a text between words into lines of at most `columns` characters, each indented by `indent` spaces. A longer
/// word gets its own line.
std::string wrapped(std::string_view text, size_t columns, size_t indent);

}  // namespace tendril::app
