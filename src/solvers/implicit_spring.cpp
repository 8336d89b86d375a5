// Masses and springs with implicit Euler: the places at the end of a substep are where
//     sum |x - y|^2 / 2 + k sum (|e| - l)^2 / 2
// is least, y being where particles would go by themselves and k the stiffness over the mass times h^2. Newton's
// matrix is block-tridiagonal; what of a spring's stiffness is negative is left out, so that it is positive definite.
// See docs/methods.md.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/implicit_spring.cpp"
#include <hwy/foreach_target.h>

#include "solvers/spring_chain-inl.h"
#include "solvers/spring_limit.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// What stays the same over all substeps: the stiffness k, and how much of it damps: that share of a segment's rest
/// length is the length that it had.
struct ImplicitSpringStep {
    int iterations;
    float stiffness, damped;
};

ImplicitSpringStep prepare_implicit_spring(const SpringSettings& settings, double rate, double h)
{
    const double elastic = rate * h * h, damping = 2 * static_cast<double>(settings.damping) * std::sqrt(elastic);
    const double sum = elastic + damping;
    return {settings.iterations, static_cast<float>(sum), static_cast<float>(sum > 0 ? damping / sum : 0)};
}

/// All springs of one block over one substep.
class ImplicitSpringPass {
public:
    using F = Points::F;
    /// Rows of its own: y, the places at the start and the last ones, the length that a spring wants, its tension, what
    /// becomes velocity.
    enum Row : size_t {
        kPredicted,
        kStart = kPredicted + 3,
        kLast = kStart + 3,
        kWanted = kLast + 3,
        kTension,
        kGone,
        kChain = kGone + 3,
        kRows = kChain + SpringChain::kRows
    };

    HWY_INLINE ImplicitSpringPass(Points& points, const ImplicitSpringStep& step)
        : points_(points), chain_(points, kChain), step_(step)
    {
        const F place = points.reach() * splat<F>(kPlaceRounding),
                count = splat<F>(static_cast<float>(points.levels()));
        slack_ = place * place * count * stiffness();
    }

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        points_.draw_to_shape(k);
        begin();
        const F start = sum();
        for (int n = 0; n < step_.iterations; ++n) iterate();
        if (const F worse = above(start); any(splat<F>(0.0f) < worse)) start_again(worse);
        for (int i = 0; i < points_.levels(); ++i) points_.set_own_vector(kGone, i, points_.step(i));
        points_.meet_bodies_into(k, kGone);
        points_.take_over_from(kGone);
    }

