// Twist, [Rungjiratananon11] section 4. The force on the centreline is that of [Bergou08] M. Bergou et al.: Discrete
// elastic rods, SIGGRAPH 2008. Frames are transported in time as in [Bergou10] Discrete viscous threads, SIGGRAPH 2010.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/strings/string_twist.cpp"
#include <hwy/foreach_target.h>

#include "solvers/strings/string_lanes-inl.h"

#include <vector>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Rotates v by the smallest rotation that takes the unit vector a to the unit vector b.
template <class F>
HWY_INLINE Vec3<F> carried(const Vec3<F>& v, const Vec3<F>& a, const Vec3<F>& b)
{
    const F one = filled<F>(1), c = one + dot(a, b);
    const Vec3<F> axis = cross(a, b);
    const Vec3<F> turned = v * (c - one) + cross(axis, v) + axis * (dot(axis, v) / c);
    const Vec3<F> turned_back = v - a * (filled<F>(2) * dot(v, a));  // one of many if b = -a
    return select(c < filled<F>(1e-12), turned_back, turned);
}

/// The angle about a unit axis from u to v, both perpendicular to it. Of all equivalent angles, the one nearest to
/// `near`.
template <class F>
HWY_INLINE F angle_between(const Vec3<F>& u, const Vec3<F>& v, const Vec3<F>& axis, const F& near)
{
    constexpr double kTurn = 6.28318530717958647692;
    const F turn = angle_from_x(dot(cross(u, v), axis), dot(u, v));
    return turn + filled<F>(kTurn) * round_to_even((near - turn) / filled<F>(kTurn));
}

template <class F>
HWY_INLINE Vec3<F> direction(const Vec3<F>& from, const Vec3<F>& to)
{
    return unit_or(to - from, filled<F>(1, 0, 0));
}

/// A unit vector perpendicular to a unit vector.
template <class F>
HWY_INLINE Vec3<F> any_perpendicular(const Vec3<F>& unit)
{
    const Vec3<F> other = select(abs(unit.x) < filled<F>(0.7), filled<F>(1, 0, 0), filled<F>(0, 1, 0));
    return unit_or(cross(unit, other), filled<F>(0, 0, 1));
}

template <class F>
void start_frames(Strings& s, const BatchLanes<F>& lanes)
{
    Vec3<F> along = filled<F>(0, 0, 0), across = along;
    for (size_t k = 0; k < lanes.segments(); ++k) {
        const Vec3<F> next = direction(lanes.load(s.position, k), lanes.load(s.position, k + 1));
        across = k == 0 ? any_perpendicular(next) : carried(across, along, next);
        lanes.store(across, s.across, k);
        lanes.store(filled<F>(0), s.frame_turn, k);
        along = next;
    }
}

template <class F>
void twist_centreline(Strings& s, const BatchLanes<F>& lanes)
{
    const size_t n = lanes.segments();
    if (n < 2) return;
    const F zero = filled<F>(0), two = filled<F>(2);
    Vec3<F> position = lanes.load(s.position, 1), a = position - lanes.load(s.position, 0);
    Vec3<F> behind = lanes.load(s.acceleration, 0), here = lanes.load(s.acceleration, 1);
    F inverse_mass_behind = lanes.load(s.inverse_mass, 0), inverse_mass = lanes.load(s.inverse_mass, 1), la = length(a),
      rest_behind = lanes.load(s.rest, 0), angle_behind = lanes.load(s.angle, 0);
    for (size_t k = 1; k < n; ++k) {
        const Vec3<F> next = lanes.load(s.position, k + 1), b = next - position;
        const F lb = length(b), rest = lanes.load(s.rest, k), angle = lanes.load(s.angle, k);
        const F twist = angle - angle_behind + lanes.load(s.frame_turn, k) - lanes.load(s.rest_twist, k);
        const F torque = lanes.load(s.twist_stiffness, k) / ((rest_behind + rest) / two) * twist;
        lanes.store(torque, s.torque, k);
        const F open = la * lb + dot(a, b);
        // With c the curvature binormal, the twist falls by c/(2 la) and grows by c/(2 lb) per metre that the outer two
        // particles move. There is no force where the string is folded back.
        const Vec3<F> binormal = cross(a, b) * (two / open);
        const MaskOf<F> folded = open < filled<F>(1e-3) * la * lb, acts = (!folded) & (zero < abs(torque));
        const Vec3<F> none = filled<F>(0, 0, 0);
        const Vec3<F> left = select(acts, binormal * (torque / (two * la)), none),
                      right = select(acts, binormal * (torque / (two * lb)), none);
        const F inverse_mass_ahead = lanes.load(s.inverse_mass, k + 1);
        lanes.store(behind + left * inverse_mass_behind, s.acceleration, k - 1);
        behind = here - (left - right) * inverse_mass;
        here = lanes.load(s.acceleration, k + 1) - right * inverse_mass_ahead;
        position = next, a = b, la = lb;
        inverse_mass_behind = inverse_mass, inverse_mass = inverse_mass_ahead;
        rest_behind = rest, angle_behind = angle;
    }
    lanes.store(behind, s.acceleration, n - 1);
    lanes.store(here, s.acceleration, n);
}

