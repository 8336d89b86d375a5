// Hair against colliders, for one particle of one strand or of a group of strands side by side. [Mueller12] 3.1 with
// length and contact met together. Everything is seen from the projected parent.

#if defined(TENDRIL_SOLVERS_CONTACT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_CONTACT_INL_H_
#undef TENDRIL_SOLVERS_CONTACT_INL_H_
#else
#define TENDRIL_SOLVERS_CONTACT_INL_H_
#endif

#include "math/simd-inl.h"
#include "solvers/contact.h"
#include "solvers/frame-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

// Below this squared length a vector has no direction in floats [m^2].
inline constexpr float kNoNormal = 1e-30f;
// How steeply a strand leaves the skin on its way to its own layer: the sine of 30 degrees.
inline constexpr float kRise = 0.5f;
// From the second look on, what is less deep than this is outside [m]: rounding of places would otherwise keep it busy.
inline constexpr float kSlop = 1e-6f;
// Looks at all colliders near a particle: one and a check on a sphere, more where several meet.
inline constexpr int kMostLooks = 4;

template <class F>
struct Ball {
    Vec3<F> centre;
    F radius;
};

/// Of all balls that make up a tapered capsule, the one that comes nearest to a point. With h along the axis and r away
/// from it, the distance to the surface of the ball at h', sqrt((h - h')^2 + r^2) - radius - k h', is least where
/// h' = h + r k / sqrt(1 - k^2), or at an end.
template <class F>
HWY_INLINE Ball<F> nearest_ball(const ColliderSubstep& c, const Vec3<F>& point)
{
    const Vec3<F> a = splat<F>(c.a);
    if (c.per_length2 == 0) return {a, splat<F>(c.radius)};
    const Vec3<F> axis = splat<F>(c.axis), y = point - a;
    F t = dot(y, axis) * splat<F>(c.per_length2);
    if (c.slant != 0) {
        const Vec3<F> across = y - axis * t;
        t = t + splat<F>(c.slant) * sqrt(dot(across, across));
    }
    t = max(splat<F>(0.0f), min(splat<F>(1.0f), t));
    return {a + axis * t, splat<F>(c.radius) + splat<F>(c.growth) * t};
}

/// Any vector across a unit vector, not short.
template <class F>
HWY_INLINE Vec3<F> across_of(const Vec3<F>& unit)
{
    const F zero = splat<F>(0.0f);
    return select(unit.x * unit.x < splat<F>(0.5f), Vec3<F>{zero, unit.z, zero - unit.y},
                  Vec3<F>{zero - unit.z, zero, unit.x});
}

/// The point at distance l from the parent and at distance `radius` from a centre m that is nearest to q. Both spheres
/// meet in a circle across m, at height a over the parent towards m. Where they do not meet, as far out as l allows.
template <class F>
HWY_INLINE Vec3<F> meet_spheres(const Vec3<F>& q, const F& l, const Vec3<F>& m, const F& distance, const F& radius)
{
    const Vec3<F> unit = m * (splat<F>(1.0f) / distance);
    F a = (l * l + (distance - radius) * (distance + radius)) / (distance + distance);
    a = max(splat<F>(0.0f) - l, min(l, a));
    Vec3<F> side = q - unit * dot(q, unit);
    const auto aimed = dot(side, side) < l * l * splat<F>(1e-10f);  // straight at the centre
    side = select(aimed, across_of(unit) * l, side);
    side = side - unit * dot(side, unit);  // again: the first difference may have lost its digits
    const F side2 = max(dot(side, side), splat<F>(kNoNormal));
    return unit * a + side * (sqrt(max(splat<F>(0.0f), l * l - a * a) / side2));
}

/// What a particle touches, and how it must leave it.
template <class F>
struct Touch {
    Vec3<F> normal;   ///< zero where nothing is touched
    Vec3<F> surface;  ///< how far the surface moves there in the substep
};

/// What stays the same for all particles of a group of strands in a substep.
template <class F>
class Contacts {
public:
    /// `count` colliders of a substep, by index in `near`; `layer` of each strand.
    HWY_INLINE Contacts(const ContactInput& input, int substep, const uint16_t* near, size_t count, const F& layer)
        : colliders_(input.in(substep).data()),
          near_(near),
          count_(count),
          friction_(input.friction),
          margin_(input.margin),
          layer_(layer)
    {
    }

    /// Moves the predicted edge q of a particle so that at length l it is outside of everything. `parent` is the place
    /// of the projected parent, w where the particle was, seen from there. Returns what the particle must not keep as
    /// velocity: a push out of the depth is no motion.
    HWY_NOINLINE Vec3<F> keep_out(const Vec3<F>& parent, const Vec3<F>& w, const F& l, Vec3<F>& q) const
    {
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        uint16_t within[kMostColliders];
        const int candidates = within_reach(parent, l, within);
        Touch<F> touch{none, none};
        bool touched = false;
        for (int look = 0; look < kMostLooks; ++look) {
            const F slop = splat<F>(look == 0 ? 0.0f : kSlop);
            bool pushed = false;
            for (int i = 0; i < candidates; ++i)
                pushed |= push_out(colliders_[within[i]], parent, w, l, slop, q, touch);
            touched |= pushed;
            if (!pushed) break;
        }
        if (!touched) return none;
        const Vec3<F> moved = at_length(q, l) - w - touch.surface;
        return touch.normal * max(splat<F>(0.0f), dot(moved, touch.normal));
    }

private:
    static HWY_INLINE Vec3<F> at_length(const Vec3<F>& q, const F& l)
    {
        const F n2 = max(dot(q, q), splat<F>(kNoNormal));
        return q * ((l / n2) * sqrt(n2));
    }

