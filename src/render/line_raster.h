/// Rasterizes strands as antialiased lines and blends the lines of one tile from front to back. A line thinner than a
/// pixel gets partial opacity, so that its brightness does not depend on its position between pixels.
#pragma once

#include "render/light_math.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// A projected point of a strand. All values are interpolated linearly between neighbouring points.
struct LinePoint {
    float x = 0, y = 0;                      ///< [pixels]
    float depth = 0;                         ///< for the depth test against surfaces [m]
    float width = 0;                         ///< [pixels], >= 0
    float opacity = 1;                       ///< of the strand where it covers a whole pixel, [0, 1]
    bool is_first = false, is_last = false;  ///< first or last point of a polyline
    Vec3f light{0, 0, 0};
};

/// The line from a point to the next one, in the list of a tile.
struct LineEntry {
    float depth;  ///< of the midpoint; lines are blended in this order
    uint32_t list, point;

    bool operator<(const LineEntry& o) const
    {
        if (depth != o.depth) return depth < o.depth;
        return list != o.list ? list < o.list : point < o.point;
    }
};

inline constexpr int kTileSize = 32;
inline constexpr int kSubSamples = 4;

/// A pixel during front-to-back blending. Its sub-samples have different depths.
struct LinePixel {
    std::array<float, kSubSamples> transmittance;  ///< transmittance of the lines blended so far
    std::array<float, kSubSamples> depth;          ///< of the surface behind the lines [m]
    Vec3f light;                                   ///< of the lines blended so far
};

struct LineTile {
    int x = 0, y = 0, width = 0, height = 0;  ///< [pixels], at most kTileSize
    std::array<LinePixel, kTileSize * kTileSize> pixels;

    LinePixel& at(int px, int py) { return pixels[static_cast<size_t>((py - y) * kTileSize + px - x)]; }
};

/// How far from its centre line a line of this width can touch pixels [pixels].
float line_reach(float width);

/// Blends the line from `points[k]` to `points[k + 1]` into the tile.
void draw_line(LineTile& tile, std::span<const LinePoint> points, size_t k);

}  // namespace tendril
