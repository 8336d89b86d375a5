/// Damaged versions of a file: every truncation, and every single byte changed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tendril::test {

/// Calls `read(bytes)` with all truncations and with bits of every byte flipped in several ways.
template <class Read>
void damage(std::span<const std::byte> whole, const Read& read)
{
    for (size_t size = 0; size < whole.size(); ++size) read(whole.first(size));
    std::vector<std::byte> bytes(whole.begin(), whole.end());
    for (size_t i = 0; i < bytes.size(); ++i) {
        const std::byte before = bytes[i];
        for (const unsigned mask : {0x01u, 0x80u, 0xffu, 0x20u}) {
            bytes[i] = before ^ static_cast<std::byte>(mask);
            read(std::span<const std::byte>(bytes));
        }
        bytes[i] = before;
    }
}

}  // namespace tendril::test
