/// Text as bytes, for tests of file readers.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace tendril::test {

inline std::span<const std::byte> bytes_of(std::string_view text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace tendril::test