    /// Colliders that some strand of the group could touch at this level, wherever its particle goes.
    HWY_INLINE int within_reach(const Vec3<F>& parent, const F& l, uint16_t* within) const
    {
        int candidates = 0;
        const F away = l + layer_ + splat<F>(margin_);
        for (size_t i = 0; i < count_; ++i) {
            const ColliderSubstep& c = colliders_[near_[i]];
            const Vec3<F> d = parent - splat<F>(c.middle);
            const F reach = splat<F>(c.reach) + away;
            if (any(dot(d, d) < reach * reach)) within[candidates++] = near_[i];
        }
        return candidates;
    }

    /// Where the particle, at its length, would be inside of c: puts it on the surface, nearest to its prediction, and
    /// lets friction hold it back. False if no strand of the group was inside.
    HWY_INLINE bool push_out(const ColliderSubstep& c, const Vec3<F>& parent, const Vec3<F>& w, const F& l,
                             const F& slop, Vec3<F>& q, Touch<F>& touch) const
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        const Vec3<F> f = at_length(q, l);
        const Ball<F> ball = nearest_ball(c, parent + f);
        const F least = ball.radius + splat<F>(margin_), most = least + layer_;
        Vec3<F> m = ball.centre - parent;
        const Vec3<F> off = f - m;
        const F off2 = dot(off, off);
        if (!any(off2 < most * most)) return false;

        F distance2 = dot(m, m);
        // A parent at the very centre: out is where the particle is.
        const auto lost = distance2 < splat<F>(kNoNormal);
        m = select(lost, f * splat<F>(-1e-6f), m);
        distance2 = max(dot(m, m), splat<F>(kNoNormal));
        const F distance = sqrt(distance2);
        // Its own layer is reached gently, the surface at once.
        const F radius = max(least, min(most, distance + splat<F>(kRise) * l));
        const F inner = max(zero, radius - slop);
        const auto inside = off2 < inner * inner;
        if (!any(inside)) return false;

        const Vec3<F> g = meet_spheres(q, l, m, distance, radius);
        const Vec3<F> out = g - m;
        const Vec3<F> n = out * (one / sqrt(max(dot(out, out), splat<F>(kNoNormal))));
        const Vec3<F> surface = rotate_by(c.turned, parent + g) + splat<F>(c.moved);
        q = select(inside, slowed(with_tension(q, g, n, l), n, w + surface), q);
        touch.normal = select(inside, n, touch.normal);
        touch.surface = select(inside, surface, touch.surface);
        return true;
    }

    struct Push {
        Vec3<F> q;  ///< the prediction without the contact's push: the new edge, longer by the tension
        F depth;    ///< of the push
    };

    /// Both constraints hold at g, so what moved q there is a push along the normal n and a pull along the edge: g - q
    /// = depth n - tension g/l. Only the pull may be taken back from the parent in Eq. 9.
    static HWY_INLINE Push with_tension(const Vec3<F>& q, const Vec3<F>& g, const Vec3<F>& n, const F& l)
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        const Vec3<F> along = g * (one / l), d = g - q;
        const F k = dot(n, along), dn = dot(d, n), df = dot(d, along);
        // Along the normal push and pull cannot be told apart.
        const F share = one / max(one - k * k, splat<F>(0.1f));
        const F depth = max(zero, (dn - k * df) * share);
        const F tension = (k * dn - df) * share;
        return {along * max(l + tension, l * splat<F>(0.1f)), depth};
    }

    /// Coulomb: friction takes up to `friction` times the push from the motion along the surface, all of it if that is
    /// enough. `still` is where the particle would be, seen from the parent, had it moved with the surface.
    HWY_INLINE Vec3<F> slowed(const Push& push, const Vec3<F>& n, const Vec3<F>& still) const
    {
        const Vec3<F> moved = push.q - still;
        const Vec3<F> slide = moved - n * dot(moved, n);
        const F speed = sqrt(max(dot(slide, slide), splat<F>(kNoNormal)));
        const F held = min(splat<F>(1.0f), splat<F>(friction_) * push.depth / speed);
        return push.q - slide * held;
    }

    const ColliderSubstep* colliders_;
    const uint16_t* near_;
    size_t count_;
    float friction_, margin_;
    F layer_;
};

/// The nearest and the farthest of all lanes.
template <class F>
HWY_INLINE void lane_range(const F& a, float& low, float& high)
{
    HWY_ALIGN float values[LaneTraits<F>::kBlocks * kLanes];
    LaneTraits<F>::store(a, values, kLanes);
    const auto [least, most] = std::minmax_element(values, values + LaneTraits<F>::kBlocks * kLanes);
    low = *least;
    high = *most;
}

/// Which colliders strands of length `reach` could touch from roots at `root`; how many.
template <class F>
HWY_INLINE size_t near_colliders(const ContactInput& input, int substep, const Vec3<F>& root, const F& reach,
                                 uint16_t* near)
{
    float low[3], high[3], unused;
    lane_range(root.x - reach, low[0], unused), lane_range(root.x + reach, unused, high[0]);
    lane_range(root.y - reach, low[1], unused), lane_range(root.y + reach, unused, high[1]);
    lane_range(root.z - reach, low[2], unused), lane_range(root.z + reach, unused, high[2]);
    size_t count = 0;
    const auto colliders = input.in(substep);
    for (size_t i = 0; i < colliders.size(); ++i) {
        const ColliderSubstep& c = colliders[i];
        const float middle[3] = {c.middle.x, c.middle.y, c.middle.z};
        float away2 = 0;
        for (int k = 0; k < 3; ++k) {
            const float d = std::max(0.0f, std::max(low[k] - middle[k], middle[k] - high[k]));
            away2 += d * d;
        }
        if (away2 <= c.reach * c.reach) near[count++] = static_cast<uint16_t>(i);
    }
    return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
