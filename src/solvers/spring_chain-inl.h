// One Newton step for a strand whose segments are springs, or inextensible. It minimises
//     sum |x - y|^2 / 2 + energy of the segments
// where y are the positions that free particles would reach. The matrix is block-tridiagonal and is eliminated from the
// tip to the root. See docs/springs.md.

#if defined(TENDRIL_SOLVERS_SPRING_CHAIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_SPRING_CHAIN_INL_H_
#undef TENDRIL_SOLVERS_SPRING_CHAIN_INL_H_
#else
#define TENDRIL_SOLVERS_SPRING_CHAIN_INL_H_
#endif

#include "math/symmetric-inl.h"
#include "solvers/points-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

class SpringChain {
public:
    using F = Points::F;
    /// Rows of this class. Of a particle with everything that hangs on it: the factors of its mass matrix, and its step
    /// without the spring above it. Of that spring: its stiffness in series with that mass.
    enum Row : size_t { kFactors = 0, kAlone = kFactors + 6, kSeries = kAlone + 3, kRows = kSeries + 6 };

    /// A segment, linearised at its current position. Across its direction it has the stiffness `across`, due to its
    /// tension; along it, 1/`compliance` more. With a compliance of 0 it is inextensible. All values are in units of a
    /// particle's mass over the square of the step.
    struct Spring {
        Vec3<F> along;  ///< unit vector, or zero
        F strain;       ///< excess over its target length [m]
        F across, compliance;
        F tension;  ///< from the last iteration
    };

    HWY_INLINE SpringChain(Points& points, size_t first_row) : points_(points), first_(first_row) {}

    /// `spring(i)` returns the segment above particle i, and `predicted(i)` returns y. `done(i, step, tension)` is
    /// called from the root to the tip with the step of each particle and the new tension of the segment above it.
    template <class SpringAt, class Predicted, class Done>
    HWY_INLINE void solve(const SpringAt& spring, const Predicted& predicted, const Done& done)
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        Symmetric<F> series{zero, zero, zero, zero, zero, zero};
        Vec3<F> drawn = none;
        for (int i = points_.tip(); i >= 0; --i) {
            const auto free = zero < points_.inverse_mass(i);
            const Symmetric<F> mass = plus_diagonal(series, one);
            Factors<F> f = factors_of(mass, one);
            f = {f.yx, f.zx, f.zy, select(free, f.x, zero), select(free, f.y, zero), select(free, f.z, zero)};
            const Vec3<F> alone = f.solve(predicted(i) - points_.at(i) + drawn);
            store_factors(i, f);
            set(kAlone, i, alone);
            if (i == 0) break;
            const Spring s = spring(i);
            const F along = one / max(s.compliance, splat<F>(kMinHeldCompliance));
            series = select(free, in_series(s, mass), scaled_identity_plus_outer(s.across, along, s.along));
            drawn = series * (alone + s.along * strain(i, s));
            store_series(i, series);
        }
        Vec3<F> parent = none;
        Spring s{none, zero, zero, zero, zero};
        for (int i = 0; i < points_.levels(); ++i) {
            const Vec3<F> alone = get(kAlone, i);
            Vec3<F> step = alone;
            F tension = zero;
            if (i > 0) {
                const Vec3<F> force = load_series(i) * (alone + s.along * strain(i, s) - parent);
                step = alone - load_factors(i).solve(force);
                tension = dot(force, s.along);
            }
            if (i < points_.tip()) s = spring(i + 1);  // before `done` moves its start
            done(i, step, tension);
            parent = step;
        }
    }

private:
    // With a stiffer spring to a held particle, floats would lose the mass across it.
    static constexpr float kMinHeldCompliance = 1e-4f;

    /// The strain of a segment. A spring that was softened for this reason aims at a shorter length, by the extra
    /// elongation under its tension.
    HWY_INLINE F strain(int i, const Spring& s) const
    {
        const F zero = splat<F>(0.0f), more = max(zero, splat<F>(kMinHeldCompliance) - s.compliance);
        return select(zero < points_.inverse_mass(i), s.strain, s.strain + more * s.tension);
    }

    /// A spring of stiffness K that leads to a mass matrix M acts like M (M + K)^-1 K; this form subtracts no large
    /// numbers. K is `across` on the diagonal, plus 1/`compliance` along the spring.
    HWY_INLINE Symmetric<F> in_series(const Spring& s, const Symmetric<F>& mass) const
    {
        const F one = splat<F>(1.0f);
        const Factors<F> factors = factors_of(plus_diagonal(mass, s.across), one + s.across);
        const Vec3<F> given = factors.solve(s.along), seen = mass * given;
        const F share = one / max(s.compliance + dot(s.along, given), splat<F>(kNoDirection));
        const Vec3<F> x = factors.solve(mass.column(0)) * s.across, y = factors.solve(mass.column(1)) * s.across,
                      z = factors.solve(mass.column(2)) * s.across;
        return Symmetric<F>{x.x, x.y, x.z, y.y, y.z, z.z} + scaled_identity_plus_outer(splat<F>(0.0f), share, seen);
    }

    HWY_INLINE Vec3<F> get(size_t row, int i) const { return points_.own_vector(first_ + row, i); }
    HWY_INLINE void set(size_t row, int i, const Vec3<F>& v) { points_.set_own_vector(first_ + row, i, v); }
    HWY_INLINE void store_factors(int i, const Factors<F>& f)
    {
        set(kFactors, i, {f.yx, f.zx, f.zy});
        set(kFactors + 3, i, {f.x, f.y, f.z});
    }
    HWY_INLINE Factors<F> load_factors(int i) const
    {
        const Vec3<F> l = get(kFactors, i), d = get(kFactors + 3, i);
        return {l.x, l.y, l.z, d.x, d.y, d.z};
    }
    HWY_INLINE void store_series(int i, const Symmetric<F>& m)
    {
        set(kSeries, i, {m.xx, m.xy, m.xz});
        set(kSeries + 3, i, {m.yy, m.yz, m.zz});
    }
    HWY_INLINE Symmetric<F> load_series(int i) const
    {
        const Vec3<F> a = get(kSeries, i), b = get(kSeries + 3, i);
        return {a.x, a.y, a.z, b.x, b.y, b.z};
    }

    Points& points_;
    size_t first_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
