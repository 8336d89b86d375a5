/// Replacement for std::bit_cast, which the standard library of Debian's emscripten lacks.
#pragma once

#include <cstring>
#include <type_traits>

namespace tendril {

template <class To, class From>
requires(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>) inline To
    bit_cast(const From& from)
{
    To to;
    std::memcpy(&to, &from, sizeof(To));
    return to;
}

}  // namespace tendril
