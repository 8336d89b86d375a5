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
inline constexpr float kSlop = 4e-6f;
// Looks at all colliders near a particle: one and a check on a sphere, more where several meet.
inline constexpr int kMostLooks = 4;
// Colliders near a strand are looked for so many segments ahead at once.
inline constexpr float kLevelsAhead = 3.5f;
// A prediction that a contact has pushed is not nearer to the parent than this, in units of the rest length.
inline constexpr float kShortest = 0.1f;

/// Seen from a parent: the ball of a tapered capsule that comes nearest to the point f, grown by `more`.
template <class F>
struct Ball {
    Vec3<F> centre;
    F radius;
};

/// With h along the axis and r away from it, the distance to the surface of the ball at h', sqrt((h - h')^2 + r^2) -
/// radius - k h', is least where h' = h + r k / sqrt(1 - k^2), or at an end. Instead of r we take what it is on the
/// surface, which is linear in h and needs no root: the error in h' goes with the depth, that of the distance with its
/// square, and both vanish on the surface.
template <class F>
HWY_INLINE Ball<F> nearest_ball(const ColliderSubstep& c, const Vec3<F>& parent, const Vec3<F>& f, const F& more)
{
    const Vec3<F> a = splat<F>(c.a) - parent;
    if (c.per_length2 == 0) return {a, splat<F>(c.radius) + more};
    const Vec3<F> axis = splat<F>(c.axis);
    const F along = dot(f - a, axis) * splat<F>(c.per_length2);
    F t = along * splat<F>(c.along) + splat<F>(c.slant) * (splat<F>(c.radius) + more);
    t = max(splat<F>(0.0f), min(splat<F>(1.0f), t));
    return {a + axis * t, splat<F>(c.radius) + splat<F>(c.growth) * t + more};
}

/// Any vector across a vector, not much shorter.
template <class F>
HWY_INLINE Vec3<F> across_of(const Vec3<F>& v)
{
    const F zero = splat<F>(0.0f);
    return select(v.x * v.x < v.y * v.y + v.z * v.z, Vec3<F>{zero, v.z, zero - v.y}, Vec3<F>{zero - v.z, zero, v.x});
}

/// Where the sphere of radius l around the parent meets the sphere of a ball: a circle across m, from the parent to the
/// centre. Where they do not meet, it is the point as far out as l allows.
template <class F>
class Circle {
public:
    HWY_INLINE Circle(const Vec3<F>& m, const F& distance2, const F& distance, const F& radius, const F& l)
        : m_(m), per_distance2_(splat<F>(1.0f) / distance2), l2_(l * l)
    {
        const F most = l * distance * per_distance2_;
        const F met = (l2_ + (distance - radius) * (distance + radius)) * (splat<F>(0.5f) * per_distance2_);
        height_ = max(splat<F>(0.0f) - most, min(most, met));
        side2_ = max(splat<F>(0.0f), l2_ - height_ * height_ * distance2);
        out2_ = max(l2_ + distance2 * (splat<F>(1.0f) - height_ - height_), splat<F>(kNoNormal));
    }

    /// Its point nearest to q.
    HWY_INLINE Vec3<F> nearest(const Vec3<F>& q) const
    {
        Vec3<F> side = q - m_ * (dot(q, m_) * per_distance2_);
        const auto aimed = dot(side, side) < l2_ * splat<F>(1e-10f);  // straight at the centre: any side will do
        side = select(aimed, across_of(m_), side);
        side = side - m_ * (dot(side, m_) * per_distance2_);  // again: the first difference may have lost its digits
        return m_ * height_ + side * sqrt(side2_ / max(dot(side, side), splat<F>(kNoNormal)));
    }

    /// Unit vector from the centre through a point of the circle.
    HWY_INLINE Vec3<F> normal(const Vec3<F>& point) const { return (point - m_) * (splat<F>(1.0f) / sqrt(out2_)); }

private:
    Vec3<F> m_;
    F per_distance2_, l2_;
    F height_;  // of its middle towards the centre, in units of m
    F side2_;   // its squared radius
    F out2_;    // squared distance of its points from the centre
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
          layer_(layer),
          away_(layer + splat<F>(input.margin)),
          way_(splat<F>(0.0f))
    {
    }

