// Sweeps light through the density grid.
//
// [Zinke08] A. Zinke, C. Yuksel, A. Weber, J. Keyser: Dual Scattering Approximation for Fast Multiple Scattering in
// Hair, 2008: the number of strands that light has crossed determines how much of it arrives.
#include "render/light_volume.h"

namespace tendril {
namespace {

/// The axes of a sweep, ordered so that the first is the dominant axis of the light direction.
struct Sweep {
    size_t along, second, third;  // axes
    int towards;                  // +1 or -1: the side of the light along the first axis
};

float component(const Vec3f& v, size_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

Sweep sweep_along(const Vec3f& direction)
{
    const float x = std::abs(direction.x), y = std::abs(direction.y), z = std::abs(direction.z);
    const size_t along = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    return {along, (along + 1) % 3, (along + 2) % 3, component(direction, along) >= 0 ? 1 : -1};
}

/// Bilinear weights of the four cells around a position in one slice. Cells outside the grid have weight 0.
struct SliceLookup {
    size_t offset[4];
    float weight[4];
};

SliceLookup slice_lookup(const GridFrame& frame, const Sweep& sweep, const std::array<size_t, 3>& stride, float b,
                         float c)
{
    const float fb = std::floor(b), fc = std::floor(c), sb = b - fb, sc = c - fc;
    const int ib = static_cast<int>(fb), ic = static_cast<int>(fc);
    SliceLookup lookup;
    for (int k = 0; k < 4; ++k) {
        const int jb = ib + (k & 1), jc = ic + (k >> 1);
        const bool is_inside = jb >= 0 && jc >= 0 && jb < frame.size[sweep.second] && jc < frame.size[sweep.third];
        lookup.offset[k] =
            is_inside ? static_cast<size_t>(jb) * stride[sweep.second] + static_cast<size_t>(jc) * stride[sweep.third]
                      : 0;
        lookup.weight[k] = is_inside ? ((k & 1) ? sb : 1 - sb) * ((k >> 1) ? sc : 1 - sc) : 0;
    }
    return lookup;
}

/// The optical depth between each cell and the light. `direction(p)` points from p to the light.
template <class Direction>
std::vector<HairAndBody> sweep_depths(const HairDensity& density, const Vec3f& main_direction,
                                      const Direction& direction)
{
    constexpr float kMaxLean = 1.5f;  // sideways steps per slice [cells]
    // The share of a cell's own density that shades it: none of its hair, half of its body. Cells are wider than light
    // penetrates thick hair, and the visible strands are those on the lit side, which their own cell does not shade.
    constexpr HairAndBody kOwnShare{0, 0.5f};
    const GridFrame& frame = density.frame;
    const Sweep sweep = sweep_along(main_direction);
    const std::array<size_t, 3> stride{1, static_cast<size_t>(frame.size[0]),
                                       static_cast<size_t>(frame.size[0]) * static_cast<size_t>(frame.size[1])};
    std::vector<HairAndBody> depths(frame.count());
    const int slices = frame.size[sweep.along];
    for (int k = 0; k < slices; ++k) {
        const int slice = sweep.towards > 0 ? slices - 1 - k : k;
        const size_t slice_start = static_cast<size_t>(slice) * stride[sweep.along];
        const size_t previous_slice =
            k == 0 ? slice_start : static_cast<size_t>(slice + sweep.towards) * stride[sweep.along];
        for (int c = 0; c < frame.size[sweep.third]; ++c)
            for (int b = 0; b < frame.size[sweep.second]; ++b) {
                std::array<int, 3> at;
                at[sweep.along] = slice, at[sweep.second] = b, at[sweep.third] = c;
                const Vec3f d = direction(frame.centre(at[0], at[1], at[2]));
                const float forward = std::max(component(d, sweep.along) * static_cast<float>(sweep.towards), 1e-12f);
                const float lean_b = std::clamp(component(d, sweep.second) / forward, -kMaxLean, kMaxLean);
                const float lean_c = std::clamp(component(d, sweep.third) / forward, -kMaxLean, kMaxLean);
                const float step_length = frame.cell * std::sqrt(1 + lean_b * lean_b + lean_c * lean_c);
                const size_t cell = slice_start + static_cast<size_t>(b) * stride[sweep.second] +
                                    static_cast<size_t>(c) * stride[sweep.third];
                HairAndBody sum{kOwnShare[0] * step_length * density.cells[cell][0],
                                kOwnShare[1] * step_length * density.cells[cell][1]};
                if (k > 0) {
                    const SliceLookup lookup = slice_lookup(frame, sweep, stride, static_cast<float>(b) + lean_b,
                                                            static_cast<float>(c) + lean_c);
                    for (size_t i = 0; i < 4; ++i) {
                        const size_t from = previous_slice + lookup.offset[i];
                        for (size_t m = 0; m < 2; ++m)
                            sum[m] += lookup.weight[i] *
                                      (depths[from][m] + (1 - kOwnShare[m]) * step_length * density.cells[from][m]);
                    }
                }
                depths[cell] = sum;
            }
    }
    return depths;
}

/// A cheap approximation of exp(-depth).
float transmittance_of(float depth)
{
    return 1.0f / (1.0f + depth + 0.5f * depth * depth);
}

constexpr size_t kAmbientDirections = 6;
/// Up, four sideways, down. The directions avoid the axes of the grid, which would cause visible streaks.
Vec3f ambient_direction(size_t k)
{
    const Vec3f directions[kAmbientDirections] = {{0.15f, 1, 0.1f},    {1, 0.35f, 0.55f},  {-0.55f, 0.35f, 1},
                                                  {-1, 0.35f, -0.55f}, {0.55f, 0.35f, -1}, {-0.1f, -1, -0.15f}};
    return directions[k];
}

}  // namespace

LightVolume::LightVolume(const HairDensity& density, const std::vector<Lamp>& lamps, Executor& executor)
    : frame_(density.frame), lamps_(lamps.size())
{
    if (density.cells.empty()) return;
    std::vector<std::vector<HairAndBody>> sky_depths(kAmbientDirections);
    const Vec3f centre = (frame_.low + frame_.high()) * 0.5f;
    parallel_for(executor, lamps.size() + kAmbientDirections, 1, [&](size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
            if (k < lamps.size()) {
                const Vec3f lamp = lamps[k].centre;
                lamps_[k] = sweep_depths(density, lamp - centre, [&](const Vec3f& p) { return lamp - p; });
            } else {
                const Vec3f direction = ambient_direction(k - lamps.size());
                sky_depths[k - lamps.size()] =
                    sweep_depths(density, direction, [&](const Vec3f&) { return direction; });
            }
        }
    });
    ambient_.resize(density.cells.size());
    parallel_for(executor, ambient_.size(), 65536, [&](size_t begin, size_t end) {
        for (size_t c = begin; c < end; ++c)
            for (size_t m = 0; m < 2; ++m) {
                float side = 0;
                for (size_t k = 1; k + 1 < kAmbientDirections; ++k) side += transmittance_of(sky_depths[k][c][m]);
                ambient_[c][3 * m] = transmittance_of(sky_depths[0][c][m]);
                ambient_[c][3 * m + 1] = side / static_cast<float>(kAmbientDirections - 2);
                ambient_[c][3 * m + 2] = transmittance_of(sky_depths[kAmbientDirections - 1][c][m]);
            }
    });
}

void LightVolume::ambient(const Vec3f& p, AmbientShare& hair, AmbientShare& bodies) const
{
    const std::array<float, 6> share = look_up(frame_, ambient_, p);
    hair = {share[0], share[1], share[2]};
    bodies = {share[3], share[4], share[5]};
}

float LightVolume::hairs_towards(size_t lamp, const Vec3f& p, const Vec3f& direction) const
{
    if (empty()) return 0;
    // Find where the ray enters the grid; the optical depth from there to the lamp is stored.
    float enter = 0, leave = 1e30f;
    const Vec3f high = frame_.high();
    for (size_t a = 0; a < 3; ++a) {
        const float d = component(direction, a), o = component(p, a);
        if (std::abs(d) < 1e-12f) {
            if (o < component(frame_.low, a) || o > component(high, a)) return 0;
            continue;
        }
        const float t0 = (component(frame_.low, a) - o) / d, t1 = (component(high, a) - o) / d;
        enter = std::max(enter, std::min(t0, t1));
        leave = std::min(leave, std::max(t0, t1));
    }
    if (leave <= enter) return 0;
    return towards_lamp(lamp, p + direction * enter)[kOfHair];
}

}  // namespace tendril
