// Masses and springs with implicit Euler. The positions at the end of a substep minimise
//     sum |x - y|^2 / 2 + k sum (|e| - l)^2 / 2
// where y are the positions that free particles would reach, and k is the stiffness over the mass, times h^2. Newton's
// matrix is block-tridiagonal. The negative stiffness across compressed springs is left out, which keeps the matrix
// positive definite. See docs/springs.md.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/implicit_spring.cpp"
#include <hwy/foreach_target.h>

#include "solvers/spring_chain-inl.h"
#include "solvers/spring_limit.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Constants of all substeps: the stiffness k of elasticity and damping together, and the share of damping in it. The
/// target length of a segment is its rest length, moved by that share towards its length at the start.
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

/// Solves the springs of one block over one substep.
class ImplicitSpringPass {
public:
    using F = Points::F;
    /// Rows of this method: the predictions y, the positions at the start and in the last iteration, the target length
    /// and tension of each spring, and the displacement that becomes velocity.
    enum Row : size_t {
        kPredicted,
        kStart = kPredicted + 3,
        kLast = kStart + 3,
        kTargetLength = kLast + 3,
        kTension,
        kDisplacement,
        kChain = kDisplacement + 3,
        kRows = kChain + SpringChain::kRows
    };

    HWY_INLINE ImplicitSpringPass(Points& points, const ImplicitSpringStep& step)
        : points_(points), chain_(points, kChain), step_(step)
    {
        const F rounding = points.reach() * splat<F>(kPositionRounding),
                count = splat<F>(static_cast<float>(points.levels()));
        slack_ = rounding * rounding * count * stiffness();
    }

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        points_.pull_to_shape(k);
        begin();
        const F start = objective();
        for (int n = 0; n < step_.iterations; ++n) iterate();
        if (const F worse = exceeds(start); any(splat<F>(0.0f) < worse)) restart(worse);
        for (int i = 0; i < points_.levels(); ++i) points_.set_own_vector(kDisplacement, i, points_.step(i));
        points_.resolve_contacts_into(k, kDisplacement);
        points_.end_substep_from(kDisplacement);
    }

private:
    HWY_INLINE auto is_free(int i) const { return splat<F>(0.0f) < points_.inverse_mass(i); }
    HWY_INLINE F stiffness() const { return splat<F>(step_.stiffness); }

    /// Starts from the old positions. There the objective is the current energy of the particles, and the result must
    /// not exceed it.
    HWY_INLINE void begin()
    {
        for (int i = 0; i < points_.levels(); ++i) {
            points_.set_own_vector(kPredicted, i, points_.at(i));
            points_.set_position(i, select(is_free(i), points_.from(i), points_.at(i)));
            points_.set_own_vector(kStart, i, points_.at(i));
            if (i == 0) continue;
            const Vec3<F> e = points_.before(i) - points_.before(i - 1);
            const F l = points_.rest_length(i), n = sqrt(max(dot(e, e), splat<F>(kNoDirection)));
            const F wanted = l + (n - l) * splat<F>(step_.damped);
            points_.set_own(kTargetLength, i, wanted);
            points_.set_own(kTension, i, stiffness() * (n - wanted));
        }
    }

    /// One Newton iteration, with the tensions of the previous one. The strain of a spring that has just rotated is not
    /// a tension that it ever carries; used as one, it would make the spring so stiff across that it hardly rotates
    /// further.
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
                points_.set_position(i, points_.at(i) + step);
                points_.set_own(kTension, i, tension);
            });
    }

    /// Strands that have gained energy start again, with iterations that may not raise the objective. The first choice
    /// is Newton's own, with the current strains. If it raises the objective, springs are made as stiff across as
    /// along: the quadratic model is then nowhere below the objective and equals it at the current positions, so the
    /// objective falls.
    HWY_NOINLINE void restart(const F& worse)
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        restore(worse, kStart);
        for (int n = 0; n < step_.iterations; ++n) {
            const F before = objective();
            for (int i = 0; i < points_.levels(); ++i) points_.set_own_vector(kLast, i, points_.at(i));
            descend(worse, zero);
            const F raised = exceeds(before) * worse;
            if (!any(zero < raised)) continue;
            restore(raised, kLast);
            descend(raised, one);
        }
    }
    HWY_NOINLINE void descend(const F& these, const F& least_across)
    {
        const F zero = splat<F>(0.0f);
        chain_.solve(
            [&](int i) HWY_ATTR {
                const F n = length_of(i), strain = n - points_.own(kTargetLength, i);
                return spring(i, n, stiffness() * max(least_across, max(zero, strain / n)), stiffness() * strain);
            },
            [&](int i) HWY_ATTR { return points_.own_vector(kPredicted, i); },
            [&](int i, const Vec3<F>& step, const F&)
                HWY_ATTR { points_.set_position(i, select(zero < these, points_.at(i) + step, points_.at(i))); });
    }
    HWY_INLINE void restore(const F& these, Row row)
    {
        for (int i = 0; i < points_.levels(); ++i)
            points_.set_position(i, select(splat<F>(0.0f) < these, points_.own_vector(row, i), points_.at(i)));
    }

    /// 1 for strands whose objective exceeds its earlier value.
    HWY_INLINE F exceeds(const F& before) const
    {
        const F none = splat<F>(0.0f), all = splat<F>(1.0f);
        return select(objective() < before * splat<F>(1 + kRounding) + slack_, none, all);
    }

    /// Twice the objective: energy in units of mass over 2 h^2.
    HWY_NOINLINE F objective() const
    {
        F all = splat<F>(0.0f);
        for (int i = 0; i < points_.levels(); ++i) {
            const Vec3<F> off = points_.at(i) - points_.own_vector(kPredicted, i);
            all = all + dot(off, off);  // zero where it is held
            if (i == 0) continue;
            const F strain = length_of(i) - points_.own(kTargetLength, i);
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
        return {e * (one / length), length - points_.own(kTargetLength, i), across, one / more, carried};
    }

    // Relative rounding errors of the objective and of positions.
    static constexpr float kRounding = 1e-5f, kPositionRounding = 1e-7f;

    Points& points_;
    SpringChain chain_;
    const ImplicitSpringStep& step_;
    F slack_;  // possible effect of rounded positions on the objective [m^2]
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
