// Follow-the-leader on one strand, or on a group of strands side by side: the projection, the bend limit, the backward
// pass. [Mueller12] M. Mueller, T.J. Kim, N. Chentanez: Fast Simulation of Inextensible Hair and Fur, VRIPHYS 2012.
//
// Everything is written for edges and for displacements over the substep instead of positions. With u the displacement
// of a parent and a the predicted displacement of its child, the predicted edge seen from the projected parent is q = e
// + a - u, and the new edge is q scaled to the rest length: no position is ever formed, none can lose its digits.

#if defined(TENDRIL_SOLVERS_LEADER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_LEADER_INL_H_
#undef TENDRIL_SOLVERS_LEADER_INL_H_
#else
#define TENDRIL_SOLVERS_LEADER_INL_H_
#endif

#include "solvers/air-inl.h"
#include "solvers/contact-inl.h"
#include "solvers/rest_shape-inl.h"
#include "strands/block-inl.h"

#include <array>
#include <type_traits>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// The part of a particle's correction f - q that is tension, which is what Eq. 9 may take back: nothing where the
/// prediction q was nearer to the parent than the rest length.
template <class F>
HWY_INLINE Vec3<F> tension_part(const Vec3<F>& q, const F& l)
{
    const F scale = scale_to_length(l, max(dot(q, q), splat<F>(kNoDirection)));
    return q * min(scale - splat<F>(1.0f), splat<F>(0.0f));
}

/// [Mueller12] Eq. 11 and the length together: the edge, which already has its length l, is turned towards the
/// direction of the edge before it (of length l0) until the two ends are at least `limit` (l0 + l) apart. Both are on
/// spheres, so the nearest point that meets both lies on the cone with the least cosine, in the plane of the two edges.
template <class F>
HWY_INLINE Vec3<F> limit_bend(const Vec3<F>& edge, const Vec3<F>& parent, const F& l, const F& l0, float limit)
{
    const F one = splat<F>(1.0f), zero = splat<F>(0.0f);
    const F reach = splat<F>(limit) * (l0 + l);
    F least_cos = (reach * reach - l0 * l0 - l * l) / (splat<F>(2.0f) * l0 * l);
    least_cos = max(splat<F>(-1.0f), min(one, least_cos));
    const Vec3<F> axis = parent * (one / l0);
    const F along = dot(edge, axis);
    const auto bent = along < least_cos * l;
    if (!any(bent)) return edge;

    Vec3<F> side = edge - axis * along;
    F side2 = dot(side, side);
    // Folded back exactly: any direction across will do.
    const auto folded = side2 < l * l * splat<F>(1e-12f);
    const Vec3<F> across = select(axis.x * axis.x < splat<F>(0.5f), Vec3<F>{zero, axis.z, zero - axis.y},
                                  Vec3<F>{zero - axis.z, zero, axis.x});
    side = select(folded, across, side);
    side = side -
           axis * dot(side, axis);  // again: the first difference may have lost the digits that make it perpendicular
    side2 = dot(side, side);
    const F across_length = l * sqrt(max(zero, one - least_cos * least_cos));
    const Vec3<F> turned = axis * (least_cos * l) + side * scale_to_length(across_length, side2);
    return select(bent, turned, edge);
}

/// Eq. 11 in the order of the paper: move along the line to the grandparent before the length is restored.
template <class F>
HWY_INLINE Vec3<F> limit_bend_first(const Vec3<F>& q, const Vec3<F>& parent, const F& l, const F& l0, float limit)
{
    const Vec3<F> chord = parent + q;
    const F n2 = dot(chord, chord);
    const F reach = splat<F>(limit) * (l0 + l);
    const auto bent = n2 < reach * reach;
    const Vec3<F> moved = chord * scale_to_length(reach, max(n2, splat<F>(kNoDirection))) - parent;
    return select(bent, moved, q);
}

/// [Mueller12] 3.4 as it works: from the tip to the root, a parent is drawn towards its child where their predicted
/// distance exceeds the rest length. The forward pass sees the moved predictions; the drawing is not a correction in
/// Eq. 9. The stored velocity of a parent already has the weight of its child from Eq. 9 and is not yet given its own:
/// compared without its own fall, a strand that hangs at rest is exactly at its lengths, and every wave on it is seen.
template <class F>
HWY_INLINE void draw_towards_tip(BlockCursor<F>& strand, const Vec3<F>& fall)
{
    for (int i = strand.levels() - 1; i >= 2; --i) {
        const Vec3<F> parent = strand.drift(i - 1);
        const Vec3<F> q = strand.edge(i) + (strand.drift(i) + fall) - parent;
        const F l = strand.rest_length(i), n2 = dot(q, q), zero = splat<F>(0.0f);
        const F excess = splat<F>(1.0f) - scale_to_length(l, max(n2, splat<F>(kNoDirection)));
        strand.set_drift(i - 1, parent + q * max(zero, excess));
    }
}

enum class Bend { kNone, kTogether, kPaper };

/// What one substep of hair needs besides the strand.
struct LeaderSubstep {
    const AirSubstep* air;
    float correction;  ///< s of Eq. 9 for the substep
    float bend_limit;
    Bend bend;
    bool dynamic;
};

