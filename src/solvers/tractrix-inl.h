// The tractrix is the curve that the tail of a segment follows when its head is moved. [Sreenivasan10] S. Sreenivasan,
// P. Goel, A. Ghosal: A real-time algorithm for simulation of flexible objects and hyper-redundant manipulators, MMT
// 2010; [Zappe20] M. Zappe: Simulation of hair with the tractrix curve, 2020.

#if defined(TENDRIL_SOLVERS_TRACTRIX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_TRACTRIX_INL_H_
#undef TENDRIL_SOLVERS_TRACTRIX_INL_H_
#else
#define TENDRIL_SOLVERS_TRACTRIX_INL_H_
#endif

#include "math/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// The edge from head to tail after the head has moved in a straight line by s. The edge was e, of any length; the
/// result has the length l.
///
/// With a the angle between the segment, from tail to head, and s: tan(a'/2) = tan(a/2) q, q = exp(-|s|/l). With
/// p = 1 + cos a and m = 1 - cos a this is cos a' = (p - q^2 m)/(p + q^2 m). Written as a change of e, it keeps its
/// precision for small s. Pull, push and no motion at all need no special cases.
template <class F>
HWY_INLINE Vec3<F> dragged(const Vec3<F>& e, const Vec3<F>& s, const F& l)
{
    const F zero = splat<F>(0.0f), one = splat<F>(1.0f), least = splat<F>(kNoDirection);
    const Vec3<F> unit = e * (one / sqrt(max(dot(e, e), least)));
    const F distance = sqrt(max(dot(s, s), least));
    const Vec3<F> n = s * (one / distance);
    const Decay<F> q = decay(distance / l);

    const F along = dot(unit, n);  // -cos a
    Vec3<F> side = unit - n * along;
    side = side - n * dot(side, n);   // again: rounding in the first difference may leave it not perpendicular
    const F side2 = dot(side, side);  // p m
    const F large = one + max(along, zero - along), small = side2 / large;
    const auto pushed = zero < along;
    const F p = select(pushed, small, large), m = select(pushed, large, small);

    const F share = q.lost / (p + q.left * q.left * m), both = one + q.left;
    const Vec3<F> turn = side * (q.left + q.left - p * both) - n * (side2 * both);
    return (unit + turn * share) * l;
}

/// Particle i has moved from `from` to its current position. The particles after it, up to `end`, are dragged along one
/// by one. `constrain(i, position)` returns the final position of a particle.
template <class F, class Chain, class Constrain>
HWY_INLINE void drag_after(Chain& chain, int i, Vec3<F> from, int end, const Constrain& constrain)
{
    const int by = i < end ? 1 : -1;
    Vec3<F> head = chain.at(i);
    for (; i != end; i += by) {
        const Vec3<F> tail = chain.at(i + by);
        const F l = chain.rest_length(by > 0 ? i + 1 : i);
        head = constrain(i + by, head + dragged(tail - from, head - from, l));
        chain.set_position(i + by, head);
        from = tail;
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
