/// Strands as lines: smooth coverage of pixels by thin segments, and the picture of one tile put together from front to
/// back. A line thinner than a pixel is as transparent as it is thin, so that its light does not depend on where
/// between the pixels it runs.
#pragma once

#include "render/light_math.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// A place on a strand in the picture. Light and width run evenly from one to the next.
struct LinePoint {
    float x = 0, y = 0;                      ///< [pixels]
    float depth = 0;                         ///< for the comparison with surfaces [m]
    float width = 0;                         ///< [pixels], >= 0
    float opacity = 1;                       ///< of the strand where it covers all of a pixel, [0, 1]
    bool is_first = false, is_last = false;  ///< of its strand: no line comes before, or follows
    Vec3f light{0, 0, 0};
};

/// The line from one point to the next, in the list of a tile.
struct LineEntry {
    float depth;  ///< of its middle: lines are put on each other in this order
    uint32_t list, point;

    bool operator<(const LineEntry& o) const
    {
        if (depth != o.depth) return depth < o.depth;
        return list != o.list ? list < o.list : point < o.point;
    }
};

inline constexpr int kTileSize = 32;
inline constexpr int kSubSamples = 4;

/// One pixel while lines are laid on it from front to back. Sub-samples differ in how far they see.
struct LinePixel {
    std::array<float, kSubSamples> open;   ///< share of the light that still comes through
    std::array<float, kSubSamples> depth;  ///< of the surface behind
    Vec3f light;                           ///< of the lines so far
};

struct LineTile {
    int x = 0, y = 0, width = 0, height = 0;  ///< [pixels], at most kTileSize
    std::array<LinePixel, kTileSize * kTileSize> pixels;

    LinePixel& at(int px, int py) { return pixels[static_cast<size_t>((py - y) * kTileSize + px - x)]; }
};

/// How far from its middle a line of this width, across its main direction, touches pixels.
float line_reach(float width);

/// Lays the line from `points[k]` to the next one on the tile.
void draw_line(LineTile& tile, std::span<const LinePoint> points, size_t k);

}  // namespace tendril
