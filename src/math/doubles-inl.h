// Groups of eight doubles, for kernels that are templates over F = double or Doubles; the counterpart of simd-inl.h,
// which holds floats. Every operation is exactly rounded, so each lane gets the bits that it would get alone.

#if defined(TENDRIL_MATH_DOUBLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_MATH_DOUBLES_INL_H_
#undef TENDRIL_MATH_DOUBLES_INL_H_
#else
#define TENDRIL_MATH_DOUBLES_INL_H_
#endif

#include "math/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

inline constexpr int kDoubles = 8;
#if HWY_HAVE_FLOAT64
namespace registers = hn;
using DoubleTag = hn::CappedTag<double, kDoubles>;
using DoubleRegister = hn::Vec<DoubleTag>;
using DoubleMask = hn::Mask<DoubleTag>;
inline constexpr int kRegisterDoubles = HWY_LANES(double) < kDoubles ? HWY_LANES(double) : kDoubles;
#else
// Highway has no double vectors on WebAssembly, so one double stands for a register there.
using DoubleRegister = double;
using DoubleMask = bool;
struct DoubleTag {};
inline constexpr int kRegisterDoubles = 1;
namespace registers {
HWY_INLINE double Add(double a, double b)
{
    return a + b;
}
HWY_INLINE double Sub(double a, double b)
{
    return a - b;
}
HWY_INLINE double Mul(double a, double b)
{
    return a * b;
}
HWY_INLINE double Div(double a, double b)
{
    return a / b;
}
HWY_INLINE bool Lt(double a, double b)
{
    return a < b;
}
HWY_INLINE double Sqrt(double a)
{
    return std::sqrt(a);
}
HWY_INLINE double Abs(double a)
{
    return std::abs(a);
}
HWY_INLINE double IfThenElse(bool mask, double yes, double no)
{
    return mask ? yes : no;
}
HWY_INLINE bool And(bool a, bool b)
{
    return a && b;
}
HWY_INLINE bool Not(bool a)
{
    return !a;
}
HWY_INLINE bool AllFalse(DoubleTag, bool mask)
{
    return !mask;
}
HWY_INLINE double Set(DoubleTag, double a)
{
    return a;
}
HWY_INLINE double LoadU(DoubleTag, const double* from)
{
    return *from;
}
HWY_INLINE void StoreU(double a, DoubleTag, double* to)
{
    *to = a;
}
}  // namespace registers
#endif
inline constexpr int kDoubleRegisters = kDoubles / kRegisterDoubles;

struct Doubles {
    DoubleRegister v[kDoubleRegisters];
};
struct DoublesMask {
    DoubleMask m[kDoubleRegisters];
};

#define TENDRIL_DOUBLES_BINARY(name, result, part, op)                                        \
    HWY_INLINE result name(const Doubles& a, const Doubles& b)                                \
    {                                                                                         \
        result r;                                                                             \
        for (int i = 0; i < kDoubleRegisters; ++i) r.part[i] = registers::op(a.v[i], b.v[i]); \
        return r;                                                                             \
    }
TENDRIL_DOUBLES_BINARY(operator+, Doubles, v, Add)
TENDRIL_DOUBLES_BINARY(operator-, Doubles, v, Sub)
TENDRIL_DOUBLES_BINARY(operator*, Doubles, v, Mul)
TENDRIL_DOUBLES_BINARY(operator/, Doubles, v, Div)
TENDRIL_DOUBLES_BINARY(operator<, DoublesMask, m, Lt)
#undef TENDRIL_DOUBLES_BINARY

