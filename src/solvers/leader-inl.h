// Follow-the-leader on one strand, or on a group of strands in SIMD lanes: projection, bend limit and backward pass.
// [Mueller12] M. Mueller, T.J. Kim, N. Chentanez: Fast Simulation of Inextensible Hair and Fur, VRIPHYS 2012.
//
// The code uses edges, and displacements over the substep, instead of positions. With u the displacement of a parent
// and a the predicted displacement of its child, the predicted edge relative to the projected parent is q = e + a - u,
// and the new edge is q scaled to the rest length. The method forms no positions, so none can lose precision.

#if defined(TENDRIL_SOLVERS_LEADER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_LEADER_INL_H_
#undef TENDRIL_SOLVERS_LEADER_INL_H_
#else
#define TENDRIL_SOLVERS_LEADER_INL_H_
#endif

#include "solvers/air-inl.h"
#include "solvers/contact/contact-inl.h"
#include "solvers/rest_shape-inl.h"
#include "strands/block-inl.h"

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// The part of a particle's correction f - q that is tension, which Eq. 9 may take back. It is zero where the
/// prediction q is closer to the parent than the rest length.
template <class F>
HWY_INLINE Vec3<F> tension_part(const Vec3<F>& q, const F& l)
{
    const F scale = scale_to_length(l, max(dot(q, q), splat<F>(kNoDirection)));
    return q * min(scale - splat<F>(1.0f), splat<F>(0.0f));
}

/// [Mueller12] Eq. 11 and the length together: turns the edge, which already has its length l, towards the direction of
/// the preceding edge (of length l0) until particle and grandparent are at least `limit` (l0 + l) apart. Both
/// constraints are spheres, so the nearest point that satisfies both lies on the cone with the smallest allowed cosine,
/// in the plane of the two edges.
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
    // Folded back exactly: any perpendicular direction is as good.
    const auto folded = side2 < l * l * splat<F>(1e-12f);
    const Vec3<F> across = select(axis.x * axis.x < splat<F>(0.5f), Vec3<F>{zero, axis.z, zero - axis.y},
                                  Vec3<F>{zero - axis.z, zero, axis.x});
    side = select(folded, across, side);
    side = side - axis * dot(side, axis);  // repeated, because cancellation may have left it not quite perpendicular
    side2 = dot(side, side);
    const F across_length = l * sqrt(max(zero, one - least_cos * least_cos));
    const Vec3<F> turned = axis * (least_cos * l) + side * scale_to_length(across_length, side2);
    return select(bent, turned, edge);
}

/// Eq. 11 in the order of the paper: moves the particle along the line to its grandparent before the length is
/// restored.
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

/// The backward pass, [Mueller12] 3.4 with one change: from the tip to the root, pulls a parent towards its child where
/// their predicted distance exceeds the rest length. The forward pass uses the changed predictions; the pull is not a
/// correction in Eq. 9. The change: gravity is added to the child but not to the parent, whose stored velocity already
/// includes the weight of its child (Eq. 9). A strand that hangs at rest is then exactly taut, and every wave on it is
/// detected.
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

/// The input of one substep of hair besides the strand.
struct LeaderSubstep {
    const AirSubstep* air;
    float correction;  ///< s of Eq. 9 for the substep
    float bend_limit;
    Bend bend;
    bool dynamic;
};

/// The features of hair, known at compile time so that a Leader need not test for them at every level.
enum class Hair {
    kPlain,   ///< dynamic, without shape, bend limit or drag
    kStyled,  ///< the same with a shape whose blends are equal for all strands
    kAny
};

/// Replaces Contacts where there are no colliders, and other members that a Leader does not need.
struct None {};

/// Dynamic follow-the-leader from a root that moves by `u`, [Mueller12] Eq. 1-4 with Eq. 9: predicts a particle, puts
/// it at its rest length from the projected parent, and takes its correction back from the velocity of the parent.
/// Visits the strand level by level and stores what the next level needs.
template <class F, Hair kHair, class Bodies = None>
class Leader {
public:
    using Shape = std::conditional_t<kHair == Hair::kPlain, None, ShapePull<F, kHair == Hair::kStyled>>;

    /// `root` is the position of the root at the start of the substep, relative to the origin of the strands. Wind and
    /// contact need it.
    HWY_INLINE Leader(const LeaderSubstep& step, const Vec3<F>& u, const Vec3<F>& root, const Shape& shape = {},
                      const Bodies& bodies = {})
        : step_(step),
          u_(u),
          position_(root + u),
          parent_(splat<F>(0.0f, -1.0f, 0.0f)),
          l0_(splat<F>(1.0f)),
          shape_(shape),
          bodies_(bodies)
    {
        if constexpr (kContact) kick_ = splat<F>(0.0f, 0.0f, 0.0f);
    }

