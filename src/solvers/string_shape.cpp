// Chain shape matching, [Rungjiratananon11] section 3, as an energy: see docs/strings.md.
#include "solvers/strings.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// Sums over a region of 2 w + 1 particles, j from -w to w: of j^2, and of (j^2 - its mean)^2.
struct RegionSums {
    double squares, spread;
};

RegionSums region_sums(int w)
{
    double squares = 0, fourth = 0;
    for (int j = 1; j <= w; ++j) squares += 2.0 * j * j, fourth += 2.0 * j * j * j * j;
    return {squares, fourth - squares * squares / (2 * w + 1)};
}

/// What is left of values in a region when the line that fits them best is taken away: `off(j)` for j from -w to w.
template <class At, class Off>
void off_line(int w, double squares, const At& at, const Off& off)
{
    Vec3d middle{0, 0, 0}, slope{0, 0, 0};
    for (int j = -w; j <= w; ++j) {
        middle += at(j);
        slope += at(j) * static_cast<double>(j);
    }
    middle = middle * (1.0 / (2 * w + 1));
    slope = slope * (1 / squares);
    for (int j = -w; j <= w; ++j) off(j, at(j) - middle - slope * static_cast<double>(j));
}

/// A region around particle k: how wide it is, and with which force per metre off its line it is drawn there.
struct Region {
    int w;
    double squares, wanted, most;
};

Region region_of(const Strings& s, const StringPiece& piece, size_t k, const ShapeMatching& matching)
{
    const auto widest = static_cast<size_t>(matching.half_width);
    const int w = static_cast<int>(std::min({widest, k - piece.first, piece.last - k}));
    const RegionSums sums = region_sums(w);
    const double l = (s.rest[k - 1] + s.rest[k]) / 2;
    double heavy = s.mass[k];
    for (int j = -w; j <= w; ++j) heavy = std::min(heavy, s.mass[k + static_cast<size_t>(j)]);
    // Bent by the curvature c it is off its line by c l^2/2 (j^2 - mean). With the force r per metre its energy is
    // r/2 (c l^2/2)^2 spread: that of a beam over one segment, EI/2 c^2 l. A particle is in at most 2 w + 1 regions,
    // and what they do together in a substep h must not overshoot: at most `most` / h^2.
    return {w, sums.squares, 4 * s.bend_stiffness[k] / (l * l * l * sums.spread),
            heavy / static_cast<double>(2 * widest + 1)};
}

}  // namespace

double bend_rate2(const Strings& s, size_t i, const ShapeMatching& matching)
{
    const Region region = region_of(s, {i - 1, i + 1}, i, matching);
    return region.wanted / region.most;
}

double match_shapes(Strings& s, const StringPiece& piece, const ShapeMatching& matching, double h)
{
    double share = 1;
    for (size_t k = piece.first + 1; k < piece.last; ++k) {
        const Region region = region_of(s, piece, k, matching);
        if (!(region.wanted > 0)) continue;
        const double most = region.most / (h * h), rate = std::min(region.wanted, most);
        share = std::min(share, rate / region.wanted);
        const double slowing = matching.damping * std::sqrt(rate * most) * h;
        const auto particle = [&](int j) { return k + static_cast<size_t>(j); };
        off_line(
            region.w, region.squares,
            [&](int j) { return s.place[particle(j)] * rate + s.velocity[particle(j)] * slowing; },
            [&](int j, const Vec3d& force) {
                const size_t i = particle(j);
                s.acceleration[i] -= force * (s.lightness[i] / (s.touching[i] ? matching.heavier : 1.0));
            });
    }
    return share;
}

}  // namespace tendril
