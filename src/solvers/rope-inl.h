// Follow-the-leader for ropes that are not simply held at their root: free, held at both ends, or held at any
// particles. [Mueller12] Fig. 2, extended so that lengths are exact.
//
// Between two holds the rope is projected from the left and from the right, and the two results are blended. Blending
// does not preserve lengths. It remains to find edges f_i of length l_i, nearest to the blended edges m_i, that still
// add up to the vector S from hold to hold. With one multiplier for the sum they are f_i = l_i (m_i + w)/|m_i + w|:
// three unknowns for any number of edges. w minimises the convex function sum l_i |m_i + w| - S w, so Newton's method
// finds it. Nothing depends on the order of the edges: a symmetric rope stays symmetric.

#if defined(TENDRIL_SOLVERS_ROPE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_ROPE_INL_H_
#undef TENDRIL_SOLVERS_ROPE_INL_H_
#else
#define TENDRIL_SOLVERS_ROPE_INL_H_
#endif

#include "solvers/contact/contact-inl.h"
#include "solvers/leader-inl.h"
#include "tendril/settings.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Vectors per particle that a rope stores in memory of the thread during a substep. At the end of the substep
/// kFromRight is the displacement of every particle.
enum RopeVector { kFromLeft, kFromRight, kTakenBackLeft, kTakenBackRight, kRopeVectors };

template <class F>
class RopeScratch {
public:
    HWY_INLINE explicit RopeScratch(int levels)
        : rows_(kernel_workspace(static_cast<size_t>(levels) * kRopeVectors * 3 * kLanes))
    {
    }
    HWY_INLINE Vec3<F> get(int level, RopeVector v) const { return load_rows<F>(at(level, v), 0); }
    HWY_INLINE void set(int level, RopeVector v, const Vec3<F>& x) { store_rows(x, at(level, v), 0); }

private:
    HWY_INLINE float* at(int level, RopeVector v) const
    {
        return rows_ + static_cast<size_t>(level * kRopeVectors + v) * 3 * kLanes;
    }
    float* rows_;
};

struct RopeSubstep {
    const AirSubstep* air;
    float correction;
    float bend_limit;
    EndBlend blend;
};

/// A hold in one substep: the target of particle `level`, relative to the root at the start of the substep.
template <class F>
struct HoldAt {
    int level;
    Vec3<F> target;
};

/// `Bodies` is Contacts, or None without colliders.
template <class F, class Bodies = None>
class Rope {
public:
    HWY_INLINE Rope(BlockCursor<F>& strand, const RopeSubstep& step, const Bodies& bodies = {})
        : strand_(strand), scratch_(strand.levels()), step_(step), bodies_(bodies), gap_(splat<F>(0.0f))
    {
    }

    /// Solves one substep and returns the displacement of the root. `holds` are sorted by level and include a held
    /// root. `root` is the position of the root at the start of the substep, relative to the origin of the strands at
    /// its end.
    HWY_INLINE Vec3<F> solve(const HoldAt<F>* holds, int count, const Vec3<F>& root)
    {
        root_ = root;
        const Vec3<F> moved = count > 0 ? solve_held(holds, count) : solve_loose();
        if (step_.air->resists()) apply_drag(root + moved);
        return moved;
    }

    /// Largest distance to a hold that is out of reach in this substep.
    HWY_INLINE F gap() const { return gap_; }

private:
    HWY_NOINLINE Vec3<F> solve_held(const HoldAt<F>* holds, int count)
    {
        const int first = holds[0].level, last = holds[count - 1].level, tip = strand_.levels() - 1;

        Vec3<F> u = holds[0].target - position_of(first);  // displacement of the hold
        Vec3<F> root = u;
        if (first > 0) root = pull<-1>(first, u, position_of(first)).moved;
        move_held(first, u);
        for (int k = 1; k < count; ++k) {
            const int from = holds[k - 1].level, to = holds[k].level;
            const Vec3<F> start = root_ + position_of(from) + u;
            const Vec3<F> wanted = holds[k].target - position_of(to);
            u = span_between(from, to, u, wanted, start);
            move_held(to, u);
        }
        if (last < tip) pull<1>(last, u, position_of(last));
        return root;
    }