    /// The old position w and the prediction q of a particle, relative to its projected parent, and the factor that
    /// scales q to the rest length l.
    struct Prediction {
        Vec3<F> w, q;
        F l, scale;
    };

    /// Level i, from 1 to the tip, is processed in two halves: `predict`, then `project`. Strand is a BlockCursor, or a
    /// cursor over another layout.
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
        if (HWY_UNLIKELY(any(lost))) {  // the prediction coincides with the parent: keep the old direction
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
        [[maybe_unused]] const Vec3<F> constrained = f;
        [[maybe_unused]] Vec3<F> kick;
        if constexpr (kContact) {
            // Contact comes last, so that no other constraint bends hair into a collider.
            if (bends(Bend::kTogether)) p.q = f * (splat<F>(1.0f) / p.scale);
            kick = bodies_.keep_out({position_, p.w, p.l, bodies_.thickness(i)}, p.q, p.scale);
            f = p.q * p.scale;
        }
        if constexpr (!kPlain)
            if (shape_.on()) {
                shape_.pass(f);
                f = shape_.without_jitter(f, strand.edge(i));
            }

        // s times the part of d_i that is tension: q (scale - 1) where scale < 1. A push outwards is not taken back,
        // because a crumpled tail would then kick itself forever, and neither is the rotation by the bend limit.
        const F s = splat<F>(step_.correction);
        Vec3<F> taken_back = p.q * min(s * p.scale - s, splat<F>(0.0f));
        if constexpr (kAny)
            if (shape_.on() && shape_.paper()) {
                // [Sanchez15] Eq. 14: all three projections of the child, but not its contact, which comes after them;
                // and the displacement with the push of its own contact.
                taken_back = (constrained - free_) * s;
                if constexpr (kContact) kick = splat<F>(0.0f, 0.0f, 0.0f);
            }
        set_drift(strand, i - 1, motion() - taken_back);  // Eq. 9
        u_ = f - p.w;
        strand.set_edge(i, f);
        if constexpr (kContact) kick_ = kick;
        if constexpr (kAny) {
            if (kContact || step_.air->resists()) position_ += f;
            parent_ = f;
            l0_ = p.l;
        }
    }

    /// Sets the velocity of the tip, which has no child whose correction it would take back.
    template <class Strand>
    HWY_INLINE void finish(Strand& strand, int tip)
    {
        set_drift(strand, tip, motion());
    }

private:
    static constexpr bool kPlain = kHair == Hair::kPlain, kAny = kHair == Hair::kAny;
    static constexpr bool kContact = !std::is_same_v<Bodies, None>;

    HWY_INLINE bool dynamic() const { return !kAny || step_.dynamic; }
    HWY_INLINE bool bends(Bend bend) const { return kAny && step_.bend == bend; }

    /// The velocity of the last particle before its child's correction, as a displacement.
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
        if (kAny && step_.air->resists()) drift += drag(*step_.air, u_, parent_ * (splat<F>(1.0f) / l0_), position_);
        strand.set_drift(level, dynamic() ? drift : splat<F>(0.0f, 0.0f, 0.0f));
    }

    LeaderSubstep step_;
    Vec3<F> u_;         // displacement of the last particle
    Vec3<F> position_;  // its position, if wind or contact needs it
    Vec3<F> parent_;    // the edge that leads to it
    F l0_;              // length of that edge
    [[no_unique_address]] Shape shape_;
    [[no_unique_address]] std::conditional_t<kAny, Vec3<F>, None> free_;  // prediction without a shape
    [[no_unique_address]] Bodies bodies_;
    [[no_unique_address]] std::conditional_t<kContact, Vec3<F>, None> kick_;  // part of u_ that is no velocity
};

/// Work at each level that only the first substep of a step does.
struct FirstSubstepWork {
    bool prefetch;       ///< whether to prefetch the strand from memory
    bool keep_previous;  ///< whether to store the edges at the start of the step

    template <class F>
    HWY_INLINE void at(BlockCursor<F>& strand, int i) const
    {
        if (prefetch) strand.prefetch(i);
        if (keep_previous) strand.store_previous_edge(i, strand.edge(i));
    }
};

/// Runs one substep.
template <class F, class Leader>
HWY_INLINE void follow(BlockCursor<F>& strand, Leader leader, const FirstSubstepWork& first_work)
{
    for (int i = 1; i < strand.levels(); ++i) {
        first_work.at(strand, i);
        leader.project(strand, i, leader.predict(strand, i));
    }
    leader.finish(strand, strand.levels() - 1);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