    /// Moves the predicted edge q of a particle so that at length l it is outside of everything. `parent` is the place
    /// of the projected parent, w where the particle was, seen from there; `scale` brings q to its length. Returns what
    /// the particle must not keep as velocity: a push out of the depth is no motion.
    HWY_NOINLINE Vec3<F> keep_out(const Vec3<F>& parent, const Vec3<F>& w, const F& l, Vec3<F>& q, F& scale)
    {
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        if (any(way_ < l)) find_candidates(parent, l * splat<F>(kLevelsAhead));
        way_ = way_ - l;
        if (candidates_ == 0) return none;
        const Particle at{parent, w, l, splat<F>(1.0f) / l};
        Touch touch;
        if (!land(at, q, scale, touch)) return none;
        for (int look = 1; look < kMostLooks; ++look)
            if (!leave(at, q, scale)) break;
        return outward(at, q * scale, touch);
    }

private:
    struct Particle {
        Vec3<F> parent, w;
        F l, per_l;
    };
    /// What a particle touches: a normal of zero where it touches nothing, and how far the surface moves.
    struct Touch {
        Vec3<F> normal, surface;
    };
    /// The ball that a particle is in deepest.
    struct Deepest {
        F score;  ///< about the depth [m]; 0: outside of all
        Ball<F> ball;
        Vec3<F> surface;  ///< how far it moves there in the substep
    };

    /// Takes another prediction where `inside` says so.
    template <class M>
    static HWY_INLINE void replace(const M& inside, const Vec3<F>& by, const F& l, Vec3<F>& q, F& scale)
    {
        q = select(inside, by, q);
        const F n2 = max(dot(q, q), splat<F>(kNoNormal));
        scale = select(inside, (l / n2) * sqrt(n2), scale);
    }

    /// Colliders that some strand of the group could touch from here to a point `way` along the strand, wherever it
    /// goes. The foot of the parent on an axis is not farther from it than from that of the particle plus the way, and
    /// the cone is not thicker there than `widest` and `spread` say.
    HWY_INLINE void find_candidates(const Vec3<F>& parent, const F& way)
    {
        way_ = way;
        candidates_ = 0;
        const F far = way * splat<F>(1.0001f);  // rounding of the sum of segments
        for (size_t i = 0; i < count_; ++i) {
            const ColliderSubstep& c = colliders_[near_[i]];
            const Vec3<F> axis = splat<F>(c.axis), y = parent - splat<F>(c.a);
            F t = dot(y, axis) * splat<F>(c.per_length2);
            t = max(splat<F>(0.0f), min(splat<F>(1.0f), t));
            const Vec3<F> off = y - axis * t;
            const F reach =
                (splat<F>(c.radius) + splat<F>(c.growth) * t + away_) * splat<F>(c.widest) + far * splat<F>(c.spread);
            if (any(dot(off, off) < reach * reach)) within_[candidates_++] = near_[i];
        }
    }

    enum class Ask { kPlace, kMotion };
    template <Ask kAsk>
    HWY_INLINE Deepest find_deepest(const Particle& at, const Vec3<F>& f) const
    {
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        Deepest deepest{none.x, {none, none.x}, none};
        for (int i = 0; i < candidates_; ++i) {
            const ColliderSubstep& c = colliders_[within_[i]];
            const Ball<F> ball = nearest_ball(c, at.parent, f, away_);
            const Vec3<F> off = f - ball.centre;
            // Near the surface (R^2 - d^2) / 2R is the depth R - d, without a root.
            const F score = (ball.radius * ball.radius - dot(off, off)) * splat<F>(c.per_width);
            const auto deeper = deepest.score < score;
            if (!any(deeper)) continue;
            deepest.score = max(deepest.score, score);
            deepest.ball.centre = select(deeper, ball.centre, deepest.ball.centre);
            deepest.ball.radius = select(deeper, ball.radius, deepest.ball.radius);
            if constexpr (kAsk == Ask::kPlace) continue;
            const Vec3<F> surface = rotate_by(c.turned, at.parent + f) + splat<F>(c.moved);
            deepest.surface = select(deeper, surface, deepest.surface);
        }
        return deepest;
    }

    /// A ball that must be left, made ready.
    struct Obstacle {
        Vec3<F> m;  ///< its centre
        F distance2, distance, radius;
    };
    HWY_INLINE Obstacle obstacle(const Particle& at, const Vec3<F>& f, const Ball<F>& ball) const
    {
        // A parent at the very centre: out is where the particle is.
        const auto lost = dot(ball.centre, ball.centre) < splat<F>(kNoNormal);
        const Vec3<F> m = select(lost, f * splat<F>(-1e-6f), ball.centre);
        const F distance2 = max(dot(m, m), splat<F>(kNoNormal)), distance = sqrt(distance2);
        // Its own layer is reached gently, the surface at once.
        const F gentle = distance + splat<F>(kRise) * at.l;
        return {m, distance2, distance, max(ball.radius - layer_, min(ball.radius, gentle))};
    }

