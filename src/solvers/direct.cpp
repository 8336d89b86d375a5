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
    /// Rows of its own: the eliminated system, the prediction, and what becomes velocity: the sum of impulses, which
    /// has digits that differences of places do not have.
    enum Row : size_t { kAbove, kRight, kPredicted, kGone = kPredicted + 3, kRows = kGone + 3 };

    HWY_INLINE DirectPass(Points& points, int iterations) : points_(points), iterations_(iterations) {}

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        points_.draw_to_shape(k);
        for (int i = 0; i < points_.levels(); ++i) {
            points_.set_own_vector(kPredicted, i, points_.at(i));
            points_.set_own_vector(kGone, i, unhindered(i));
        }
        for (int n = 0; n < iterations_; ++n) draw_together<Gradients::kBefore>(splat<F>(1.0f));
        if (const F wild = stretched(kMostStretched); any(splat<F>(0.0f) < wild)) start_again(wild);
        if (points_.hangs_on_root())
            finish_from_root(k);
        else
            finish_between_holds(k);
        points_.take_over(1.0f, [&](int i) HWY_ATTR { return points_.step(i) - points_.own_vector(kGone, i); });
    }

private:
    // Beyond this, as a share of its length, a segment shows that the step was too violent.
    static constexpr float kMostStretched = 1e-4f;
    static constexpr int kSafeIterations = 8, kRoundsBetweenHolds = 12;

    enum class Gradients { kBefore, kNow };
    template <Gradients kWhich>
    HWY_INLINE Vec3<F> gradient(int i) const
    {
        return kWhich == Gradients::kBefore ? points_.before(i) - points_.before(i - 1) : edge(i);
    }
    HWY_INLINE Vec3<F> edge(int i) const { return points_.at(i) - points_.at(i - 1); }

    /// One step of Newton towards multipliers with which all segments have their lengths; that of segment i draws its
    /// ends together. `share`: 1 for strands that take the step, 0 for those that do not.
    template <Gradients kWhich>
    HWY_INLINE void draw_together(const F& share)
    {
        const int tip = points_.levels() - 1;
        const F zero = splat<F>(0.0f);
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        F above = zero, right = zero;
        Vec3<F> before = none, here = gradient<kWhich>(1);
        for (int i = 1; i <= tip; ++i) {
            const Vec3<F> e = edge(i), after = i < tip ? gradient<kWhich>(i + 1) : none;
            const F l = points_.rest_length(i), w0 = points_.lightness(i - 1), w1 = points_.lightness(i);
            const F error = (dot(e, e) - l * l) * splat<F>(0.5f), below = zero - w0 * dot(e, before);
            const F pivot = (w0 + w1) * dot(e, here) - below * above;
            // Between two held ends there is nothing to move.
            const F per = select(zero < pivot * pivot, splat<F>(1.0f) / pivot, zero);
            right = (error - below * right) * per;
            above = (zero - w1 * dot(e, after)) * per;
            points_.set_own(kRight, i, right);
            points_.set_own(kAbove, i, above);
            before = here;
            here = after;
        }
        F multiplier = zero;
        Vec3<F> pull_after = none;
        for (int i = tip; i >= 1; --i) {
            multiplier = points_.own(kRight, i) - points_.own(kAbove, i) * multiplier;
            const Vec3<F> pull = gradient<kWhich>(i) * (multiplier * share);
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
    HWY_INLINE Vec3<F> unhindered(int i) const
    {
        return select(splat<F>(0.0f) < points_.lightness(i), points_.free_step(i), points_.step(i));
    }

    /// 1 for strands with a segment that is off its length by more than a share, or has none.
    HWY_INLINE F stretched(float share) const
    {
        F worst = splat<F>(0.0f);
        for (int i = 1; i < points_.levels(); ++i) {
            const Vec3<F> e = edge(i);
            const F l2 = points_.rest_length(i) * points_.rest_length(i), off = dot(e, e) - l2;
            const auto fine = off * off < l2 * l2 * splat<F>(4 * share * share);
            worst = select(fine, worst, splat<F>(1.0f));
        }
        return worst;
    }

    /// Too violent for the old gradients, which may have led anywhere: with those of the present points the system is
    /// positive definite. It takes energy away, and comes near from anywhere.
    HWY_NOINLINE void start_again(const F& wild)
    {
        const auto again = splat<F>(0.0f) < wild;
        for (int i = 0; i < points_.levels(); ++i) {
            points_.put(i, select(again, points_.own_vector(kPredicted, i), points_.at(i)));
            points_.set_own_vector(kGone, i, select(again, unhindered(i), points_.own_vector(kGone, i)));
        }
        for (int n = 0; n < kSafeIterations; ++n) draw_together<Gradients::kNow>(wild);
    }

    /// Every particle at its length from the one before it, outside of bodies. Where that moves a particle by more than
    /// rounding, there was a contact or no convergence: its velocity is then what it has really moved.
    HWY_INLINE void finish_from_root(int k)
    {
        points_.restore_lengths(k, [&](int i, const Vec3<F>& kick) HWY_ATTR {
            const Vec3<F> step = points_.step(i), mended = step - points_.own_vector(kGone, i);
            const F least = points_.rest_length(i > 0 ? i : 1) * splat<F>(kMostStretched);
            const auto same = dot(mended, mended) < least * least;
            points_.set_own_vector(kGone, i, select(same, points_.own_vector(kGone, i), step - kick));
        });
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
            draw_together<Gradients::kNow>(off);
        }
        // What cannot be reached gives way, lengths do not.
        if (any(splat<F>(0.0f) < stretched(kMostStretched))) finish_from_root(k);
    }

    Points& points_;
    int iterations_;
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
