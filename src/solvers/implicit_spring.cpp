// Masses and springs with implicit Euler: the places at the end of a substep are where
//     sum |x - y|^2 / 2 + k sum (|e| - l)^2 / 2
// is least, y being where particles would go by themselves and k the stiffness over the mass times h^2. Newton's
// matrix is block-tridiagonal; what of a spring's stiffness is negative is left out, so that it is positive definite.
// See docs/methods.md.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/implicit_spring.cpp"
#include <hwy/foreach_target.h>

#include "math/symmetric-inl.h"
#include "solvers/points-inl.h"

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
    /// Rows of its own: y, the last places, the length that a spring wants, and the eliminated system: of a particle
    /// with all that hangs on it the factors of its mass matrix and how far it would go, of a spring in series with
    /// that its stiffness. Last, what becomes velocity.
    enum Row : size_t {
        kPredicted,
        kLast = kPredicted + 3,
        kWanted = kLast + 3,
        kFactors,
        kAlone = kFactors + 6,
        kSeries = kAlone + 3,
        kGone = kSeries + 6,
        kRows = kGone + 3
    };

    HWY_INLINE ImplicitSpringPass(Points& points, const ImplicitSpringStep& step) : points_(points), step_(step)
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
        for (int n = 0; n < step_.iterations; ++n) iterate();
        for (int i = 0; i < points_.levels(); ++i) points_.set_own_vector(kGone, i, points_.step(i));
        points_.meet_bodies_into(k, kGone);
        points_.take_over_from(kGone);
    }