    /// The first look: puts the particle onto the surface, nearest to its prediction, and lets friction hold it back.
    /// False if no strand of the group was inside.
    HWY_INLINE bool land(const Particle& at, Vec3<F>& q, F& scale, Touch& touch) const
    {
        const F zero = splat<F>(0.0f);
        const Vec3<F> f = q * scale;
        const Deepest deepest = find_deepest<Ask::kMotion>(at, f);
        if (!any(zero < deepest.score)) return false;
        const Obstacle o = obstacle(at, f, deepest.ball);
        const Vec3<F> off = f - deepest.ball.centre;
        const auto inside = dot(off, off) < select(zero < deepest.score, o.radius * o.radius, zero);
        if (!any(inside)) return false;

        const Circle<F> circle(o.m, o.distance2, o.distance, o.radius, at.l);
        const Vec3<F> g = circle.nearest(q), n = circle.normal(g);
        const Vec3<F> slower = slowed(without_push(q, g, n, at), n, at.w + deepest.surface);
        replace(inside, with_pull(circle.nearest(slower), slower, at), at.l, q, scale);
        touch.normal = select(inside, n, splat<F>(0.0f, 0.0f, 0.0f));
        touch.surface = deepest.surface;
        return true;
    }

    /// A later look: what was pushed out of one ball may have got into another, or farther along a cone.
    HWY_INLINE bool leave(const Particle& at, Vec3<F>& q, F& scale) const
    {
        const F zero = splat<F>(0.0f);
        const Vec3<F> f = q * scale;
        const Deepest deepest = find_deepest<Ask::kPlace>(at, f);
        if (!any(splat<F>(kSlop) < deepest.score)) return false;
        const Obstacle o = obstacle(at, f, deepest.ball);
        const Vec3<F> off = f - deepest.ball.centre;
        const F inner = max(zero, o.radius - splat<F>(kSlop));
        const auto inside = dot(off, off) < select(zero < deepest.score, inner * inner, zero);
        if (!any(inside)) return false;
        const Circle<F> circle(o.m, o.distance2, o.distance, o.radius, at.l);
        replace(inside, with_pull(circle.nearest(q), q, at), at.l, q, scale);
        return true;
    }

    /// Only the pull along the edge g is left of the prediction q: Eq. 9 takes it back from the parent.
    static HWY_INLINE Vec3<F> with_pull(const Vec3<F>& g, const Vec3<F>& q, const Particle& at)
    {
        return g * max(dot(q, g) * at.per_l * at.per_l, splat<F>(kShortest));
    }

    /// How far the particle has moved out of the surface, about its parent as its length wants it: along the normal
    /// made perpendicular to the edge f.
    static HWY_INLINE Vec3<F> outward(const Particle& at, const Vec3<F>& f, const Touch& touch)
    {
        const Vec3<F> along = f * at.per_l, moved = f - at.w - touch.surface;
        const F k = dot(touch.normal, along), out = max(splat<F>(0.0f), dot(moved, touch.normal));
        return (touch.normal - along * k) * (out / max(splat<F>(1.0f) - k * k, splat<F>(0.1f)));
    }

    struct Push {
        Vec3<F> q;  ///< the prediction without the contact's push: the edge, longer by the tension
        F depth;    ///< of the push
    };

    /// Both constraints hold at g, so what moved q there is a push along the normal n and a pull along the edge: g - q
    /// = depth n - tension g/l.
    static HWY_INLINE Push without_push(const Vec3<F>& q, const Vec3<F>& g, const Vec3<F>& n, const Particle& at)
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        const Vec3<F> along = g * at.per_l, d = g - q;
        const F k = dot(n, along), dn = dot(d, n), df = dot(d, along);
        // Along the normal push and pull cannot be told apart.
        const F share = one / max(one - k * k, splat<F>(0.1f));
        const F depth = max(zero, (dn - k * df) * share);
        const F tension = (k * dn - df) * share;
        return {along * max(at.l + tension, at.l * splat<F>(kShortest)), depth};
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
    float friction_;
    F layer_, away_;
    F way_;  // along the strand for which the candidates were looked for
    int candidates_ = 0;
    uint16_t within_[kMostColliders];
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