template <class F>
void carry_frames(Strings& s, const BatchLanes<F>& lanes)
{
    Vec3<F> before = lanes.load(s.before, 0), position = lanes.load(s.position, 0);
    Vec3<F> along_behind = filled<F>(0, 0, 0), across_behind = along_behind;
    for (size_t k = 0; k < lanes.segments(); ++k) {
        const Vec3<F> next_before = lanes.load(s.before, k + 1), next = lanes.load(s.position, k + 1);
        const Vec3<F> is = direction(position, next);
        const Vec3<F> u = carried(lanes.load(s.across, k), direction(before, next_before), is);
        const Vec3<F> across = unit_or(u - is * dot(u, is), any_perpendicular(is));
        lanes.store(across, s.across, k);
        if (k > 0) {
            const Vec3<F> untwisted = carried(across_behind, along_behind, is);
            lanes.store(angle_between(untwisted, across, is, lanes.load(s.frame_turn, k)), s.frame_turn, k);
        }
        before = next_before, position = next, along_behind = is, across_behind = across;
    }
}

template <class F>
struct alignas(64) TwistRow {
    F upper, value;
};

template <class F>
void spread_twist(Strings& s, const BatchLanes<F>& lanes, double spread)
{
    // Implicit, so that any spread is stable: the new angles obey a' - a = spread (torque ahead - torque behind), with
    // each torque in units of that of the stiffest joint.
    const size_t n = lanes.segments();
    const F zero = filled<F>(0), one = filled<F>(1);
    F stiffest = zero;
    for (size_t k = 1; k < n; ++k) stiffest = larger(lanes.load(s.twist_stiffness, k), stiffest);
    const auto twists = zero < stiffest;
    if (!any(twists)) return;
    thread_local std::vector<TwistRow<F>> rows;
    if (rows.size() < n) rows.resize(n);
    const F per = filled<F>(spread) / select(twists, stiffest, one);
    F joint_behind = zero, turn_behind = zero;  // conductance and fixed part of the twist of the previous joint
    for (size_t k = 0; k < n; ++k) {
        const bool last = k + 1 == n;
        const F joint_ahead = last ? zero : per * lanes.load(s.twist_stiffness, k + 1);
        const F turn_ahead = last ? zero : lanes.load(s.frame_turn, k + 1) - lanes.load(s.rest_twist, k + 1);
        const F turns = one - lanes.load(s.clamped, k);  // 0: a clamp sets its angle
        const F behind = turns * joint_behind, ahead = turns * joint_ahead;
        F diagonal = one + behind + ahead;
        F right = lanes.load(s.angle, k) - behind * turn_behind + ahead * turn_ahead;
        if (k > 0) {
            diagonal = diagonal - behind * rows[k - 1].upper;
            right = right + behind * rows[k - 1].value;
        }
        const F inverse = one / diagonal;
        rows[k] = {ahead * inverse, right * inverse};
        joint_behind = joint_ahead, turn_behind = turn_ahead;
    }
    F next = zero;
    for (size_t k = n; k-- > 0;) {
        next = rows[k].value + rows[k].upper * next;
        lanes.store(next, s.angle, k);
    }
}

void StartFrames(Strings& s, StringBatch batch)
{
    with_lanes(batch, [&](const auto& lanes) HWY_ATTR { start_frames(s, lanes); });
}

void TwistCentreline(Strings& s, StringBatch batch)
{
    with_lanes(batch, [&](const auto& lanes) HWY_ATTR { twist_centreline(s, lanes); });
}

void CarryFrames(Strings& s, StringBatch batch)
{
    with_lanes(batch, [&](const auto& lanes) HWY_ATTR { carry_frames(s, lanes); });
}

void SpreadTwist(Strings& s, StringBatch batch, double spread)
{
    with_lanes(batch, [&](const auto& lanes) HWY_ATTR { spread_twist(s, lanes, spread); });
}

void TurnSegment(Strings& s, size_t i, const Vec3d& to)
{
    const StringPiece segment{i, i + 1};
    const BatchLanes<double> lanes(segment);
    const Vec3<double> along = direction(lanes.load(s.position, 0), lanes.load(s.position, 1)),
                       across{to.x, to.y, to.z};
    s.angle[i] = angle_between(lanes.load(s.across, 0), across - along * dot(across, along), along, s.angle[i]);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {

HWY_EXPORT(StartFrames);
HWY_EXPORT(TwistCentreline);
HWY_EXPORT(CarryFrames);
HWY_EXPORT(SpreadTwist);
HWY_EXPORT(TurnSegment);

void start_frames(Strings& s, StringBatch batch)
{
    HWY_DYNAMIC_DISPATCH(StartFrames)(s, batch);
}

void twist_centreline(Strings& s, StringBatch batch)
{
    HWY_DYNAMIC_DISPATCH(TwistCentreline)(s, batch);
}

void carry_frames(Strings& s, StringBatch batch)
{
    HWY_DYNAMIC_DISPATCH(CarryFrames)(s, batch);
}

void spread_twist(Strings& s, StringBatch batch, double spread)
{
    HWY_DYNAMIC_DISPATCH(SpreadTwist)(s, batch, spread);
}

void turn_segment(Strings& s, size_t segment, const Vec3d& across)
{
    s.clamped[segment] = 1;
    HWY_DYNAMIC_DISPATCH(TurnSegment)(s, segment, across);
}

}  // namespace tendril
#endif
