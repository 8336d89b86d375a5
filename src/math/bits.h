/// Replacement for std::bit_cast, which the standard library of Debian's emscripten lacks.
#pragma once

#include <type_traits>

namespace tendril {

template <class To, class From>
requires(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> &&
         std::is_trivially_copyable_v<From>) constexpr To bit_cast(const From& from)
{
    return __builtin_bit_cast(To, from);
}

}  // namespace tendril
