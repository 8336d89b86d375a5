// Shape constraints in the manner of TressFX, [Zappe20] Algorithm 1, after [Han12]: particles are pulled to their
// positions in the rest pose, bends to those of the rest pose, and segments to their lengths. A root that is jerked
// takes its strand along. See docs/tressfx.md.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tressfx.cpp"
#include <hwy/foreach_target.h>

#include "solvers/points-inl.h"

#include "math/elementary.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Constants of all substeps.
struct TressfxStep {
    const TressfxSettings* settings;
    int iterations;
    float kept, kept_in_shock;  ///< share of the velocity that damping leaves
    float jump;                 ///< change of the displacement of a root above which a substep is a shock [m]
    float dashpot;              ///< share of the motion of a segment that it removes
};

TressfxStep prepare_tressfx(const SolverSettings& settings, double h)
{
    const TressfxSettings& s = settings.tressfx;
    const double damping = static_cast<double>(settings.pbd.damping);
    // All iterations together remove the share s of an error, as a spring of stiffness k h^2 = s / (1 - s) does. It
    // comes with a dashpot of 2 sqrt(k) h.
    double left = 1;
    for (int n = 0; n < s.local_iterations; ++n) left *= 1 - static_cast<double>(s.local_stiffness);
    const double twice = 2 * std::sqrt((1 - left) * left);
    return {&s,
            settings.pbd.iterations,
            static_cast<float>(exp_minus(damping * h)),
            static_cast<float>(exp_minus((damping + static_cast<double>(s.shock_damping)) * h)),
            static_cast<float>(static_cast<double>(s.shock_acceleration) * h * h),
            static_cast<float>(twice / (1 + twice))};
}

/// Solves the constraints of one block over one substep.
class TressfxPass {
public:
    using F = Points::F;
    /// Rows of this method: the part of a displacement that is not velocity.
    enum Row : size_t { kKick, kRows = kKick + 3 };

    HWY_INLINE TressfxPass(Points& points, const TressfxStep& step) : points_(points), step_(step) {}

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        const F shock = follow_jerked_root();
        if (points_.has_shape()) {
            if (step_.settings->global_stiffness > 0) pull_to_positions(k);
            if (step_.settings->local_stiffness > 0)
                for (int n = 1; n <= step_.settings->local_iterations; ++n)
                    pull_to_bends(k, n == step_.settings->local_iterations ? step_.dashpot : 0.0f);
        }
        for (int n = 0; n < step_.iterations; ++n)
            for (int i = 1; i < points_.levels(); ++i) keep_length(i);
        if (any(splat<F>(0.0f) < shock)) restore_from_root(shock);
        points_.resolve_contacts(k, [&](int i, const auto&, const Vec3<F>& kick) HWY_ATTR {
            points_.set_own_vector(kKick, i, points_.own_vector(kKick, i) + kick);
        });
        const auto in_shock = splat<F>(0.0f) < shock;
        const F kept = select(in_shock, splat<F>(step_.kept_in_shock), splat<F>(step_.kept));
        points_.end_substep(1.0f, [&](int i) HWY_ATTR {
            const Vec3<F> step = points_.step(i), kick = points_.own_vector(kKick, i);
            // Corrections in a shock are not velocity.
            const Vec3<F> left = select(in_shock, points_.free_step(i), step - kick) * kept;
            return select(splat<F>(0.0f) < points_.inverse_mass(i), step - left, kick);
        });
    }

private:
    /// Returns 1 for strands whose root accelerates too much. Their particles follow its displacement by the share
    /// `shock_follow` and their own by the rest.
    HWY_INLINE F follow_jerked_root()
    {
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f), jump = points_.root_jump();
        const auto jerked = splat<F>(step_.jump * step_.jump) < dot(jump, jump);
        for (int i = 0; i < points_.levels(); ++i) {
            points_.set_own_vector(kKick, i, none);
            const Vec3<F> along = (points_.root_step() - points_.drift(i)) * splat<F>(step_.settings->shock_follow);
            if (any(jerked)) move(i, select(jerked, along, none));
        }
        return select(jerked, splat<F>(1.0f), splat<F>(0.0f));
    }

    /// Global shape constraints.
    HWY_INLINE void pull_to_positions(int k)
    {
        const float range = step_.settings->global_range * static_cast<float>(points_.levels() - 1);
        auto shape = points_.shape(k);
        Vec3<F> position = points_.at(0);
        for (int i = 1; i < points_.levels() && static_cast<float>(i) < range; ++i) {
            const float share = step_.settings->global_stiffness * (1 - static_cast<float>(i) / range);
            position += shape.aim(i, points_.rest_length(i)).edge;
            move(i, (position - points_.at(i)) * splat<F>(share));
        }
    }

    /// Local shape constraints: the end of a segment moves to its target in the frame of the previous segment. After
    /// the last iteration, the dashpot of docs/shape.md damps its rotation relative to the root; without it curls would
    /// flutter.
    HWY_INLINE void pull_to_bends(int k, float dashpot)
    {
        auto shape = points_.shape(k);
        const F stiffness = splat<F>(step_.settings->local_stiffness), damping = splat<F>(dashpot);
        for (int i = 1; i < points_.levels(); ++i) {
            const F l = points_.rest_length(i);
            const Vec3<F> e = points_.at(i) - points_.at(i - 1), old = points_.before(i) - points_.before(i - 1);
            const Vec3<F> drawn = e + (shape.local_target(i, l) - e) * stiffness;
            move(i, drawn + (shape.swung(old) - drawn) * damping - e);
            const Vec3<F> f = points_.at(i) - points_.at(i - 1);
            shape.pass(f * scale_to_length(l, max(dot(f, f), splat<F>(kNoDirection))));
        }
    }

    /// Edge length constraints, as in position based dynamics.
    HWY_INLINE void keep_length(int i)
    {
        const F wa = points_.inverse_mass(i - 1), wb = points_.inverse_mass(i);
        const Vec3<F> e = points_.at(i) - points_.at(i - 1);
        const F n = sqrt(max(dot(e, e), splat<F>(kNoDirection)));
        const F share = (points_.rest_length(i) - n) / (max(wa + wb, splat<F>(1.0f)) * n);
        move(i - 1, e * (splat<F>(0.0f) - share));
        move(i, e * share);
    }

    /// In a shock, iterations converge too late: puts every particle at its length from the previous one.
    HWY_NOINLINE void restore_from_root(const F& shock)
    {
        for (int i = 1; i < points_.levels(); ++i) {
            const Vec3<F> e = points_.at(i) - points_.at(i - 1);
            const F scale = scale_to_length(points_.rest_length(i), max(dot(e, e), splat<F>(kNoDirection)));
            move(i, (e * scale - e) * shock);
        }
    }

    HWY_INLINE void move(int i, const Vec3<F>& by)
    {
        points_.set_position(i, points_.at(i) + by * points_.inverse_mass(i));
    }

    Points& points_;
    const TressfxStep& step_;
};

void SolveTressfx(const PointsTask& task, size_t begin, size_t end)
{
    const double h = task.input->dt / task.input->substeps();
    solve_points<TressfxPass>(task, begin, end, prepare_tressfx(*task.settings, h));
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SolveTressfx);

std::unique_ptr<Solver> make_tressfx_solver(const SolverSettings& settings)
{
    return std::make_unique<PointsSolver>(settings, [](const PointsTask& task, size_t begin, size_t end) {
        HWY_DYNAMIC_DISPATCH(SolveTressfx)(task, begin, end);
    });
}

}  // namespace tendril
#endif
