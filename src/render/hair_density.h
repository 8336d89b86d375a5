/// A density grid of hair and bodies: the optical density that light encounters per metre. LightVolume integrates it
/// towards the lamps and the sky.
#pragma once

#include "render/surface_scene.h"
#include "tendril/render.h"

#include <array>
#include <span>
#include <vector>

namespace tendril {

/// A grid of cubic cells, relative to the eye. Cells are aligned to multiples of their size in world space, and the
/// size changes only in discrete steps. A grid that moved with the hair would cause flicker.
struct GridFrame {
    Vec3f low{0, 0, 0};
    float cell = 0;  ///< [m]
    std::array<int, 3> size{0, 0, 0};

    size_t count() const
    {
        return static_cast<size_t>(size[0]) * static_cast<size_t>(size[1]) * static_cast<size_t>(size[2]);
    }
    size_t index(int x, int y, int z) const
    {
        return (static_cast<size_t>(z) * static_cast<size_t>(size[1]) + static_cast<size_t>(y)) *
                   static_cast<size_t>(size[0]) +
               static_cast<size_t>(x);
    }
    Vec3f centre(int x, int y, int z) const
    {
        return low +
               Vec3f{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, static_cast<float>(z) + 0.5f} * cell;
    }
    Vec3f high() const
    {
        return low +
               Vec3f{static_cast<float>(size[0]), static_cast<float>(size[1]), static_cast<float>(size[2])} * cell;
    }
};

/// Hair and bodies, in that order: density [1/m] in the density grid, optical depth along a path in the light volume.
/// A hair density of 1/m means that light crosses one hair per metre.
using HairAndBody = std::array<float, 2>;
inline constexpr size_t kOfHair = 0, kOfBody = 1;

struct HairDensity {
    GridFrame frame;
    std::vector<HairAndBody> cells;
};

/// The density of all lit strands and of the interior of the meshes around them. Empty if there is no hair.
HairDensity measure_density(const Stage& stage, const SurfaceScene& surfaces, const Vec3d& eye, Executor& executor);

/// Interpolates trilinearly between cell centres and clamps outside the grid.
template <size_t N>
std::array<float, N> look_up(const GridFrame& frame, const std::vector<std::array<float, N>>& cells, const Vec3f& p)
{
    const Vec3f g = (p - frame.low) * (1.0f / frame.cell);
    const float position[3] = {g.x - 0.5f, g.y - 0.5f, g.z - 0.5f};
    int at[3];
    float share[3];
    for (size_t a = 0; a < 3; ++a) {
        const float inside = std::clamp(position[a], 0.0f, static_cast<float>(frame.size[a] - 1));
        at[a] = std::min(static_cast<int>(inside), std::max(frame.size[a] - 2, 0));
        share[a] = inside - static_cast<float>(at[a]);
    }
    const size_t dx = 1, dy = static_cast<size_t>(frame.size[0]), dz = dy * static_cast<size_t>(frame.size[1]);
    const std::array<float, N>* corner = cells.data() + frame.index(at[0], at[1], at[2]);
    std::array<float, N> sum{};
    for (size_t k = 0; k < 8; ++k) {
        const float weight = ((k & 1) ? share[0] : 1 - share[0]) * ((k & 2) ? share[1] : 1 - share[1]) *
                             ((k & 4) ? share[2] : 1 - share[2]);
        const auto& value = corner[((k & 1) ? dx : 0) + ((k & 2) ? dy : 0) + ((k & 4) ? dz : 0)];
        for (size_t n = 0; n < N; ++n) sum[n] += weight * value[n];
    }
    return sum;
}

}  // namespace tendril