    HWY_NOINLINE void apply_drag(Vec3<F> position)
    {
        for (int i = 0; i < strand_.levels(); ++i) {
            const int segment = i > 0 ? i : 1;
            const Vec3<F> edge = strand_.edge(segment);
            if (i > 0) position += edge;
            const Vec3<F> unit = edge * (splat<F>(1.0f) / strand_.rest_length(segment));
            strand_.set_drift(i, strand_.drift(i) + drag(*step_.air, scratch_.get(i, kFromRight), unit, position));
        }
    }

    HWY_INLINE void set_motion(int level, const Vec3<F>& drift, const Vec3<F>& u)
    {
        strand_.set_drift(level, drift);
        scratch_.set(level, kFromRight, u);
    }

    HWY_INLINE Vec3<F> predicted_step(int i) const { return strand_.drift(i) + splat<F>(step_.air->fall); }

    /// Position of a particle relative to the root, before the substep. Edges beyond the last level asked for must
    /// still be old, and levels must not decrease from call to call.
    HWY_INLINE Vec3<F> position_of(int level)
    {
        for (; known_level_ < level; ++known_level_) known_position_ += strand_.edge(known_level_ + 1);
        return known_position_;
    }

    /// Moves a held particle with its hold; its velocity is its displacement.
    HWY_INLINE void move_held(int level, const Vec3<F>& u) { set_motion(level, u, u); }

    HWY_INLINE Vec3<F> at_length(const Vec3<F>& q, const Vec3<F>& fallback, const F& l) const
    {
        F n2 = dot(q, q);
        const auto lost = n2 < splat<F>(kNoDirection);
        const Vec3<F> r = select(lost, fallback, q);
        n2 = max(dot(r, r), splat<F>(kNoDirection));
        return r * scale_to_length(l, n2);
    }

    /// Result of `pull`: the displacement of the last particle of the loose end, and the tension part of the correction
    /// of its first particle, for Eq. 9.
    struct Pulled {
        Vec3<F> moved, taken;
    };

    /// Moves a loose end by plain follow-the-leader, towards the tip (kDirection = 1) or towards the root (-1). It
    /// hangs on particle `from`, which was at `position` relative to the root and moves by `u`. The bend limit acts
    /// towards the tip, where a previous edge exists.
    template <int kDirection>
    HWY_NOINLINE Pulled pull(int from, Vec3<F> u, const Vec3<F>& position)
    {
        const F s = splat<F>(step_.correction);
        const int end = kDirection > 0 ? strand_.levels() - 1 : 0;
        const bool bends = kDirection > 0 && step_.bend_limit > 0;
        Bodies bodies = bodies_;  // a copy that searches ahead along this end
        [[maybe_unused]] Vec3<F> at = root_ + position + u;
        Pulled pulled{u, splat<F>(0.0f, 0.0f, 0.0f)};
        Vec3<F> kick = pulled.taken;
        for (int i = from + kDirection; i != end + kDirection; i += kDirection) {
            const int segment = kDirection > 0 ? i : i + 1;
            const Vec3<F> e = outward<kDirection>(strand_.edge(segment));
            const F l = strand_.rest_length(segment);
            Vec3<F> q = e + predicted_step(i) - u;
            Vec3<F> f = at_length(q, e, l);
            if (bends && i > 1) {
                f = limit_bend(f, strand_.edge(i - 1), l, strand_.rest_length(i - 1), step_.bend_limit);
                if constexpr (kTouching) q = f * (sqrt(max(dot(q, q), splat<F>(kNoDirection))) / l);
            }
            Vec3<F> next_kick = splat<F>(0.0f, 0.0f, 0.0f);
            if constexpr (kTouching) {
                F scale = scale_to_length(l, max(dot(q, q), splat<F>(kNoDirection)));
                next_kick = bodies.keep_out({at, e - u, l, bodies.thickness(i)}, q, scale);
                f = q * scale;
                at += f;
            }
            const Vec3<F> taken = tension_part(q, l);
            if (i == from + kDirection)
                pulled.taken = taken;
            else
                set_motion(i - kDirection, u - taken * s - kick, u);  // Eq. 9
            kick = next_kick;
            strand_.set_edge(segment, outward<kDirection>(f));
            u += f - e;
        }
        set_motion(end, u - kick, u);
        pulled.moved = u;
        return pulled;
    }

