/// Light transport into hair: for every cell of the density grid, the optical depth towards each lamp and towards the
/// sky. One sweep over the grid per lamp replaces a ray march per point: each cell adds its own density to the depth of
/// its neighbour towards the lamp.
///
/// The scattering model follows the idea of dual scattering [Zinke08]: part of the light passes without hitting a hair,
/// and each hair that is hit forwards a coloured part.
#pragma once

#include "render/hair_density.h"
#include "render/light.h"
#include "render/view.h"

#include <vector>

namespace tendril {

/// The shares of the light from above, from the sides and from below that arrive.
struct AmbientShare {
    float up = 1, side = 1, down = 1;
};

class LightVolume {
public:
    LightVolume(const HairDensity& density, const std::vector<Lamp>& lamps, Executor& executor);

    bool empty() const { return frame_.cell <= 0; }
    float cell() const { return frame_.cell; }
    /// The optical depth of hair and bodies between a point in the grid and a lamp.
    HairAndBody towards_lamp(size_t lamp, const Vec3f& p) const { return look_up(frame_, lamps_[lamp], p); }
    /// The shares of environment light that arrive at a point in the grid past the hair and past the bodies.
    void ambient(const Vec3f& p, AmbientShare& hair, AmbientShare& bodies) const;
    /// The number of hairs between a point, which may be outside the grid, and a lamp in the given direction.
    float hairs_towards(size_t lamp, const Vec3f& p, const Vec3f& direction) const;

private:
    GridFrame frame_;
    std::vector<std::vector<HairAndBody>> lamps_;
    std::vector<std::array<float, 6>> ambient_;  // up, side, down past hair, then past bodies, each in [0, 1]
};

}  // namespace tendril