/// What a Leader needs not ask at every level.
enum class Hair {
    kPlain,   ///< neither a shape nor a bend limit nor drag, and dynamic
    kStyled,  ///< the same, but with a shape that is blended alike for all strands
    kAny
};

/// In place of Contacts where there is nothing to touch.
struct Nothing {};

/// Dynamic follow-the-leader from a root that moves by `u`, [Mueller12] Eq. 1-4 with Eq. 9: predict, put the particle
/// at its rest length from the projected parent, take the child's correction back from the parent's velocity. It goes
/// along the strand level by level and remembers what a level must know of those before it.
template <class F, Hair kHair, class Bodies = Nothing>
class Leader {
public:
    using Shape = std::conditional_t<kHair == Hair::kPlain, Nothing, ShapePull<F, kHair == Hair::kStyled>>;

    /// `root` is the root's place from the strands' origin at the start of the substep, needed for wind and contact.
    HWY_INLINE Leader(const LeaderSubstep& step, const Vec3<F>& u, const Vec3<F>& root, const Shape& shape = {},
                      const Bodies& bodies = {})
        : step_(step),
          u_(u),
          place_(root + u),
          parent_(splat<F>(0.0f, -1.0f, 0.0f)),
          l0_(splat<F>(1.0f)),
          shape_(shape),
          bodies_(bodies)
    {
        if constexpr (kContact) kick_ = splat<F>(0.0f, 0.0f, 0.0f);
    }

    /// Seen from the projected parent: where the particle was, w, and where it would go, q; and what scales q to the
    /// rest length l.
    struct Prediction {
        Vec3<F> w, q;
        F l, scale;
    };

    /// Level i, from 1 to the tip, in two halves: `predict`, then `project`. A Strand is a BlockCursor, or what walks
    /// another layout.
    template <class Strand>
    HWY_INLINE Prediction predict(const Strand& strand, int i)
    {
        Prediction p;
        const Vec3<F> e = strand.edge(i);
        p.l = strand.rest_length(i);
        p.w = e - u_;
        p.q = dynamic() ? (strand.drift(i) + splat<F>(step_.air->fall)) + p.w : p.w;
        if constexpr (kAny) free_ = p.q;
        if constexpr (!kPlain)
            if (shape_.on()) shape_.draw(i, e, p.w, p.l, p.q);
        if (bends(Bend::kPaper) && i > 1) p.q = limit_bend_first(p.q, parent_, p.l, l0_, step_.bend_limit);
        F n2 = dot(p.q, p.q);
        const auto lost = n2 < splat<F>(kNoDirection);
        if (HWY_UNLIKELY(any(lost))) {  // the prediction fell onto the parent: keep the old direction
            p.q = select(lost, e, p.q);
            n2 = dot(p.q, p.q);
        }
        p.scale = scale_to_length(p.l, n2);
        return p;
    }

    template <class Strand>
    HWY_INLINE void project(Strand& strand, int i, const Prediction& predicted)
    {
        std::conditional_t<kContact, Prediction, const Prediction&> p = predicted;
        Vec3<F> f = p.q * p.scale;
        if (bends(Bend::kTogether) && i > 1) f = limit_bend(f, parent_, p.l, l0_, step_.bend_limit);
        [[maybe_unused]] Vec3<F> kick;
        if constexpr (kContact) {
            // The contact has the last word: nothing bends hair into a body.
            if (bends(Bend::kTogether)) p.q = f * (splat<F>(1.0f) / p.scale);
            kick = bodies_.keep_out({place_, p.w, p.l, bodies_.thickness(i)}, p.q, p.scale);
            f = p.q * p.scale;
        }
        if constexpr (!kPlain)
            if (shape_.on()) {
                shape_.pass(f);
                f = shape_.without_tremble(f, strand.edge(i));
            }

        // s times the part of d_i that is tension: q (scale - 1) where scale < 1. A push outwards is not taken back, or
        // a crumpled tail would go on kicking itself for ever, and neither is the turn of the bend limit.
        const F s = splat<F>(step_.correction);
        Vec3<F> taken_back = p.q * min(s * p.scale - s, splat<F>(0.0f));
        if constexpr (kAny)
            if (shape_.on() && shape_.paper()) taken_back = (f - free_) * s;  // [Sanchez15] Eq. 14
        set_drift(strand, i - 1, motion() - taken_back);                      // Eq. 9
        u_ = f - p.w;
        strand.set_edge(i, f);
        if constexpr (kContact) kick_ = kick;
        if constexpr (kAny) {
            if (kContact || step_.air->resists()) place_ += f;
            parent_ = f;
            l0_ = p.l;
        }
    }

    /// The tip has no child whose correction it would take back.
    template <class Strand>
    HWY_INLINE void finish(Strand& strand, int tip)
    {
        set_drift(strand, tip, motion());
    }

private:
    static constexpr bool kPlain = kHair == Hair::kPlain, kAny = kHair == Hair::kAny;
    static constexpr bool kContact = !std::is_same_v<Bodies, Nothing>;