private:
    struct Spring {
        Vec3<F> along;  // unit vector, or zero
        F strain;       // how much longer it is than it wants [m]
        F across;       // its stiffness across, by its tension
    };

    HWY_INLINE auto is_free(int i) const { return splat<F>(0.0f) < points_.lightness(i); }
    HWY_INLINE F stiffness() const { return splat<F>(step_.stiffness); }

    /// From where particles were: there the sum is the energy that they have, and no iteration adds to it.
    HWY_INLINE void begin()
    {
        for (int i = 0; i < points_.levels(); ++i) {
            points_.set_own_vector(kPredicted, i, points_.at(i));
            points_.put(i, select(is_free(i), points_.from(i), points_.at(i)));
            if (i == 0) continue;
            const Vec3<F> e = points_.before(i) - points_.before(i - 1);
            const F l = points_.rest_length(i), n = sqrt(max(dot(e, e), splat<F>(kNoDirection)));
            points_.set_own(kWanted, i, l + (n - l) * splat<F>(step_.damped));
        }
    }

    /// One step of Newton; where that has raised the sum, one that cannot.
    HWY_INLINE void iterate()
    {
        const F before = sum();
        for (int i = 0; i < points_.levels(); ++i) points_.set_own_vector(kLast, i, points_.at(i));
        const F none = splat<F>(0.0f), all = splat<F>(1.0f);
        solve(none, all);
        const F worse = select(sum() < before * splat<F>(1 + kRounding) + slack_, none, all);
        if (!any(none < worse)) return;
        for (int i = 0; i < points_.levels(); ++i)
            points_.put(i, select(none < worse, points_.own_vector(kLast, i), points_.at(i)));
        solve(all, worse);
    }

    /// Energy in units of mass over 2 h^2.
    HWY_INLINE F sum() const
    {
        F all = splat<F>(0.0f);
        for (int i = 0; i < points_.levels(); ++i) {
            const Vec3<F> off = points_.at(i) - points_.own_vector(kPredicted, i);
            all = all + dot(off, off);  // zero where it is held
            if (i == 0) continue;
            const F strain = spring(i, points_.at(i) - points_.at(i - 1), splat<F>(0.0f)).strain;
            all = all + stiffness() * (strain * strain);
        }
        return all;
    }

    /// `safe`: 1 where the spring is to be as stiff across as it is along. The sum is then nowhere above what is
    /// minimised, and equal to it here, so it falls.
    HWY_INLINE Spring spring(int i, const Vec3<F>& e, const F& safe) const
    {
        const F n = sqrt(max(dot(e, e), splat<F>(kNoDirection))), per = splat<F>(1.0f) / n;
        const F strain = n - points_.own(kWanted, i);
        const F across = max(splat<F>(0.0f), strain * per);
        return {e * per, strain, stiffness() * max(safe, across)};
    }

    /// A spring of stiffness K that leads to a mass matrix M gives way like M (M + K)^-1 K, without a difference of
    /// large numbers. K is `across` on the diagonal, and along the spring the rest of k.
    HWY_INLINE Symmetric<F> in_series(const Spring& s, const Symmetric<F>& mass) const
    {
        const F one = splat<F>(1.0f), more = max(splat<F>(0.0f), stiffness() - s.across);
        const Factors<F> factors = factors_of(plus_diagonal(mass, s.across), one + s.across);
        const Vec3<F> given = factors.solve(s.along), seen = mass * given;
        const F share = more / (one + more * dot(s.along, given));
        const Vec3<F> x = factors.solve(mass.column(0)) * s.across, y = factors.solve(mass.column(1)) * s.across,
                      z = factors.solve(mass.column(2)) * s.across;
        return Symmetric<F>{x.x, x.y, x.z, y.y, y.z, z.z} + along_and_across(splat<F>(0.0f), share, seen);
    }

    /// From the tip to the root, every particle with what hangs on it becomes one; back again, each is told how far the
    /// one before it goes. `taken`: 1 for strands that go there.
    HWY_INLINE void solve(const F& safe, const F& taken)
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        Symmetric<F> series{zero, zero, zero, zero, zero, zero};
        Vec3<F> drawn = none;
        for (int i = points_.levels() - 1; i >= 0; --i) {
            const auto free = is_free(i);
            const Symmetric<F> mass = plus_diagonal(series, one);
            Factors<F> f = factors_of(mass, one);
            f = {f.yx, f.zx, f.zy, select(free, f.x, zero), select(free, f.y, zero), select(free, f.z, zero)};
            const Vec3<F> alone = f.solve(points_.own_vector(kPredicted, i) - points_.at(i) + drawn);
            store_factors(i, f);
            points_.set_own_vector(kAlone, i, alone);
            if (i == 0) break;
            const Spring s = spring(i, points_.at(i) - points_.at(i - 1), safe);
            const Symmetric<F> to_held = along_and_across(s.across, max(zero, stiffness() - s.across), s.along);
            series = select(free, in_series(s, mass), to_held);
            drawn = series * (alone + s.along * s.strain);
            store_series(i, series);
        }
        Vec3<F> parent = none, step = none;
        for (int i = 0; i < points_.levels(); ++i) {
            const Vec3<F> x = points_.at(i), alone = points_.own_vector(kAlone, i);
            Vec3<F> next = alone;
            if (i > 0) {
                const Spring s = spring(i, x - parent, safe);
                next = alone - load_factors(i).solve(load_series(i) * (alone + s.along * s.strain - step));
            }
            points_.put(i, select(zero < taken, x + next, x));
            parent = x, step = next;
        }
    }

    HWY_INLINE void store_factors(int i, const Factors<F>& f)
    {
        points_.set_own_vector(kFactors, i, {f.yx, f.zx, f.zy});
        points_.set_own_vector(kFactors + 3, i, {f.x, f.y, f.z});
    }
    HWY_INLINE Factors<F> load_factors(int i) const
    {
        const Vec3<F> l = points_.own_vector(kFactors, i), d = points_.own_vector(kFactors + 3, i);
        return {l.x, l.y, l.z, d.x, d.y, d.z};
    }
    HWY_INLINE void store_series(int i, const Symmetric<F>& m)
    {
        points_.set_own_vector(kSeries, i, {m.xx, m.xy, m.xz});
        points_.set_own_vector(kSeries + 3, i, {m.yy, m.yz, m.zz});
    }
    HWY_INLINE Symmetric<F> load_series(int i) const
    {
        const Vec3<F> a = points_.own_vector(kSeries, i), b = points_.own_vector(kSeries + 3, i);
        return {a.x, a.y, a.z, b.x, b.y, b.z};
    }

    // Relative, of the sum and of places.
    static constexpr float kRounding = 1e-5f, kPlaceRounding = 1e-7f;

    Points& points_;
    const ImplicitSpringStep& step_;
    F slack_;  // what the rounding of places may add to the sum [m^2]
};

void SolveImplicitSpring(const PointsTask& task, size_t begin, size_t end)
{
    const double h = task.input->dt / task.input->substeps();
    solve_points<ImplicitSpringPass>(task, begin, end,
                                     prepare_implicit_spring(task.settings->spring, task.input->spring_rate, h));
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(SolveImplicitSpring);

void solve_implicit_spring(const PointsTask& task, size_t begin, size_t end)
{
    HWY_DYNAMIC_DISPATCH(SolveImplicitSpring)(task, begin, end);
}

}  // namespace tendril
#endif