HWY_INLINE Doubles sqrt(const Doubles& a)
{
    Doubles r;
    for (int i = 0; i < kDoubleRegisters; ++i) r.v[i] = registers::Sqrt(a.v[i]);
    return r;
}
HWY_INLINE Doubles abs(const Doubles& a)
{
    Doubles r;
    for (int i = 0; i < kDoubleRegisters; ++i) r.v[i] = registers::Abs(a.v[i]);
    return r;
}
HWY_INLINE Doubles select(const DoublesMask& mask, const Doubles& yes, const Doubles& no)
{
    Doubles r;
    for (int i = 0; i < kDoubleRegisters; ++i) r.v[i] = registers::IfThenElse(mask.m[i], yes.v[i], no.v[i]);
    return r;
}
HWY_INLINE DoublesMask operator&(const DoublesMask& a, const DoublesMask& b)
{
    DoublesMask r;
    for (int i = 0; i < kDoubleRegisters; ++i) r.m[i] = registers::And(a.m[i], b.m[i]);
    return r;
}
HWY_INLINE DoublesMask operator!(const DoublesMask& a)
{
    DoublesMask r;
    for (int i = 0; i < kDoubleRegisters; ++i) r.m[i] = registers::Not(a.m[i]);
    return r;
}
HWY_INLINE bool any(const DoublesMask& mask)
{
    bool r = false;
    for (int i = 0; i < kDoubleRegisters; ++i) r |= !registers::AllFalse(DoubleTag(), mask.m[i]);
    return r;
}

HWY_INLINE double sqrt(double a)
{
    return std::sqrt(a);
}
HWY_INLINE double abs(double a)
{
    return std::abs(a);
}
HWY_INLINE double select(bool mask, double yes, double no)
{
    return mask ? yes : no;
}
HWY_INLINE Vec3<double> select(bool mask, const Vec3<double>& yes, const Vec3<double>& no)
{
    return mask ? yes : no;
}

/// Returns the larger of two numbers, or `b` if either is NaN.
template <class F>
HWY_INLINE F larger(const F& a, const F& b)
{
    return select(b < a, a, b);
}
template <class F>
HWY_INLINE F smaller(const F& a, const F& b)
{
    return select(a < b, a, b);
}

template <class F>
using MaskOf = decltype(F() < F());
template <class F>
inline constexpr int kLanesOf = 1;
template <>
inline constexpr int kLanesOf<Doubles> = kDoubles;

/// Broadcasts one number to all lanes.
template <class F>
HWY_INLINE F filled(double a)
{
    if constexpr (kLanesOf<F> == 1) {
        return a;
    } else {
        F r;
        for (int i = 0; i < kDoubleRegisters; ++i) r.v[i] = registers::Set(DoubleTag(), a);
        return r;
    }
}
template <class F>
HWY_INLINE Vec3<F> filled(double x, double y, double z)
{
    return {filled<F>(x), filled<F>(y), filled<F>(z)};
}

/// Loads and stores one number per lane.
template <class F>
HWY_INLINE F load_lanes(const double* from)
{
    if constexpr (kLanesOf<F> == 1) {
        return *from;
    } else {
        F r;
        for (int i = 0; i < kDoubleRegisters; ++i) r.v[i] = registers::LoadU(DoubleTag(), from + i * kRegisterDoubles);
        return r;
    }
}
HWY_INLINE void store_lanes(double a, double* to)
{
    *to = a;
}
HWY_INLINE void store_lanes(const Doubles& a, double* to)
{
    for (int i = 0; i < kDoubleRegisters; ++i) registers::StoreU(a.v[i], DoubleTag(), to + i * kRegisterDoubles);
}

template <class F>
HWY_INLINE F length(const Vec3<F>& a)
{
    return sqrt(dot(a, a));
}
/// Returns `v` scaled to unit length, or `fallback` if `v` is too short to have a direction; as in math/vectors.h.
template <class F>
HWY_INLINE Vec3<F> unit_or(const Vec3<F>& v, const Vec3<F>& fallback)
{
    const F l = length(v);
    return select(filled<F>(1e-12) < l, v * (filled<F>(1) / l), fallback);
}

/// Rounds to the nearest integer, ties to even, for |a| < 2^51: adding 1.5 * 2^52 leaves no bits for a fraction.
template <class F>
HWY_INLINE F round_to_even(const F& a)
{
    const F shift = filled<F>(0x1.8p52);
    return (a + shift) - shift;
}

#define TENDRIL_INLINE HWY_INLINE
#include "math/angle.inl"
#undef TENDRIL_INLINE

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
