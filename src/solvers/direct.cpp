// The direct method: the multipliers of all lengths of a strand at once, from a tridiagonal system. The constraint of a
// segment e is (|e|^2 - l^2)/2, so that no root is needed; gradients at the start of the substep (SHAKE, [Ryckaert77])
// keep energy where those at its end would take it away. See docs/methods.md.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/direct.cpp"
#include <hwy/foreach_target.h>

#include "solvers/points-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// All lengths of one block over one substep.
class DirectPass {
public:
    using F = Points::F;
    /// Rows of its own: the eliminated system, the multipliers, and what becomes velocity: the sum of impulses, which
    /// has digits that differences of places do not have.
    enum Row : size_t { kAbove, kRight, kMultiplier, kGone, kRows = kGone + 3 };

    HWY_INLINE DirectPass(Points& points, int iterations)
        : points_(points), tip_(points.levels() - 1), iterations_(iterations)
    {
    }

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        points_.draw_to_shape(k);
        find_multipliers<true>(0);
        for (int n = 1; n < iterations_; ++n) find_multipliers<false>(n);
        const F wild = apply_multipliers();
        const bool any_wild = any(splat<F>(0.0f) < wild);
        if (any_wild) start_again(wild);
        if (!points_.hangs_on_root())
            finish_between_holds(k);
        else if (any_wild || !points_.in_the_open(k))
            finish_from_root(k);
        points_.take_over(1.0f, [&](int i) HWY_ATTR { return points_.step(i) - points_.own_vector(kGone, i); });
    }

