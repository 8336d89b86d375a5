/// Random numbers that depend only on a seed and an index, so that any thread can draw any of them.
#pragma once

#include <cstdint>

namespace tendril {

/// Scrambles 64 bits (the finaliser of splitmix64 [Steele14]).
constexpr uint64_t mix_bits(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/// Uniform in [0, 1).
constexpr double uniform(uint64_t seed, uint64_t index)
{
    return static_cast<double>(mix_bits(mix_bits(seed) ^ index) >> 11) * 0x1.0p-53;
}

/// Uniform in [0, 1), from a separate sequence for each purpose.
constexpr double draw(uint64_t seed, uint64_t purpose, uint64_t index)
{
    return uniform(seed * 31 + purpose, index);
}

}  // namespace tendril
