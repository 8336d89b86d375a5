// Drag and wind on one particle, for kernels. See air.h.

#if defined(TENDRIL_SOLVERS_AIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_AIR_INL_H_
#undef TENDRIL_SOLVERS_AIR_INL_H_
#else
#define TENDRIL_SOLVERS_AIR_INL_H_
#endif

#include "math/simd-inl.h"
#include "solvers/air.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Displacement of the air over a substep at a position relative to the origin of the strands.
template <class F>
HWY_INLINE Vec3<F> air_motion(const AirSubstep& air, const Vec3<F>& position)
{
    Vec3<F> motion = splat<F>(air.wind);
    if (!air.turbulent) return motion;
    for (const WindWave& w : air.eddies) {
        const F swing = cos_turns(dot(splat<F>(w.wave), position) + splat<F>(w.phase));
        motion += splat<F>(w.amplitude) * swing;
    }
    return motion;
}

/// The change of drift by drag: a share of the motion relative to the air, with different shares along the strand and
/// across it. `moved` is the actual displacement of the particle in the substep, not its stored drift, which also
/// includes the correction of [Mueller12] Eq. 9. `unit` is the direction of the strand.
template <class F>
HWY_INLINE Vec3<F> drag(const AirSubstep& air, const Vec3<F>& moved, const Vec3<F>& unit, const Vec3<F>& position)
{
    const Vec3<F> through = air_motion(air, position) - moved;
    const F along = dot(through, unit);
    const F normal = splat<F>(air.normal);
    return through * normal + unit * (along * (splat<F>(air.tangential) - normal));
}

/// The displacement by a force over the substep, of which drag leaves different shares along the strand and across it.
template <class F>
HWY_INLINE Vec3<F> against_drag(const AirSubstep& air, const Vec3<F>& pushed, const Vec3<F>& unit)
{
    const F normal = splat<F>(air.normal_left);
    return pushed * normal + unit * (dot(pushed, unit) * (splat<F>(air.tangential_left) - normal));
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