    /// An edge, directed away from the particle that leads.
    template <int kDirection>
    static HWY_INLINE Vec3<F> outward(const Vec3<F>& e)
    {
        return kDirection > 0 ? e : splat<F>(0.0f, 0.0f, 0.0f) - e;
    }

    /// Projects all particles from `from` to `to` and back. Stores the displacements in scratch, with the correction
    /// that Eq. 9 takes back from each particle. A free end starts at its prediction.
    HWY_NOINLINE void project_both_ways(int from, int to, const Vec3<F>& u_from, const Vec3<F>& u_to)
    {
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        Vec3<F> u = u_from;
        scratch_.set(from, kFromLeft, u);
        for (int i = from + 1; i <= to; ++i) {
            const Vec3<F> e = strand_.edge(i), q = e + (i == to ? u_to : predicted_step(i)) - u;
            const F l = strand_.rest_length(i);
            const Vec3<F> f = at_length(q, e, l);
            scratch_.set(i - 1, kTakenBackLeft, tension_part(q, l));
            u += f - e;
            scratch_.set(i, kFromLeft, u);
        }
        scratch_.set(to, kTakenBackLeft, none);
        u = u_to;
        scratch_.set(to, kFromRight, u);
        for (int i = to; i > from; --i) {
            const Vec3<F> e = strand_.edge(i), q = e + u - (i - 1 == from ? u_from : predicted_step(i - 1));
            const F l = strand_.rest_length(i);
            const Vec3<F> f = at_length(q, e, l);
            scratch_.set(i, kTakenBackRight, splat<F>(0.0f, 0.0f, 0.0f) - tension_part(q, l));
            u = u - (f - e);
            scratch_.set(i - 1, kFromRight, u);
        }
        scratch_.set(from, kTakenBackRight, none);
    }

    /// Solves the rope between two held particles, the first of which moves to `start`. Returns the displacement of the
    /// second, which falls short if its hold is out of reach.
    HWY_NOINLINE Vec3<F> span_between(int from, int to, const Vec3<F>& u_from, Vec3<F> u_to,
                                      [[maybe_unused]] const Vec3<F>& start)
    {
        Vec3<F> span = u_to - u_from;
        F total = splat<F>(0.0f);
        for (int i = from + 1; i <= to; ++i) {
            span += strand_.edge(i);
            total = total + strand_.rest_length(i);
        }
        // Out of reach, or with less slack than floats resolve: straight towards the hold.
        const F n2 = max(dot(span, span), splat<F>(kNoDirection)), distance = sqrt(n2);
        const auto taut = total * splat<F>(1.0f - 1e-5f) < distance;
        const Vec3<F> straight = span * (splat<F>(1.0f) / distance);
        gap_ = max(gap_, distance - total);
        const Vec3<F> reached = select(taut, straight * total, span);
        u_to = u_to + (reached - span);

        project_both_ways(from, to, u_from, u_to);
        blend(from, to, u_from, u_to);
        Vec3<F> w = close_span(from, to, reached, total);
        if constexpr (kTouching) w = clear_span(from, to, start, {reached, total}, w);

        const F s = splat<F>(step_.correction);
        Vec3<F> u = u_from;
        for (int i = from + 1; i <= to; ++i) {
            const Vec3<F> e = strand_.edge(i), m = scratch_.get(i, kFromLeft);
            const F l = strand_.rest_length(i);
            const Vec3<F> f = select(taut, straight * l, at_length(m + w, e, l));
            strand_.set_edge(i, f);
            u += f - e;
            set_motion(i, u - scratch_.get(i, kTakenBackLeft) * s, u);  // Eq. 9
        }
        return u;
    }

