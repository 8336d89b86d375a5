#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "strands/curves.cpp"
#include <hwy/foreach_target.h>

#include "strands/curves.h"

#include "math/simd-inl.h"
#include "strands/strands.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {
namespace {

using F = Lanes<1>;

HWY_INLINE Vec3<F> load_vector(const float* rows)
{
    return {load_anywhere(rows), load_anywhere(rows + kLanes), load_anywhere(rows + 2 * kLanes)};
}

/// Vectors of some levels, which are computed for all strands of a level and written strand by strand.
class Tile {
public:
    static constexpr size_t kLevels = 16;

    HWY_INLINE void store(size_t level, const Vec3<F>& v)
    {
        store_anywhere(v.x, rows_[level][0]), store_anywhere(v.y, rows_[level][1]),
            store_anywhere(v.z, rows_[level][2]);
    }

    HWY_INLINE void write(size_t levels, size_t strands, Vec3f* const* to, size_t first) const
    {
        for (size_t lane = 0; lane < strands; ++lane) {
            Vec3f* out = to[lane] + first;
            for (size_t i = 0; i < levels; ++i) out[i] = {rows_[i][0][lane], rows_[i][1][lane], rows_[i][2][lane]};
        }
    }

private:
    HWY_ALIGN float rows_[kLevels][3][kLanes];
};

}  // namespace

void WriteCurves(const CurveBlock& block)
{
    const F zero = splat<F>(0.0f), blend = splat<F>(block.blend), per_second = splat<F>(block.per_second);
    Vec3<F> x = load_vector(block.root[0]), moved = load_vector(block.root_moved[0]);
    Tile points, velocities;
    for (size_t first = 0; first < block.levels; first += Tile::kLevels) {
        const size_t levels = std::min(Tile::kLevels, block.levels - first);
        for (size_t k = 0; k < levels; ++k) {
            const size_t i = first + k;
            if (i > 0) {
                const Vec3<F> old = load_vector(block.previous + i * kPreviousRows * kLanes),
                              now = load_vector(block.now + i * kStateRows * kLanes);
                const Vec3<F> e = old + (now - old) * blend;
                moved += now - old;
                F l = load_anywhere(block.rest + i * block.rest_stride);
                if (block.stretched) {
                    const F before = sqrt(dot(old, old));
                    l = before + (sqrt(dot(now, now)) - before) * blend;
                }
                const F n2 = dot(e, e);
                x += e * select(zero < n2, l / sqrt(n2), zero);
            }
            points.store(k, x);
            velocities.store(k, moved * per_second);
        }
        points.write(levels, block.strands, block.points, first);
        velocities.write(levels, block.strands, block.velocities, first);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {

HWY_EXPORT(WriteCurves);

void write_curves(const CurveBlock& block)
{
    HWY_DYNAMIC_DISPATCH(WriteCurves)(block);
}

}  // namespace tendril
#endif
