/// How far light gets into hair: for every cell of the density grid, what lies between it and each lamp, and between it
/// and the sky. One sweep over the grid per lamp instead of a march per point: a cell takes what its neighbour towards
/// the lamp has gathered, and adds its own share.
///
/// What light does on its way is dual scattering in spirit [Zinke08]: a part goes through without touching a hair, and
/// a coloured part goes on after each hair it has met.
#pragma once

#include "render/hair_density.h"
#include "render/light.h"
#include "render/view.h"

#include <vector>

namespace tendril {

/// Shares of the light from above, from the sides and from below.
struct AmbientShare {
    float up = 1, side = 1, down = 1;
};

class LightVolume {
public:
    LightVolume(const HairDensity& density, const std::vector<Lamp>& lamps, Executor& executor);

    bool empty() const { return frame_.cell <= 0; }
    float cell() const { return frame_.cell; }
    /// Hairs and bodies on the way from a point in the grid to a lamp.
    Matter towards_lamp(size_t lamp, const Vec3f& p) const { return look_up(frame_, lamps_[lamp], p); }
    /// Shares of the surrounding light that arrive at a point in the grid: `hair` past the hair, `bodies` past them.
    void ambient(const Vec3f& p, AmbientShare& hair, AmbientShare& bodies) const;
    /// Hairs between any point and a lamp in a direction, wherever the ray enters the grid.
    float hairs_towards(size_t lamp, const Vec3f& p, const Vec3f& direction) const;

private:
    GridFrame frame_;
    std::vector<std::vector<Matter>> lamps_;
    std::vector<std::array<float, 6>> ambient_;  // up, side, down of hair, then of bodies: shares in [0, 1]
};

}  // namespace tendril