    struct Span {
        Vec3<F> reached;
        F total;
    };

    /// Pushes the particles of a span out of colliders and closes the span again, in several rounds, because both
    /// cannot be satisfied at once here. The pushes go into the blended edges; `at` is the position of the first hold.
    /// Returns the multiplier.
    HWY_NOINLINE Vec3<F> clear_span(int from, int to, const Vec3<F>& at, const Span& span, Vec3<F> w)
    {
        constexpr int kRounds = 12;
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        bodies_.collect_candidates(at, span.total);
        for (int round = 0; round < kRounds; ++round) {
            Vec3<F> position = at, before = none;
            bool touched = false;
            for (int i = from + 1; i <= to; ++i) {
                const Vec3<F> f = at_length(scratch_.get(i, kFromLeft) + w, strand_.edge(i), strand_.rest_length(i));
                position += f;
                Vec3<F> push = none;
                if (i < to) bodies_.resolve_free_particle(position, push, bodies_.thickness(i));
                touched |= any(splat<F>(0.0f) < dot(push, push));
                scratch_.set(i, kFromLeft, f + push - before);
                before = push;
            }
            w = none;
            if (!touched) break;
            w = close_span(from, to, span.reached, span.total);
        }
        return w;
    }

    /// Blends the displacements and corrections of both sides. Leaves the blended edges and corrections in scratch.
    HWY_NOINLINE void blend(int from, int to, Vec3<F> u_before, const Vec3<F>& u_to)
    {
        for (int i = from + 1; i <= to; ++i) {
            float t = static_cast<float>(i - from) / static_cast<float>(to - from);
            if (step_.blend == EndBlend::kAverage) t = 0.5f;
            const F right = splat<F>(t), left = splat<F>(1.0f - t);
            Vec3<F> u = scratch_.get(i, kFromLeft) * left + scratch_.get(i, kFromRight) * right;
            if (i == to) u = u_to;
            const Vec3<F> taken = scratch_.get(i, kTakenBackLeft) * left + scratch_.get(i, kTakenBackRight) * right;
            scratch_.set(i, kFromLeft, strand_.edge(i) + u - u_before);
            scratch_.set(i, kTakenBackLeft, taken);
            u_before = u;
        }
    }

