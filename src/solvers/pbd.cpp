// Position based dynamics. [Boercsoek20] B. Boercsoek: Simulation of Curly Hair, 2020; the compliance is that of XPBD,
// [Macklin16] M. Macklin, M. Mueller, N. Chentanez: XPBD, MIG 2016. See docs/methods.md.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/pbd.cpp"
#include <hwy/foreach_target.h>

#include "solvers/points-inl.h"

#include "math/elementary.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Stiffness of one kind of constraint: the share of its error that an iteration removes, and its compliance over the
/// squared substep, in units where most particles have the mass 1.
struct ConstraintStiffness {
    float share = 1, compliance = 0;
    bool on = true;
};

/// Constants of all substeps.
struct PbdStep {
    const PbdSettings* settings;
    ConstraintStiffness stretch, bend, turn;
    float chord;  ///< 2 sin(angle / 2)
    float kept;   ///< share of the velocity that damping leaves
};

PbdStep prepare_pbd(const SolverSettings& settings, double h)
{
    const PbdSettings& s = settings.pbd;
    const bool compliant = settings.type == SolverType::kXpbd;
    const auto give = [&](float k) {
        ConstraintStiffness g;
        g.on = k > 0;
        if (compliant)
            g.compliance = g.on ? static_cast<float>(1 / (static_cast<double>(k) * h * h)) : 0;
        else
            g.share = static_cast<float>(1 - nth_root(1 - std::min(1.0, static_cast<double>(k)), s.iterations));
        return g;
    };
    PbdStep step{&s,
                 give(compliant ? s.stretch_stiffness : s.stiffness),
                 give(s.bend_stiffness),
                 give(s.angle_stiffness),
                 static_cast<float>(2 * sin_cos(0.5 * static_cast<double>(s.angle)).sin),
                 static_cast<float>(exp_minus(static_cast<double>(s.damping) * h))};
    if (compliant) step.stretch.on = true;  // a stiffness of 0 means inextensible
    return step;
}

/// Solves the constraints of one block over one substep.
class PbdPass {
public:
    using F = Points::F;
    /// Rows of this method: the multipliers of the three kinds, the plane that a particle stays in front of, and the
    /// displacement of its surface.
    enum Row : size_t { kStretch, kBend, kTurn, kPlane, kHeight = kPlane + 3, kSurface, kRows = kSurface + 3 };

    HWY_INLINE PbdPass(Points& points, const PbdStep& step) : points_(points), step_(step)
    {
        if (step.settings->mass_variation > 0) points.vary_masses(step.settings->mass_variation);
    }

    HWY_INLINE void run(int k)
    {
        points_.predict(k);
        points_.pull_to_shape(k);
        for (int i = 0; i < points_.levels(); ++i)
            for (size_t row = 0; row < kRows; ++row) points_.set_own(row, i, splat<F>(0.0f));
        touches_ = false;
        find_planes(k);
        for (int n = 0; n < step_.settings->iterations; ++n) iterate();
        find_planes(k);  // moves particles out that iterations have left inside a collider
        points_.end_substep(step_.kept, [&](int i) HWY_ATTR {
            const Vec3<F> n = points_.own_vector(kPlane, i);
            // A push out of a collider is not velocity.
            return n * max(splat<F>(0.0f), dot(points_.step(i) - points_.own_vector(kSurface, i), n));
        });
    }

private:
    /// Moves particles out of colliders and stores the planes of contact, which take part in every iteration.
    HWY_NOINLINE void find_planes(int k)
    {
        points_.resolve_contacts(k, [&](int i, const auto& touch, const Vec3<F>&) HWY_ATTR {
            touches_ = true;
            const auto touched = splat<F>(0.0f) < dot(touch.normal, touch.normal);
            points_.set_own_vector(kPlane, i, select(touched, touch.normal, points_.own_vector(kPlane, i)));
            points_.set_own_vector(kSurface, i, select(touched, touch.surface, points_.own_vector(kSurface, i)));
            const F height = dot(points_.at(i), touch.normal);
            points_.set_own(kHeight, i, select(touched, height, points_.own(kHeight, i)));
        });
    }

    HWY_NOINLINE void iterate()
    {
        for (int i = 1; i < points_.levels(); ++i) {
            const F l = points_.rest_length(i);
            if (step_.stretch.on) keep_distance(i - 1, i, l, step_.stretch, kStretch);
            if (step_.turn.on && i > 1) turn(i, step_.turn);
            const int first = i - step_.settings->bend_offset;
            if (step_.bend.on && first >= 0) {
                F reach = splat<F>(0.0f);
                for (int j = first + 1; j <= i; ++j) reach = reach + points_.rest_length(j);
                keep_distance(first, i, reach * splat<F>(step_.settings->bend_distance), step_.bend, kBend);
            }
            if (touches_) stay_in_front(i);
        }
    }

