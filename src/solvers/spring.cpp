// Masses and springs with symplectic Euler: forces at the current positions give the velocities, and these the next
// positions. [Mueller12] section 4 and [Zappe20] section 2.2.1 compare with it. See docs/springs.md.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/spring.cpp"
#include <hwy/foreach_target.h>

#include "solvers/points-inl.h"
#include "solvers/spring_limit.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Constants of all substeps, in units of displacement per substep: a spring moves its end by `stiffness` times its
/// elongation plus `damping` times the change of its length.
struct SpringStep {
    float stiffness, damping;
};

SpringStep prepare_spring(const SpringSettings& settings, double rate, double h)
{
    const double angle = h * std::sqrt(rate);
    return {static_cast<float>(angle * angle), static_cast<float>(2 * static_cast<double>(settings.damping) * angle)};
}

/// Solves the springs of one block over one substep.
class SpringPass {
public:
    using F = Points::F;
    /// Rows of this method: the displacement that becomes velocity, which is more precise than a difference of
    /// positions.
    enum Row : size_t { kDisplacement, kRows = kDisplacement + 3 };

    HWY_INLINE SpringPass(Points& points, const SpringStep& step) : points_(points), step_(step) {}

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        apply_springs(k);
        points_.pull_to_shape(k);
        for (int i = 0; i < points_.levels(); ++i) {
            const Vec3<F> displacement = points_.free_step(i) + points_.own_vector(kDisplacement, i);
            points_.set_own_vector(kDisplacement, i,
                                   select(splat<F>(0.0f) < points_.inverse_mass(i), displacement, points_.step(i)));
        }
        points_.resolve_contacts_into(k, kDisplacement);
        points_.end_substep_from(kDisplacement);
    }

private:
    /// Moves particles by the pull of the springs at the old positions and velocities. The shape comes afterwards,
    /// because its pull is implicit and only damps the motion that it is given.
    HWY_INLINE void apply_springs(int k)
    {
        Vec3<F> before = splat<F>(0.0f, 0.0f, 0.0f);
        for (int i = 0; i < points_.levels(); ++i) {
            const Vec3<F> after = i + 1 < points_.levels() ? pull(i + 1) : splat<F>(0.0f, 0.0f, 0.0f);
            const Vec3<F> by = points_.against_air(k, i, (after - before) * points_.inverse_mass(i));
            points_.set_position(i, points_.at(i) + by);
            points_.set_own_vector(kDisplacement, i, by);
            before = after;
        }
    }

    /// The displacement by which segment i pulls its ends together.
    HWY_INLINE Vec3<F> pull(int i) const
    {
        const Vec3<F> e = points_.before(i) - points_.before(i - 1), u = points_.drift(i) - points_.drift(i - 1);
        const F n = sqrt(max(dot(e, e), splat<F>(kNoDirection))), per = splat<F>(1.0f) / n;
        const F strain = n - points_.rest_length(i);
        const F force = splat<F>(step_.stiffness) * strain + splat<F>(step_.damping) * (dot(e, u) * per);
        return e * (force * per);
    }

    Points& points_;
    const SpringStep& step_;
};

void SolveSpring(const PointsTask& task, size_t begin, size_t end)
{
    const double h = task.input->dt / task.input->substeps();
    solve_points<SpringPass>(task, begin, end, prepare_spring(task.settings->spring, task.spring_rate, h));
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SolveSpring);

void solve_spring(const PointsTask& task, size_t begin, size_t end)
{
    HWY_DYNAMIC_DISPATCH(SolveSpring)(task, begin, end);
}

std::unique_ptr<Solver> make_spring_solver(const SolverSettings& settings)
{
    return std::make_unique<SpringSolver>(settings, solve_spring);
}

}  // namespace tendril
#endif