    HWY_INLINE bool dynamic() const { return !kAny || step_.dynamic; }
    HWY_INLINE bool bends(Bend bend) const { return kAny && step_.bend == bend; }

    /// What the particle that was reached last goes on with.
    HWY_INLINE Vec3<F> motion() const
    {
        if constexpr (!kPlain)
            if (shape_.on()) return shape_.kept(u_);
        return u_;
    }
    template <class Strand>
    HWY_INLINE void set_drift(Strand& strand, int level, Vec3<F> drift) const
    {
        if constexpr (kContact) drift = drift - kick_;
        if (kAny && step_.air->resists()) drift += drag(*step_.air, u_, parent_ * (splat<F>(1.0f) / l0_), place_);
        strand.set_drift(level, dynamic() ? drift : splat<F>(0.0f, 0.0f, 0.0f));
    }

    LeaderSubstep step_;
    Vec3<F> u_;       // displacement of the particle that was reached last
    Vec3<F> place_;   // where it is
    Vec3<F> parent_;  // the edge that leads to it
    F l0_;            // and its length
    [[no_unique_address]] Shape shape_;
    [[no_unique_address]] std::conditional_t<kAny, Vec3<F>, Nothing> free_;  // prediction without a shape
    [[no_unique_address]] Bodies bodies_;
    [[no_unique_address]] std::conditional_t<kContact, Vec3<F>, Nothing> kick_;  // what it must not keep as velocity
};

/// What is due before the first substep of a step comes to a level.
struct Arrival {
    bool prefetch;       ///< the strand comes from memory
    bool keep_previous;  ///< store the edges of the start of the step

    template <class F>
    HWY_INLINE void at(BlockCursor<F>& strand, int i) const
    {
        if (prefetch) strand.prefetch(i);
        if (keep_previous) strand.keep_edge(i, strand.edge(i));
    }
};

/// One substep.
template <class F, class Leader>
HWY_INLINE void follow(BlockCursor<F>& strand, Leader leader, const Arrival& arrival)
{
    for (int i = 1; i < strand.levels(); ++i) {
        arrival.at(strand, i);
        leader.project(strand, i, leader.predict(strand, i));
    }
    leader.finish(strand, strand.levels() - 1);
}

/// One substep of one group of strands, under way from the root to the tip.
template <class F, class LeaderType>
class Journey {
public:
    using Prediction = typename LeaderType::Prediction;

    HWY_INLINE Journey(const BlockCursor<F>& strand, const LeaderType& leader)
        : strand_(strand), leader_(leader), left_(strand.levels())
    {
        advance();
    }

    HWY_INLINE Prediction predict() { return leader_.predict(strand_, 0); }
    HWY_INLINE void project(const Prediction& p)
    {
        leader_.project(strand_, 0, p);
        advance();
    }
    /// Levels to go.
    HWY_INLINE int left() const { return left_; }
    HWY_INLINE void finish() { leader_.finish(strand_, -1); }

private:
    HWY_INLINE void advance()
    {
        strand_.advance();
        --left_;
    }

    BlockCursor<F> strand_;  // its level 0 is the one to be reached next
    LeaderType leader_;
    int left_;
};

/// A journey that has gone on alone by so many levels. By value, so that a convoy may stay in registers.
template <class J>
HWY_NOINLINE J gone(int levels, J journey)
{
    for (; levels > 0; --levels) journey.project(journey.predict());
    if (journey.left() == 0) journey.finish();
    return journey;
}

/// A journey that is at its end makes room for the next one; false if there is none.
template <class J, class Next>
HWY_INLINE bool goes_on(J& journey, size_t& waiting, const Next& next)
{
    if (HWY_LIKELY(journey.left() > 0)) return true;
    if (waiting == 0) return false;
    --waiting;
    journey.finish();
    journey = next();
    return true;
}

/// `count` journeys in the order in which `next` gives them: all substeps of a block, then those of the next block.
/// Some go at once, each two levels behind the one before it, where that has left its final numbers; one that arrives
/// is followed by a new one behind the last. The operations are those of one after another, and so are the bits; but
/// the recurrences overlap, and none waits alone for its root and quotient.
template <class Next, int... n>
HWY_INLINE void follow_in_convoy(size_t count, int levels, const Next& next, std::integer_sequence<int, n...>)
{
    constexpr int kLag = 2, kCount = sizeof...(n);
    using J = decltype(next());
    if (count < kCount || levels <= kLag * kCount) {
        for (; count > 0; --count) gone(levels - 1, next());
        return;
    }
    std::array<J, kCount> convoy{gone(kLag * (kCount - 1 - n), next())...};
    size_t waiting = count - kCount;
    int first = -1;  // of those at the end
    while (first < 0) {
        const std::array<typename J::Prediction, kCount> p{convoy[n].predict()...};
        (convoy[n].project(p[n]), ...);
        ((first = goes_on(convoy[n], waiting, next) ? first : n), ...);
    }
    auto finish_from = [&](auto m) HWY_ATTR { (gone(convoy[(m + n) % kCount].left(), convoy[(m + n) % kCount]), ...); };
    ((first == n ? finish_from(std::integral_constant<int, n>()) : void()), ...);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
