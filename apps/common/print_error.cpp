#include "print_error.h"

#include <fmt/format.h>

#include <cstdio>
#include <iterator>

namespace tendril::app {

void vprint_error(fmt::string_view format, fmt::format_args args) noexcept
{
    try {
        fmt::memory_buffer text;
        fmt::vformat_to(std::back_inserter(text), format, args);
        std::fwrite(text.data(), 1, text.size(), stderr);
        std::fflush(stderr);
    } catch (...) {
        std::fputs("tendril: not enough memory for a message\n", stderr);
    }
}

}  // namespace tendril::app