    /// Finds the multiplier w with sum l_i (m_i + w)/|m_i + w| = S. A Newton step is kept if it reduces the error of
    /// the sum.
    HWY_NOINLINE Vec3<F> close_span(int from, int to, const Vec3<F>& span, const F& total)
    {
        bow_if_straight(from, to, span);
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        const F close_enough = total * splat<F>(1e-6f);
        Vec3<F> best = splat<F>(0.0f, 0.0f, 0.0f), step = best;
        F best_error = splat<F>(1e30f), damping = one;
        Vec3<F> direction = best;
        for (int iteration = 0; iteration < 60; ++iteration) {
            const Vec3<F> w = best + step;
            Vec3<F> r = span;
            F xx = zero, yy = zero, zz = zero, xy = zero, xz = zero, yz = zero;
            for (int i = from + 1; i <= to; ++i) {
                const Vec3<F> m = scratch_.get(i, kFromLeft) + w;
                const F l = strand_.rest_length(i);
                const F n2 = max(dot(m, m), splat<F>(kNoDirection)), stiffness = l * (one / sqrt(n2)),
                        inverse = one / n2;
                r = r - m * stiffness;
                xx = xx + stiffness * (one - m.x * m.x * inverse);
                yy = yy + stiffness * (one - m.y * m.y * inverse);
                zz = zz + stiffness * (one - m.z * m.z * inverse);
                xy = xy - stiffness * m.x * m.y * inverse;
                xz = xz - stiffness * m.x * m.z * inverse;
                yz = yz - stiffness * m.y * m.z * inverse;
            }
            const F error = dot(r, r);
            const auto better = error < best_error;
            best = select(better, w, best);
            best_error = select(better, error, best_error);
            if (!any(close_enough * close_enough < best_error)) break;

            // Solves the 3 x 3 system by its adjugate. A small share of the trace keeps it invertible if edges are
            // parallel.
            const F soft = (xx + yy + zz) * splat<F>(1e-7f) + splat<F>(1e-30f);
            const F a = xx + soft, b = yy + soft, c = zz + soft;
            const F axx = b * c - yz * yz, ayy = a * c - xz * xz, azz = a * b - xy * xy;
            const F axy = xz * yz - xy * c, axz = xy * yz - xz * b, ayz = xy * xz - a * yz;
            const F det = max(a * axx + xy * axy + xz * axz, splat<F>(1e-35f));
            const Vec3<F> newton =
                Vec3<F>{dot({axx, axy, axz}, r), dot({axy, ayy, ayz}, r), dot({axz, ayz, azz}, r)} * (one / det);
            direction = select(better, newton, direction);
            damping = select(better, one, damping * splat<F>(0.25f));
            const F size2 = max(dot(direction, direction), splat<F>(kNoDirection));
            const F longest = min(one, total / sqrt(size2));
            step = direction * (damping * longest);
        }
        return best;
    }

