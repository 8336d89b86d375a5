// Pair forces, 16 neighbours at a time. The forces on the two particles of a pair are opposite to the bit, apart from
// the masses: swapping the particles only flips the sign of differences, and does not change minima and sums.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interaction/sph_forces.cpp"
#include <hwy/foreach_target.h>

#include "interaction/sph_forces.h"

#include "interaction/quads-inl.h"

#include <hwy/cache_control.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {
namespace {

using F = Lanes<1>;

constexpr size_t kStateFloats = sizeof(SphState) / sizeof(float);
// Below this distance, in units of h, the push fades to zero: coincident particles have no direction to separate in.
constexpr float kMinDistance = 1e-6f;

// Prefetch distance: lists are `stride` apart in memory, which the hardware prefetcher does not detect.
constexpr size_t kAhead = 12;

enum class Lists { kWhole, kCut };

/// Sums the pair forces over the list of one particle.
template <Lists kLists>
HWY_INLINE Quad acceleration(const Neighbours& neighbours, const SphState* states, size_t at)
{
    const SphState& own = states[at];
    const Vec3<F> x = splat<F>(own.x, own.y, own.z), v = splat<F>(own.vx, own.vy, own.vz);
    const F per_h2 = splat<F>(neighbours.per_radius2()), zero = splat<F>(0.0f), one = splat<F>(1.0f);
    Vec3<F> sum{zero, zero, zero};
    const uint32_t* list = neighbours.padded_list(at);
    for (size_t k = 0; k < neighbours.list(at).size(); k += kBlockLanes) {
        const FourLanes position = load_quads(&states->x, kStateFloats, list + k);
        const FourLanes motion = load_quads(&states->vx, kStateFloats, list + k);
        const FourLanes push = load_quads(&states->push, kStateFloats, list + k);
        const Vec3<F> d = x - Vec3<F>{position.a, position.b, position.c};
        const F r2 = dot(d, d) * per_h2;
        const F r = sqrt(r2);
        F t = max(one - r, zero);
        // A pair that only one particle lists would push only that one, so it is left out.
        if constexpr (kLists == Lists::kCut) t = select(r2 < min(splat<F>(own.reach), push.c), t, zero);
        const F pushed = min(splat<F>(own.push) + push.a, min(splat<F>(own.max_push), push.b));
        const F along = position.d * (pushed * (t * t) / max(r, splat<F>(kMinDistance)));
        const F drag = position.d * (min(splat<F>(own.drag), motion.d) * t);
        sum += d * along + (Vec3<F>{motion.a, motion.b, motion.c} - v) * drag;
    }
    return sums(sum.x, sum.y, sum.z);
}

template <Lists kLists>
HWY_INLINE void sum_all(const Neighbours& neighbours, const SphState* states, Vec3f* accelerations, size_t begin,
                        size_t end)
{
    for (size_t at = begin; at < end; ++at) {
        hwy::Prefetch(neighbours.padded_list(std::min(at + kAhead, end - 1)));
        alignas(16) float a[4];
        hn::Store(acceleration<kLists>(neighbours, states, at), QuadTag(), a);
        accelerations[neighbours.order()[at]] = {a[0], a[1], a[2]};
    }
}

}  // namespace

void SumPairForces(const Neighbours& neighbours, const SphState* states, Vec3f* accelerations, size_t begin, size_t end)
{
    if (neighbours.cut() > 0)
        sum_all<Lists::kCut>(neighbours, states, accelerations, begin, end);
    else
        sum_all<Lists::kWhole>(neighbours, states, accelerations, begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SumPairForces);

void sum_pair_forces(const Neighbours& neighbours, std::span<const SphState> states, std::span<Vec3f> accelerations,
                     size_t begin, size_t end)
{
    HWY_DYNAMIC_DISPATCH(SumPairForces)(neighbours, states.data(), accelerations.data(), begin, end);
}

}  // namespace tendril
#endif
