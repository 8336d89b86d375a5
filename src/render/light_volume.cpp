// Light swept through the density grid.
//
// [Zinke08] A. Zinke, C. Yuksel, A. Weber, J. Keyser: Dual Scattering Approximation for Fast Multiple Scattering in
// Hair, 2008: light through hair is known by how many strands it has met on its way.
#include "render/light_volume.h"

namespace tendril {
namespace {

/// A sweep towards a light along the axis that its direction follows most.
struct Sweep {
    size_t along, second, third;  // axes
    int towards;                  // +1 or -1: which way along the first axis the light is
};

float part(const Vec3f& v, size_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

Sweep sweep_along(const Vec3f& direction)
{
    const float x = std::abs(direction.x), y = std::abs(direction.y), z = std::abs(direction.z);
    const size_t along = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    return {along, (along + 1) % 3, (along + 2) % 3, part(direction, along) >= 0 ? 1 : -1};
}

/// Between the four cells around a place in one slice; there is nothing outside the grid.
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

/// What lies between each cell and the light. `direction` says where the light is, seen from a place.
template <class Direction>
std::vector<Matter> swept(const HairDensity& density, const Vec3f& main_direction, const Direction& direction)
{
    constexpr float kMostLean = 1.5f;  // cells to the side per slice
    // How much of a cell's own matter counts: half of a body. Cells are wider than light gets into thick hair, of which
    // only the strands on the side towards the light are seen: their own cell does not shade them.
    constexpr Matter kOwn{0, 0.5f};
    const GridFrame& frame = density.frame;
    const Sweep sweep = sweep_along(main_direction);
    const std::array<size_t, 3> stride{1, static_cast<size_t>(frame.size[0]),
                                       static_cast<size_t>(frame.size[0]) * static_cast<size_t>(frame.size[1])};
    std::vector<Matter> gathered(frame.count());
    const int slices = frame.size[sweep.along];
    for (int k = 0; k < slices; ++k) {
        const int slice = sweep.towards > 0 ? slices - 1 - k : k;
        const size_t here = static_cast<size_t>(slice) * stride[sweep.along];
        const size_t before = k == 0 ? here : static_cast<size_t>(slice + sweep.towards) * stride[sweep.along];
        for (int c = 0; c < frame.size[sweep.third]; ++c)
            for (int b = 0; b < frame.size[sweep.second]; ++b) {
                std::array<int, 3> at;
                at[sweep.along] = slice, at[sweep.second] = b, at[sweep.third] = c;
                const Vec3f d = direction(frame.centre(at[0], at[1], at[2]));
                const float ahead = std::max(part(d, sweep.along) * static_cast<float>(sweep.towards), 1e-12f);
                const float lean_b = std::clamp(part(d, sweep.second) / ahead, -kMostLean, kMostLean);
                const float lean_c = std::clamp(part(d, sweep.third) / ahead, -kMostLean, kMostLean);
                const float way = frame.cell * std::sqrt(1 + lean_b * lean_b + lean_c * lean_c);
                const size_t cell =
                    here + static_cast<size_t>(b) * stride[sweep.second] + static_cast<size_t>(c) * stride[sweep.third];
                Matter sum{kOwn[0] * way * density.cells[cell][0], kOwn[1] * way * density.cells[cell][1]};
                if (k > 0) {
                    const SliceLookup lookup = slice_lookup(frame, sweep, stride, static_cast<float>(b) + lean_b,
                                                            static_cast<float>(c) + lean_c);
                    for (size_t i = 0; i < 4; ++i) {
                        const size_t from = before + lookup.offset[i];
                        for (size_t m = 0; m < 2; ++m)
                            sum[m] +=
                                lookup.weight[i] * (gathered[from][m] + (1 - kOwn[m]) * way * density.cells[from][m]);
                    }
                }
                gathered[cell] = sum;
            }
    }
    return gathered;
}

/// Like exp(-depth), but cheap and easy to take back.
float share_of(float depth)
{
    return 1.0f / (1.0f + depth + 0.5f * depth * depth);
}

constexpr size_t kAmbientDirections = 6;
/// Up, four times sideways, down: not along the axes, which would show as streaks.
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
    std::vector<std::vector<Matter>> around(kAmbientDirections);
    const Vec3f middle = (frame_.low + frame_.high()) * 0.5f;
    parallel_for(executor, lamps.size() + kAmbientDirections, 1, [&](size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
            if (k < lamps.size()) {
                const Vec3f lamp = lamps[k].centre;
                lamps_[k] = swept(density, lamp - middle, [&](const Vec3f& p) { return lamp - p; });
            } else {
                const Vec3f direction = ambient_direction(k - lamps.size());
                around[k - lamps.size()] = swept(density, direction, [&](const Vec3f&) { return direction; });
            }
        }
    });
    ambient_.resize(density.cells.size());
    parallel_for(executor, ambient_.size(), 65536, [&](size_t begin, size_t end) {
        for (size_t c = begin; c < end; ++c)
            for (size_t m = 0; m < 2; ++m) {
                float side = 0;
                for (size_t k = 1; k + 1 < kAmbientDirections; ++k) side += share_of(around[k][c][m]);
                ambient_[c][3 * m] = share_of(around[0][c][m]);
                ambient_[c][3 * m + 1] = side / static_cast<float>(kAmbientDirections - 2);
                ambient_[c][3 * m + 2] = share_of(around[kAmbientDirections - 1][c][m]);
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
    // Where the ray is inside the box: at what lies between there and the lamp it can be looked up.
    float enter = 0, leave = 1e30f;
    const Vec3f high = frame_.high();
    for (size_t a = 0; a < 3; ++a) {
        const float d = part(direction, a), o = part(p, a);
        if (std::abs(d) < 1e-12f) {
            if (o < part(frame_.low, a) || o > part(high, a)) return 0;
            continue;
        }
        const float t0 = (part(frame_.low, a) - o) / d, t1 = (part(high, a) - o) / d;
        enter = std::max(enter, std::min(t0, t1));
        leave = std::min(leave, std::max(t0, t1));
    }
    if (leave <= enter) return 0;
    return towards_lamp(lamp, p + direction * enter)[kHair];
}

}  // namespace tendril