    /// A straight rope with slack has no preferred side to buckle to: bows it slightly, towards -y unless it hangs
    /// along y.
    HWY_NOINLINE void bow_if_straight(int from, int to, const Vec3<F>& span)
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        const F n2 = max(dot(span, span), splat<F>(kNoDirection));
        const Vec3<F> axis = span * (one / sqrt(n2));
        F across2 = zero, l2 = zero;
        for (int i = from + 1; i <= to; ++i) {
            const Vec3<F> m = scratch_.get(i, kFromLeft), side = m - axis * dot(m, axis);
            const F l = strand_.rest_length(i);
            across2 = across2 + dot(side, side);
            l2 = l2 + l * l;
        }
        const auto straight = across2 < l2 * splat<F>(1e-9f);
        if (!any(straight)) return;
        const Vec3<F> down = splat<F>(0.0f, -1.0f, 0.0f), east = splat<F>(1.0f, 0.0f, 0.0f);
        const Vec3<F> helper = select(axis.y * axis.y < splat<F>(0.9f), down, east);
        const Vec3<F> bow = helper - axis * dot(helper, axis);
        for (int i = from + 1; i <= to; ++i) {
            const float side = 1.0f - 2.0f * (static_cast<float>(i - from) - 0.5f) / static_cast<float>(to - from);
            const F size = select(straight, strand_.rest_length(i) * splat<F>(1e-3f * side), zero);
            scratch_.set(i, kFromLeft, scratch_.get(i, kFromLeft) + bow * size);
        }
    }

    HWY_INLINE Vec3<F> solve_loose()
    {
        if constexpr (kTouching) return solve_resting();
        return solve_free();
    }

    /// No hold, but colliders: the particle that is deepest, or nearest to contact, moves as the surface permits, and
    /// the others follow it on both sides. A rope without contact falls freely.
    HWY_NOINLINE Vec3<F> solve_resting()
    {
        static_assert(std::is_same_v<F, float>, "strands of a group would have different leaders");
        const int tip = strand_.levels() - 1;
        bodies_.collect_candidates(root_, reach());
        int lead = -1;
        float least = 0;
        for (int i = 0; i <= tip; ++i) {
            const float near = 0.25f * strand_.rest_length(i > 0 ? i : 1);
            const float distance =
                bodies_.distance_at(root_ + position_of(i) + predicted_step(i), bodies_.thickness(i)) - near;
            if (distance < least) least = distance, lead = i;
        }
        if (lead < 0) return solve_free();

        // The position of the leader before anything moves. position_of cannot go back to it.
        Vec3<F> position = splat<F>(0.0f, 0.0f, 0.0f);
        for (int i = 1; i <= lead; ++i) position += strand_.edge(i);
        Vec3<F> u = predicted_step(lead);
        const auto touch = bodies_.resolve_free_particle(root_ + position, u, bodies_.thickness(lead));
        const Vec3<F> kick = bodies_.kick(touch, u);
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        const Pulled back = lead > 0 ? pull<-1>(lead, u, position) : Pulled{u, none};
        const Pulled on = lead < tip ? pull<1>(lead, u, position) : Pulled{u, none};
        set_motion(lead, u - (back.taken + on.taken) * splat<F>(step_.correction) - kick, u);  // Eq. 9
        return back.moved;
    }

    HWY_INLINE F reach() const
    {
        F sum = splat<F>(0.0f);
        for (int i = 1; i < strand_.levels(); ++i) sum = sum + strand_.rest_length(i);
        return sum;
    }

    /// No hold at all: takes the mean of both projections (Fig. 2c), puts each edge at its length, and shifts the rope
    /// so that its centre of mass moves as predicted. Neither the projection nor Eq. 9 changes its momentum.
    HWY_NOINLINE Vec3<F> solve_free()
    {
        const int tip = strand_.levels() - 1;
        const F half = splat<F>(0.5f), share = splat<F>(1.0f / static_cast<float>(tip + 1)),
                s = splat<F>(step_.correction);
        const Vec3<F> first = predicted_step(0), last = predicted_step(tip);
        project_both_ways(0, tip, first, last);

        Vec3<F> predicted = first, moved = splat<F>(0.0f, 0.0f, 0.0f), relative = moved;
        Vec3<F> taken = (scratch_.get(0, kTakenBackLeft) + scratch_.get(0, kTakenBackRight)) * half;
        for (int i = 1; i <= tip; ++i) {
            const Vec3<F> e = strand_.edge(i);
            const Vec3<F> u = (scratch_.get(i, kFromLeft) + scratch_.get(i, kFromRight)) * half;
            const Vec3<F> before = (scratch_.get(i - 1, kFromLeft) + scratch_.get(i - 1, kFromRight)) * half;
            const Vec3<F> f = at_length(e + u - before, e, strand_.rest_length(i));
            predicted += predicted_step(i);
            relative += f - e;
            moved += relative;
            taken += (scratch_.get(i, kTakenBackLeft) + scratch_.get(i, kTakenBackRight)) * half;
            // The new edge is stored in the scratch of the previous level, which this loop no longer needs.
            scratch_.set(i - 1, kFromLeft, f);
        }
        const Vec3<F> root = (predicted - moved) * share;
        taken = taken * share;
        Vec3<F> u = root;
        for (int i = 0; i <= tip; ++i) {
            if (i > 0) {
                const Vec3<F> f = scratch_.get(i - 1, kFromLeft);
                u += f - strand_.edge(i);
                strand_.set_edge(i, f);
            }
            const Vec3<F> back = (scratch_.get(i, kTakenBackLeft) + scratch_.get(i, kTakenBackRight)) * half - taken;
            set_motion(i, u - back * s, u);  // Eq. 9
        }
        return root;
    }

    static constexpr bool kTouching = !std::is_same_v<Bodies, None>;

    BlockCursor<F>& strand_;
    RopeScratch<F> scratch_;
    const RopeSubstep& step_;
    [[no_unique_address]] Bodies bodies_;
    F gap_;
    Vec3<F> root_;
    Vec3<F> known_position_ = splat<F>(0.0f, 0.0f, 0.0f);
    int known_level_ = 0;
};

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
