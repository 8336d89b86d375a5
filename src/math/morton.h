/// Morton codes: the order of points along a curve through space, in which neighbours mostly follow each other.
#pragma once

#include "tendril/vec3.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// The codes of points. They interleave the bits of the three coordinates on a grid of 2^21 cells per axis around all
/// points.
inline std::vector<uint64_t> morton_codes(std::span<const Vec3f> points)
{
    constexpr float kCells = 2097151;
    if (points.empty()) return {};
    Vec3f low = points[0], high = low;
    for (const Vec3f& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const float scale = kCells / std::max({high.x - low.x, high.y - low.y, high.z - low.z, 1e-6f});
    const auto spread = [](uint64_t x) {
        x = (x | x << 32) & 0x1f00000000ffffull;
        x = (x | x << 16) & 0x1f0000ff0000ffull;
        x = (x | x << 8) & 0x100f00f00f00f00full;
        x = (x | x << 4) & 0x10c30c30c30c30c3ull;
        return (x | x << 2) & 0x1249249249249249ull;
    };
    const auto cell = [&](float a, float b) {
        return spread(static_cast<uint64_t>(std::clamp((a - b) * scale, 0.0f, kCells)));
    };
    std::vector<uint64_t> codes;
    codes.reserve(points.size());
    for (const Vec3f& p : points) codes.push_back(cell(p.x, low.x) | cell(p.y, low.y) << 1 | cell(p.z, low.z) << 2);
    return codes;
}

}  // namespace tendril