private:
    HWY_INLINE auto is_free(int i) const { return splat<F>(0.0f) < points_.lightness(i); }
    HWY_INLINE F stiffness() const { return splat<F>(step_.stiffness); }

    /// From where particles were: there the sum is the energy that they have, and no iteration adds to it.
    HWY_INLINE void begin()
    {
        for (int i = 0; i < points_.levels(); ++i) {
            points_.set_own_vector(kPredicted, i, points_.at(i));
            points_.put(i, select(is_free(i), points_.from(i), points_.at(i)));
            points_.set_own_vector(kStart, i, points_.at(i));
            if (i == 0) continue;
            const Vec3<F> e = points_.before(i) - points_.before(i - 1);
            const F l = points_.rest_length(i), n = sqrt(max(dot(e, e), splat<F>(kNoDirection)));
            const F wanted = l + (n - l) * splat<F>(step_.damped);
            points_.set_own(kWanted, i, wanted);
            points_.set_own(kTension, i, stiffness() * (n - wanted));
        }
    }

    /// One step of Newton, with the tensions of the step before: what a spring that has turned would carry at its new
    /// length is no tension that it ever has, and being so stiff across it would hardly turn on.
    HWY_INLINE void iterate()
    {
        const F zero = splat<F>(0.0f);
        chain_.solve(
            [&](int i) HWY_ATTR {
                const F n = length_of(i), across = max(zero, points_.own(kTension, i)) / n;
                return spring(i, n, min(across, stiffness()), points_.own(kTension, i));
            },
            [&](int i) HWY_ATTR { return points_.own_vector(kPredicted, i); },
            [&](int i, const Vec3<F>& step, const F& tension) HWY_ATTR {
                points_.put(i, points_.at(i) + step);
                points_.set_own(kTension, i, tension);
            });
    }

    /// Strands that have gained go from the start again, by steps of which none may raise the sum. Newton's own, with
    /// what springs carry at their present lengths; where that does, one with springs as stiff across as they are
    /// along: what is minimised is then nowhere below the sum, and equal to it here, so it falls.
    HWY_NOINLINE void start_again(const F& worse)
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        put_where(worse, kStart);
        for (int n = 0; n < step_.iterations; ++n) {
            const F before = sum();
            for (int i = 0; i < points_.levels(); ++i) points_.set_own_vector(kLast, i, points_.at(i));
            descend(worse, zero);
            const F raised = above(before) * worse;
            if (!any(zero < raised)) continue;
            put_where(raised, kLast);
            descend(raised, one);
        }
    }
    HWY_NOINLINE void descend(const F& these, const F& least_across)
    {
        const F zero = splat<F>(0.0f);
        chain_.solve(
            [&](int i) HWY_ATTR {
                const F n = length_of(i), strain = n - points_.own(kWanted, i);
                return spring(i, n, stiffness() * max(least_across, max(zero, strain / n)), stiffness() * strain);
            },
            [&](int i) HWY_ATTR { return points_.own_vector(kPredicted, i); },
            [&](int i, const Vec3<F>& step, const F&)
                HWY_ATTR { points_.put(i, select(zero < these, points_.at(i) + step, points_.at(i))); });
    }
    HWY_INLINE void put_where(const F& these, Row row)
    {
        for (int i = 0; i < points_.levels(); ++i)
            points_.put(i, select(splat<F>(0.0f) < these, points_.own_vector(row, i), points_.at(i)));
    }

    /// 1 for strands whose sum is above what it was.
    HWY_INLINE F above(const F& before) const
    {
        const F none = splat<F>(0.0f), all = splat<F>(1.0f);
        return select(sum() < before * splat<F>(1 + kRounding) + slack_, none, all);
    }

    /// Energy in units of mass over 2 h^2.
    HWY_NOINLINE F sum() const
    {
        F all = splat<F>(0.0f);
        for (int i = 0; i < points_.levels(); ++i) {
            const Vec3<F> off = points_.at(i) - points_.own_vector(kPredicted, i);
            all = all + dot(off, off);  // zero where it is held
            if (i == 0) continue;
            const F strain = length_of(i) - points_.own(kWanted, i);
            all = all + stiffness() * (strain * strain);
        }
        return all;
    }

    HWY_INLINE F length_of(int i) const
    {
        const Vec3<F> e = points_.at(i) - points_.at(i - 1);
        return sqrt(max(dot(e, e), splat<F>(kNoDirection)));
    }
    HWY_INLINE SpringChain::Spring spring(int i, const F& length, const F& across, const F& carried) const
    {
        const Vec3<F> e = points_.at(i) - points_.at(i - 1);
        const F one = splat<F>(1.0f), more = max(stiffness() - across, splat<F>(kNoDirection));
        return {e * (one / length), length - points_.own(kWanted, i), across, one / more, carried};
    }

    // Relative, of the sum and of places.
    static constexpr float kRounding = 1e-5f, kPlaceRounding = 1e-7f;

    Points& points_;
    SpringChain chain_;
    const ImplicitSpringStep& step_;
    F slack_;  // what the rounding of places may add to the sum [m^2]
};

void SolveImplicitSpring(const PointsTask& task, size_t begin, size_t end)
{
    const double h = task.input->dt / task.input->substeps();
    solve_points<ImplicitSpringPass>(task, begin, end,
                                     prepare_implicit_spring(task.settings->spring, task.spring_rate, h));
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SolveImplicitSpring);

std::unique_ptr<Solver> make_implicit_spring_solver(const SolverSettings& settings)
{
    return std::make_unique<SpringSolver>(settings, [](const PointsTask& task, size_t begin, size_t end) {
        HWY_DYNAMIC_DISPATCH(SolveImplicitSpring)(task, begin, end);
    });
}

}  // namespace tendril
#endif
