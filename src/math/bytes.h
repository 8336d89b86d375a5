/// Converts numbers to bytes and back, and hashes bytes. Used for saved states; little-endian machines only.
#pragma once

#include "math/random.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace tendril {

template <class T>
void append_bytes(std::vector<std::byte>& out, const T* data, size_t count)
{
    static_assert(std::is_trivially_copyable_v<T>);
    if (count == 0) return;
    const size_t at = out.size();
    out.resize(at + count * sizeof(T));
    std::memcpy(out.data() + at, data, count * sizeof(T));
}

/// Returns false and consumes nothing if `in` holds too few bytes.
template <class T>
[[nodiscard]] bool take_bytes(std::span<const std::byte>& in, T* data, size_t count)
{
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > in.size() / sizeof(T)) return false;
    if (count > 0) std::memcpy(data, in.data(), count * sizeof(T));
    in = in.subspan(count * sizeof(T));
    return true;
}

/// 64-bit hash of a memory range, computed eight bytes at a time.
inline uint64_t hash_bytes(const void* data, size_t size)
{
    const auto* bytes = static_cast<const unsigned char*>(data);
    uint64_t h = size;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t word;
        std::memcpy(&word, bytes + i, 8);
        h = (h ^ word) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
    }
    for (; i < size; ++i) h = mix_bits(h ^ bytes[i]);
    return mix_bits(h);
}

}  // namespace tendril