private:
    // Beyond this, as a share of its length, a segment shows that the step was too violent.
    static constexpr float kMostStretched = 1e-4f;
    static constexpr int kSafeIterations = 8, kRoundsBetweenHolds = 12;

    HWY_INLINE Vec3<F> edge_before(int i) const { return points_.before(i) - points_.before(i - 1); }
    HWY_INLINE Vec3<F> edge(int i) const { return points_.at(i) - points_.at(i - 1); }
    static HWY_INLINE Vec3<F> none() { return splat<F>(0.0f, 0.0f, 0.0f); }

    /// Elimination of one row of the system after another: that of an edge e, whose own gradient is `here`.
    class Elimination {
    public:
        explicit HWY_INLINE Elimination(Points& points) : points_(points) {}
        HWY_INLINE void take(int i, const Vec3<F>& e, const Vec3<F>& before, const Vec3<F>& here, const Vec3<F>& after)
        {
            const F zero = splat<F>(0.0f), l = points_.rest_length(i);
            const F w0 = points_.lightness(i - 1), w1 = points_.lightness(i);
            const F error = (dot(e, e) - l * l) * splat<F>(0.5f), below = zero - w0 * dot(e, before);
            const F pivot = (w0 + w1) * dot(e, here) - below * above_;
            // Between two held ends there is nothing to move.
            const F per = select(zero < pivot * pivot, splat<F>(1.0f) / pivot, zero);
            right_ = (error - below * right_) * per;
            above_ = (zero - w1 * dot(e, after)) * per;
            points_.set_own(kRight, i, right_);
            points_.set_own(kAbove, i, above_);
        }

    private:
        Points& points_;
        F above_ = splat<F>(0.0f), right_ = above_;
    };

    /// One step of Newton towards multipliers with which all segments have their lengths; that of segment i draws its
    /// ends together along what the segment was before. `kFirst`: all are zero so far.
    template <bool kFirst>
    HWY_INLINE void find_multipliers(int iteration)
    {
        Elimination rows(points_);
        Vec3<F> before = none(), here = edge_before(1), pull_before = none(), pull = none(), p = points_.at(0);
        F w = points_.lightness(0);
        if (!kFirst) pull = here * points_.own(kMultiplier, 1);
        for (int i = 1; i <= tip_; ++i) {
            const Vec3<F> after = i < tip_ ? edge_before(i + 1) : none(), q = points_.at(i);
            Vec3<F> e = q - p;
            if (!kFirst) {
                const Vec3<F> pull_after = i < tip_ ? after * points_.own(kMultiplier, i + 1) : none();
                const F w_after = points_.lightness(i);
                e = e + (pull_after - pull) * w_after - (pull - pull_before) * w;
                w = w_after;
                pull_before = pull;
                pull = pull_after;
            }
            rows.take(i, e, before, here, after);
            if (iteration < 3) points_.ask_ahead(i, iteration);
            before = here;
            here = after;
            p = q;
        }
        F change = splat<F>(0.0f);
        for (int i = tip_; i >= 1; --i) {
            change = points_.own(kRight, i) - points_.own(kAbove, i) * change;
            points_.set_own(kMultiplier, i, kFirst ? change : points_.own(kMultiplier, i) + change);
        }
    }

    /// 1 for strands that they leave stretched.
    HWY_INLINE F apply_multipliers()
    {
        F worst = splat<F>(0.0f);
        Vec3<F> pull = none(), parent = none();
        for (int i = 0; i <= tip_; ++i) {
            const Vec3<F> pull_after = i < tip_ ? edge_before(i + 1) * points_.own(kMultiplier, i + 1) : none();
            const Vec3<F> impulse = (pull_after - pull) * points_.lightness(i);
            points_.set_own_vector(kGone, i, unhindered(i) + impulse);
            const Vec3<F> p = points_.at(i) + impulse;
            points_.put(i, p);
            if (i > 0) worst = max(worst, off_length(i, p - parent, kMostStretched));
            parent = p;
            pull = pull_after;
        }
        return worst;
    }
    HWY_INLINE Vec3<F> unhindered(int i) const
    {
        return select(splat<F>(0.0f) < points_.lightness(i), points_.free_step(i), points_.step(i));
    }

    /// The same along what segments are now, which takes energy away and comes near from anywhere. `share`: 1 for
    /// strands that take the step, 0 for those that do not.
    HWY_NOINLINE void draw_together(const F& share)
    {
        Elimination rows(points_);
        Vec3<F> before = none(), here = edge(1);
        for (int i = 1; i <= tip_; ++i) {
            const Vec3<F> after = i < tip_ ? edge(i + 1) : none();
            rows.take(i, here, before, here, after);
            before = here;
            here = after;
        }
        F multiplier = splat<F>(0.0f);
        Vec3<F> pull_after = none();
        for (int i = tip_; i >= 1; --i) {
            multiplier = points_.own(kRight, i) - points_.own(kAbove, i) * multiplier;
            const Vec3<F> pull = edge(i) * (multiplier * share);
            move(i, (pull_after - pull) * points_.lightness(i));
            pull_after = pull;
        }
        move(0, pull_after * points_.lightness(0));
    }
    HWY_INLINE void move(int i, const Vec3<F>& by)
    {
        points_.put(i, points_.at(i) + by);
        points_.set_own_vector(kGone, i, points_.own_vector(kGone, i) + by);
    }

    /// 1 where an edge is off its length by more than a share, or has none.
    HWY_INLINE F off_length(int i, const Vec3<F>& e, float share) const
    {
        const F l2 = points_.rest_length(i) * points_.rest_length(i), off = dot(e, e) - l2;
        return select(off * off < l2 * l2 * splat<F>(4 * share * share), splat<F>(0.0f), splat<F>(1.0f));
    }
    /// 1 for strands with such an edge.
    HWY_INLINE F stretched(float share) const
    {
        F worst = splat<F>(0.0f);
        for (int i = 1; i <= tip_; ++i) worst = max(worst, off_length(i, edge(i), share));
        return worst;
    }

    /// Too violent for the old gradients, which may have led anywhere: with those of the present points the system is
    /// positive definite.
    HWY_NOINLINE void start_again(const F& wild)
    {
        const auto again = splat<F>(0.0f) < wild;
        for (int i = 0; i <= tip_; ++i) {
            const auto moves = splat<F>(0.0f) < points_.lightness(i) * wild;
            points_.put(i, select(moves, points_.predicted(i), points_.at(i)));
            points_.set_own_vector(kGone, i, select(again, unhindered(i), points_.own_vector(kGone, i)));
        }
        for (int n = 0; n < kSafeIterations; ++n) draw_together(wild);
    }

    /// Every particle at its length from the one before it, outside of bodies. In the open that can wait until the
    /// strand is written back.
    HWY_INLINE void finish_from_root(int k)
    {
        points_.restore_lengths(k, [&](int i, const Vec3<F>& kick) HWY_ATTR { take_velocity(i, kick); });
    }
    /// Where that has moved a particle by more than rounding, there was a contact or no convergence: its velocity is
    /// then what it has really moved.
    HWY_INLINE void take_velocity(int i, const Vec3<F>& kick)
    {
        const Vec3<F> step = points_.step(i), gone = points_.own_vector(kGone, i), mended = step - gone;
        const F least = points_.rest_length(i > 0 ? i : 1) * splat<F>(kMostStretched);
        const auto same = dot(mended, mended) < least * least;
        points_.set_own_vector(kGone, i, select(same, gone, step - kick));
    }

    /// Lengths between two places that are given, and contacts, in turns.
    HWY_NOINLINE void finish_between_holds(int k)
    {
        for (int round = 0; round < kRoundsBetweenHolds; ++round) {
            points_.meet_bodies(k, [&](int i, const auto& touch, const Vec3<F>& kick) HWY_ATTR {
                const auto touched = splat<F>(0.0f) < dot(touch.normal, touch.normal);
                points_.set_own_vector(kGone, i, select(touched, points_.step(i) - kick, points_.own_vector(kGone, i)));
            });
            const F off = stretched(0.01f * kMostStretched);
            if (!any(splat<F>(0.0f) < off)) return;
            draw_together(off);
        }
        // What cannot be reached gives way, lengths do not.
        if (any(splat<F>(0.0f) < stretched(kMostStretched))) finish_from_root(k);
    }

    Points& points_;
    int tip_, iterations_;
};

void SolveDirect(const PointsTask& task, size_t begin, size_t end)
{
    solve_points<DirectPass>(task, begin, end, task.settings->direct.iterations);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SolveDirect);

void solve_direct(const PointsTask& task, size_t begin, size_t end)
{
    HWY_DYNAMIC_DISPATCH(SolveDirect)(task, begin, end);
}

}  // namespace tendril
#endif
