// Position based dynamics as printed in [Boercsoek20] B. Boercsoek: Simulation of Curly Hair, 2020: Algorithm 1 with
// the constraints of 3.3 to 3.6. pbd.cpp has the form that looks the same with any number of iterations;
// docs/equations.md compares them. Constraints on angles (section 7.2) and targets of a rest pose are not in the
// report, and not here.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/printed_pbd.cpp"
#include <hwy/foreach_target.h>

#include "solvers/points-inl.h"

#include "math/elementary.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Constants of all substeps. A substep is a step of the report.
struct PrintedPbdStep {
    const PbdSettings* settings;
    float stretch, bend;  ///< k, or k' of section 3.2
    float friction;       ///< [0, 1]
};

PrintedPbdStep prepare_printed_pbd(const PbdSettings& settings, const ContactInput& contact)
{
    const auto stiffness = [&](float k) {
        const double share = std::clamp(static_cast<double>(k), 0.0, 1.0);
        return static_cast<float>(settings.corrected_stiffness ? 1 - nth_root(1 - share, settings.iterations) : share);
    };
    return {&settings, stiffness(settings.stiffness), stiffness(settings.bend_stiffness),
            std::clamp(contact.friction, 0.0f, 1.0f)};
}

/// Algorithm 1 for one block over one substep. p_x are the old positions, p_tmp the current ones.
class PrintedPbdPass {
public:
    using F = Points::F;
    /// Rows of this method: p_tmp before contact; the normal of the plane in front of which a particle stays, its
    /// height, and the displacement of its surface.
    enum Row : size_t { kFree, kPlane = kFree + 3, kHeight = kPlane + 3, kSurface, kRows = kSurface + 3 };

    HWY_INLINE PrintedPbdPass(Points& points, const PrintedPbdStep& step) : points_(points), step_(step)
    {
        if (step.settings->mass_variation > 0) points.vary_masses(step.settings->mass_variation);
    }

    HWY_INLINE void run(int k)
    {
        points_.predict(k);  // line 6, and the position constraint of 3.6: held particles are at their goals
        damp_velocities();
        generate_collision_constraints(k);
        for (int n = 0; n < step_.settings->iterations; ++n) project_constraints();
        points_.end_substep(1.0f, [&](int i) HWY_ATTR { return points_.step(i) - velocity_after(i); });
    }

private:
    HWY_INLINE Vec3<F> free_or(int i, const Vec3<F>& free, const Vec3<F>& held) const
    {
        return select(splat<F>(0.0f) < points_.inverse_mass(i), free, held);
    }

    /// Lines 8 and 10: p_tmp = p_x + dt k_s v.
    HWY_INLINE void damp_velocities()
    {
        const F kept = splat<F>(step_.settings->velocity_kept);
        for (int i = 0; i < points_.levels(); ++i)
            points_.set_position(i, free_or(i, points_.from(i) + points_.free_step(i) * kept, points_.at(i)));
    }

    /// Line 13. Section 3.5 has the plane of a triangle; here it is that of the surface of any collider, at the point
    /// nearest to the estimate.
    HWY_NOINLINE void generate_collision_constraints(int k)
    {
        const F zero = splat<F>(0.0f);
        touches_ = false;
        for (int i = 0; i < points_.levels(); ++i) {
            points_.set_own_vector(kFree, i, points_.at(i));
            points_.set_own_vector(kPlane, i, splat<F>(0.0f, 0.0f, 0.0f));
            points_.set_own(kHeight, i, zero);
            points_.set_own_vector(kSurface, i, splat<F>(0.0f, 0.0f, 0.0f));
        }
        points_.resolve_contacts(k, [&](int i, const auto& touch, const Vec3<F>&) HWY_ATTR {
            const auto touched = zero < dot(touch.normal, touch.normal);
            touches_ = true;
            points_.set_own_vector(kPlane, i, touch.normal);
            points_.set_own_vector(kSurface, i, select(touched, touch.surface, points_.own_vector(kSurface, i)));
            points_.set_own(kHeight, i, dot(points_.at(i), touch.normal));
            points_.set_position(i, points_.own_vector(kFree, i));  // projected with the other constraints
        });
    }

