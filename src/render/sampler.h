/// Low-discrepancy numbers for the paths of a pixel. They depend only on pixel, sample and dimension, so any thread can
/// compute any of them. Each pair of dimensions is a 2D Sobol sequence, shuffled and scrambled with its own hash.
/// [Burley20] B. Burley: Practical Hash-based Owen Scrambling, JCGT 9(4), 2020.
#pragma once

#include "math/random.h"

#include <array>
#include <cstdint>

namespace tendril {

class Sampler {
public:
    Sampler(uint64_t seed, uint64_t pixel, uint32_t sample) : key_(mix_bits(mix_bits(seed) ^ pixel)), sample_(sample) {}

    /// The next two numbers, in [0, 1).
    std::array<float, 2> pair()
    {
        const uint64_t key = mix_bits(key_ + dimension_++);
        const auto a = static_cast<uint32_t>(key), b = static_cast<uint32_t>(key >> 32);
        const uint32_t index = scrambled(sample_, a ^ b);
        return {to_unit(scrambled(reversed(index), a)), to_unit(scrambled(second_dimension(index), b))};
    }
    float one() { return pair()[0]; }

private:
    static uint32_t reversed(uint32_t x)
    {
        x = __builtin_bswap32(x);
        x = ((x & 0x0f0f0f0fu) << 4) | ((x >> 4) & 0x0f0f0f0fu);
        x = ((x & 0x33333333u) << 2) | ((x >> 2) & 0x33333333u);
        return ((x & 0x55555555u) << 1) | ((x >> 1) & 0x55555555u);
    }
    /// The second dimension of the Sobol sequence. Its generator matrix is Pascal's triangle modulo two.
    static uint32_t second_dimension(uint32_t index)
    {
        uint32_t x = 0;
        for (uint32_t column = 0x80000000u; index != 0; index >>= 1, column ^= column >> 1)
            if (index & 1) x ^= column;
        return x;
    }
    /// Owen scrambling: flips each bit by a hash of the bits above it, with the Laine-Karras permutation on reversed
    /// bits.
    static uint32_t scrambled(uint32_t x, uint32_t key)
    {
        x = reversed(x);
        x += key;
        x ^= x * 0x6c50b47cu;
        x ^= x * 0xb82f1e52u;
        x ^= x * 0xc7afe638u;
        x ^= x * 0x8d22f6e6u;
        return reversed(x);
    }
    static float to_unit(uint32_t x) { return static_cast<float>(x >> 8) * 0x1p-24f; }

    uint64_t key_;
    uint32_t sample_;
    uint32_t dimension_ = 0;
};

}  // namespace tendril