    /// The step of a constraint along its gradient: -C over the sum of its squared gradients weighted by inverse mass,
    /// or 0 if that sum vanishes. With compliance, the multiplier so far reduces it.
    HWY_INLINE F stride(const F& c, const F& weight, const ConstraintStiffness& give, size_t row, int i)
    {
        const F compliance = splat<F>(give.compliance), sum = weight + compliance;
        const F multiplier = points_.own(row, i);
        const F change = (splat<F>(0.0f) - c - compliance * multiplier) / max(sum, splat<F>(1e-12f));
        const F taken = select(splat<F>(1e-9f) < weight, change * splat<F>(give.share), splat<F>(0.0f));
        if (give.compliance > 0) points_.set_own(row, i, multiplier + taken);
        return taken;
    }

    /// Moves two particles to a distance.
    HWY_INLINE void keep_distance(int a, int b, const F& distance, const ConstraintStiffness& give, size_t row)
    {
        const F wa = points_.inverse_mass(a), wb = points_.inverse_mass(b);
        const Vec3<F> e = points_.at(b) - points_.at(a);
        const F n = sqrt(max(dot(e, e), splat<F>(kNoDirection)));
        const F taken = stride(n - distance, wa + wb, give, row, b) / n;
        points_.set_position(a, points_.at(a) - e * (taken * wa));
        points_.set_position(b, points_.at(b) + e * (taken * wb));
    }

    /// Turns two segments to an angle, by the chord between their directions: 2 sin(angle/2) has a gradient where the
    /// strand is straight.
    HWY_INLINE void turn(int i, const ConstraintStiffness& give)
    {
        const Vec3<F> p0 = points_.at(i - 2), p1 = points_.at(i - 1), p2 = points_.at(i);
        const Vec3<F> e1 = p1 - p0, e2 = p2 - p1;
        const F one = splat<F>(1.0f);
        const F per1 = one / sqrt(max(dot(e1, e1), splat<F>(kNoDirection)));
        const F per2 = one / sqrt(max(dot(e2, e2), splat<F>(kNoDirection)));
        const Vec3<F> a = e1 * per1, b = e2 * per2, d = b - a;
        const F chord = sqrt(max(dot(d, d), splat<F>(1e-14f)));
        const Vec3<F> n = d * (one / chord);
        const Vec3<F> g0 = (n - a * dot(a, n)) * per1, g2 = (n - b * dot(b, n)) * per2;
        const Vec3<F> g1 = splat<F>(0.0f, 0.0f, 0.0f) - g0 - g2;
        const F w0 = points_.inverse_mass(i - 2), w1 = points_.inverse_mass(i - 1), w2 = points_.inverse_mass(i);
        // The length of the segment converts an error of the angle to metres.
        const F l = points_.rest_length(i);
        // The gradient vanishes where the strand is folded back; this bounds the step.
        const F least = (w0 + w1 + w2) * splat<F>(0.1f);
        const F weight = max(least, (w0 * dot(g0, g0) + w1 * dot(g1, g1) + w2 * dot(g2, g2)) * l * l);
        const F taken = stride((chord - splat<F>(step_.chord)) * l, weight, give, kTurn, i) * l;
        points_.set_position(i - 2, p0 + g0 * (taken * w0));
        points_.set_position(i - 1, p1 + g1 * (taken * w1));
        points_.set_position(i, p2 + g2 * (taken * w2));
    }

    HWY_INLINE void stay_in_front(int i)
    {
        const Vec3<F> n = points_.own_vector(kPlane, i), p = points_.at(i);
        const F behind = min(splat<F>(0.0f), dot(p, n) - points_.own(kHeight, i));
        points_.set_position(
            i, p - n * (behind * select(splat<F>(0.0f) < points_.inverse_mass(i), splat<F>(1.0f), splat<F>(0.0f))));
    }

    Points& points_;
    const PbdStep& step_;
    bool touches_ = false;
};

void SolvePbd(const PointsTask& task, size_t begin, size_t end)
{
    solve_points<PbdPass>(task, begin, end, prepare_pbd(*task.settings, task.input->dt / task.input->substeps()));
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SolvePbd);

std::unique_ptr<Solver> make_pbd_solver(const SolverSettings& settings)
{
    return std::make_unique<PointsSolver>(settings, [](const PointsTask& task, size_t begin, size_t end) {
        HWY_DYNAMIC_DISPATCH(SolvePbd)(task, begin, end);
    });
}

}  // namespace tendril
#endif