    /// Line 16 and section 3.2: one after the other, distances from the scalp outwards, collisions last.
    HWY_NOINLINE void project_constraints()
    {
        for (int i = 1; i < points_.levels(); ++i) {
            if (step_.stretch > 0) keep_distance(i - 1, i, points_.rest_length(i), step_.stretch);
            const int first = i - step_.settings->bend_offset;
            if (step_.bend > 0 && first >= 0) keep_distance(first, i, bend_distance(first, i), step_.bend);
        }
        for (int i = 0; touches_ && i < points_.levels(); ++i) stay_in_front(i);
    }

    /// The d of a bending constraint, section 3.4: lower than the length between the two particles.
    HWY_INLINE F bend_distance(int first, int i) const
    {
        F reach = splat<F>(0.0f);
        for (int j = first + 1; j <= i; ++j) reach = reach + points_.rest_length(j);
        return reach * splat<F>(step_.settings->bend_distance);
    }

    /// Section 3.3, multiplied by k as in 3.2:
    ///     dp1 = -w1/(w1 + w2) (|p1 - p2| - d) n,  dp2 = +w2/(w1 + w2) (|p1 - p2| - d) n,  n = (p1 - p2)/|p1 - p2|.
    HWY_INLINE void keep_distance(int a, int b, const F& d, float k)
    {
        const F w1 = points_.inverse_mass(a), w2 = points_.inverse_mass(b);
        const Vec3<F> e = points_.at(a) - points_.at(b);
        const F far = sqrt(max(dot(e, e), splat<F>(kNoDirection)));
        const F s = (far - d) / max(w1 + w2, splat<F>(kLightest));
        const Vec3<F> n = e * (splat<F>(1.0f) / far);
        points_.set_position(a, points_.at(a) - n * (s * w1 * splat<F>(k)));
        points_.set_position(b, points_.at(b) + n * (s * w2 * splat<F>(k)));
    }

    /// Section 3.5: if (p - q1) n < 0, dp = -((p - q1) n) n.
    HWY_INLINE void stay_in_front(int i)
    {
        const Vec3<F> n = points_.own_vector(kPlane, i), p = points_.at(i);
        const F inside = min(splat<F>(0.0f), dot(p, n) - points_.own(kHeight, i));
        points_.set_position(i, free_or(i, p - n * inside, p));
    }

    /// Line 20, v = (p_tmp - p_x)/dt, and line 24. The report has no formula for "velocities of colliding particles are
    /// modified according to friction and restitution coefficients". As in its source [Mueller06]: relative to the
    /// surface, friction damps the part across the normal, and the part against the normal is reflected.
    HWY_INLINE Vec3<F> velocity_after(int i) const
    {
        const Vec3<F> u = points_.step(i);
        if (!touches_) return u;
        const Vec3<F> n = points_.own_vector(kPlane, i), surface = points_.own_vector(kSurface, i);
        const Vec3<F> slip = u - surface;
        const F along = dot(slip, n), zero = splat<F>(0.0f);
        const Vec3<F> across = (slip - n * along) * splat<F>(1 - step_.friction);
        const F bounced = select(along < zero, along * splat<F>(-points_.contact().restitution), along);
        return select(zero < dot(n, n), surface + across + n * bounced, u);
    }

    static constexpr float kLightest = 1e-12f;  // both particles are held: neither moves

    Points& points_;
    const PrintedPbdStep& step_;
    bool touches_ = false;
};

void SolvePrintedPbd(const PointsTask& task, size_t begin, size_t end)
{
    solve_points<PrintedPbdPass>(task, begin, end, prepare_printed_pbd(task.settings->pbd, task.input->contact));
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SolvePrintedPbd);

std::unique_ptr<Solver> make_printed_pbd_solver(const SolverSettings& settings)
{
    return std::make_unique<PointsSolver>(settings, [](const PointsTask& task, size_t begin, size_t end) {
        HWY_DYNAMIC_DISPATCH(SolvePrintedPbd)(task, begin, end);
    });
}

}  // namespace tendril
#endif
