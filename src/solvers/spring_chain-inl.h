// Newton's step for a strand whose segments are springs, or rigid: where
//     sum |x - y|^2 / 2 + energy of the segments
// is least, y being where particles would go by themselves. Its matrix is block-tridiagonal and is eliminated from the
// tip to the root. See docs/methods.md.

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
    /// Rows of its own: of a particle with all that hangs on it the factors of its mass matrix and how far it would go,
    /// of a spring in series with that its stiffness.
    enum Row : size_t { kFactors = 0, kAlone = kFactors + 6, kSeries = kAlone + 3, kRows = kSeries + 6 };

    /// A segment near where it is: across its direction it is as stiff as its tension makes it, along it by 1/`gives`
    /// more. `gives` 0 is rigid. All in units of a particle's mass over the square of the step.
    struct Spring {
        Vec3<F> along;  ///< unit vector, or zero
        F strain;       ///< how much longer it is than it wants [m]
        F across, gives;
        F carried;  ///< its tension so far
    };

    HWY_INLINE SpringChain(Points& points, size_t first_row) : points_(points), first_(first_row) {}

    /// `spring(i)` is the one that leads to particle i, `wanted(i)` is y; `done(i, step, tension)` is told from the
    /// root to the tip how far a particle goes, and what the spring before it will then carry.
    template <class SpringAt, class Wanted, class Done>
    HWY_INLINE void solve(const SpringAt& spring, const Wanted& wanted, const Done& done)
    {
        const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
        const Vec3<F> none = splat<F>(0.0f, 0.0f, 0.0f);
        Symmetric<F> series{zero, zero, zero, zero, zero, zero};
        Vec3<F> drawn = none;
        for (int i = points_.tip(); i >= 0; --i) {
            const auto free = zero < points_.lightness(i);
            const Symmetric<F> mass = plus_diagonal(series, one);
            Factors<F> f = factors_of(mass, one);
            f = {f.yx, f.zx, f.zy, select(free, f.x, zero), select(free, f.y, zero), select(free, f.z, zero)};
            const Vec3<F> alone = f.solve(wanted(i) - points_.at(i) + drawn);
            store_factors(i, f);
            set(kAlone, i, alone);
            if (i == 0) break;
            const Spring s = spring(i);
            const F along = one / max(s.gives, splat<F>(kMinToHeld));
            series = select(free, in_series(s, mass), along_and_across(s.across, along, s.along));
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
            if (i < points_.tip()) s = spring(i + 1);  // before its start is moved
            done(i, step, tension);
            parent = step;
        }
    }

private:
    // A stiffer spring to a particle that is held would leave floats no digits for the mass across it.
    static constexpr float kMinToHeld = 1e-4f;

    /// Such a spring gives more than it should: by as much as it has given so far it wants to be shorter.
    HWY_INLINE F strain(int i, const Spring& s) const
    {
        const F zero = splat<F>(0.0f), more = max(zero, splat<F>(kMinToHeld) - s.gives);
        return select(zero < points_.lightness(i), s.strain, s.strain + more * s.carried);
    }

    /// A spring of stiffness K that leads to a mass matrix M gives way like M (M + K)^-1 K, without a difference of
    /// large numbers. K is `across` on the diagonal, and more along the spring.
    HWY_INLINE Symmetric<F> in_series(const Spring& s, const Symmetric<F>& mass) const
    {
        const F one = splat<F>(1.0f);
        const Factors<F> factors = factors_of(plus_diagonal(mass, s.across), one + s.across);
        const Vec3<F> given = factors.solve(s.along), seen = mass * given;
        const F share = one / max(s.gives + dot(s.along, given), splat<F>(kNoDirection));
        const Vec3<F> x = factors.solve(mass.column(0)) * s.across, y = factors.solve(mass.column(1)) * s.across,
                      z = factors.solve(mass.column(2)) * s.across;
        return Symmetric<F>{x.x, x.y, x.z, y.y, y.z, z.z} + along_and_across(splat<F>(0.0f), share, seen);
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
