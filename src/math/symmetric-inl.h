// Symmetric 3 x 3 matrices, for one float and for lanes.

#if defined(TENDRIL_MATH_SYMMETRIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_MATH_SYMMETRIC_INL_H_
#undef TENDRIL_MATH_SYMMETRIC_INL_H_
#else
#define TENDRIL_MATH_SYMMETRIC_INL_H_
#endif

#include "math/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

template <class F>
struct Symmetric {
    F xx, xy, xz, yy, yz, zz;

    HWY_INLINE Vec3<F> column(int k) const
    {
        return k == 0 ? Vec3<F>{xx, xy, xz} : k == 1 ? Vec3<F>{xy, yy, yz} : Vec3<F>{xz, yz, zz};
    }
};

/// a I + b v v^T.
template <class F>
HWY_INLINE Symmetric<F> scaled_identity_plus_outer(const F& a, const F& b, const Vec3<F>& v)
{
    const Vec3<F> w = v * b;
    return {a + w.x * v.x, w.x * v.y, w.x * v.z, a + w.y * v.y, w.y * v.z, a + w.z * v.z};
}

template <class F>
HWY_INLINE Symmetric<F> operator+(const Symmetric<F>& a, const Symmetric<F>& b)
{
    return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

template <class F>
HWY_INLINE Symmetric<F> plus_diagonal(const Symmetric<F>& m, const F& a)
{
    return {m.xx + a, m.xy, m.xz, m.yy + a, m.yz, m.zz + a};
}

template <class F>
HWY_INLINE Vec3<F> operator*(const Symmetric<F>& m, const Vec3<F>& v)
{
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

template <class M, class F>
HWY_INLINE Symmetric<F> select(const M& mask, const Symmetric<F>& yes, const Symmetric<F>& no)
{
    return {select(mask, yes.xx, no.xx), select(mask, yes.xy, no.xy), select(mask, yes.xz, no.xz),
            select(mask, yes.yy, no.yy), select(mask, yes.yz, no.yz), select(mask, yes.zz, no.zz)};
}

/// L D L^T factorization of a positive definite matrix: the entries of L below the diagonal, and the inverse of D.
template <class F>
struct Factors {
    F yx, zx, zy, x, y, z;

    HWY_INLINE Vec3<F> solve(const Vec3<F>& b) const
    {
        const F by = b.y - yx * b.x, bz = b.z - zx * b.x - zy * by;
        const F az = bz * z, ay = by * y - zy * az;
        return {b.x * x - yx * ay - zx * az, ay, az};
    }
};

/// `least` is a known lower bound on the eigenvalues; a smaller pivot is due to rounding and is raised to it.
template <class F>
HWY_INLINE Factors<F> factors_of(const Symmetric<F>& m, const F& least)
{
    const F one = splat<F>(1.0f);
    const F x = one / max(m.xx, least), yx = m.xy * x, zx = m.xz * x;
    const F y = one / max(m.yy - yx * m.xy, least), yz = m.yz - yx * m.xz, zy = yz * y;
    const F z = one / max(m.zz - zx * m.xz - zy * yz, least);
    return {yx, zx, zy, x, y, z};
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
