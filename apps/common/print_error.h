/// Messages on standard error.
#pragma once

#include <fmt/core.h>

namespace tendril::app {

/// Formats the message and writes it. Never throws: a message that cannot be written is lost, and the exit code
/// remains.
void vprint_error(fmt::string_view format, fmt::format_args args) noexcept;

template <class... T>
void print_error(fmt::format_string<T...> format, const T&... args) noexcept
{
    vprint_error(format, fmt::make_format_args(args...));
}

}  // namespace tendril::app
