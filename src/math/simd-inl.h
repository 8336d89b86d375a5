// SIMD lane groups for kernels that Highway compiles once per instruction set. A kernel is a template over F, which is
// float (one strand) or Lanes<B> (16 strands of each of B blocks). Every operation below is exactly rounded, so a
// strand gets the same bits with every F and every instruction set.

#if defined(TENDRIL_MATH_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_MATH_SIMD_INL_H_
#undef TENDRIL_MATH_SIMD_INL_H_
#else
#define TENDRIL_MATH_SIMD_INL_H_
#endif

#include "math/bits.h"
#include "tendril/vec3.h"

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#define TENDRIL_INLINE HWY_INLINE
#include "tendril/detail/vec3.inl"
#undef TENDRIL_INLINE

inline constexpr int kBlockLanes = 16;
using LaneTag = hn::CappedTag<float, kBlockLanes>;
using LaneVector = hn::Vec<LaneTag>;
using LaneMask = hn::Mask<LaneTag>;
inline constexpr int kRegisterLanes = HWY_LANES(float) < kBlockLanes ? HWY_LANES(float) : kBlockLanes;
inline constexpr int kBlockRegisters = kBlockLanes / kRegisterLanes;

template <int Blocks>
struct Lanes {
    static constexpr int kRegisters = Blocks * kBlockRegisters;
    LaneVector v[kRegisters];
};

template <int Blocks>
struct LanesMask {
    LaneMask m[Lanes<Blocks>::kRegisters];
};

/// One integer per lane, used as an index into memory.
using IntTag = hn::RebindToSigned<LaneTag>;
template <int Blocks>
struct IntLanes {
    hn::Vec<IntTag> v[Lanes<Blocks>::kRegisters];
};

/// Enough blocks to hide the latency of the recurrence along a strand, which needs 16 to 32 independent strands in
/// flight.
using WideLanes = Lanes<kBlockRegisters == 1 ? 2 : 1>;

#define TENDRIL_LANES_BINARY(name, op)                                                  \
    template <int B>                                                                    \
    HWY_INLINE Lanes<B> name(const Lanes<B>& a, const Lanes<B>& b)                      \
    {                                                                                   \
        Lanes<B> r;                                                                     \
        for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::op(a.v[i], b.v[i]); \
        return r;                                                                       \
    }
TENDRIL_LANES_BINARY(operator+, Add)
TENDRIL_LANES_BINARY(operator-, Sub)
TENDRIL_LANES_BINARY(operator*, Mul)
TENDRIL_LANES_BINARY(operator/, Div)
TENDRIL_LANES_BINARY(min, Min)
TENDRIL_LANES_BINARY(max, Max)
#undef TENDRIL_LANES_BINARY

template <int B>
HWY_INLINE Lanes<B> sqrt(const Lanes<B>& a)
{
    Lanes<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::Sqrt(a.v[i]);
    return r;
}

template <int B>
HWY_INLINE Lanes<B> round(const Lanes<B>& a)
{
    Lanes<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::Round(a.v[i]);
    return r;
}

template <int B>
HWY_INLINE Lanes<B> floor(const Lanes<B>& a)
{
    Lanes<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::Floor(a.v[i]);
    return r;
}

template <int B>
HWY_INLINE LanesMask<B> operator<(const Lanes<B>& a, const Lanes<B>& b)
{
    LanesMask<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.m[i] = hn::Lt(a.v[i], b.v[i]);
    return r;
}

template <int B>
HWY_INLINE Lanes<B> select(const LanesMask<B>& mask, const Lanes<B>& yes, const Lanes<B>& no)
{
    Lanes<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::IfThenElse(mask.m[i], yes.v[i], no.v[i]);
    return r;
}

template <int B>
HWY_INLINE bool any(const LanesMask<B>& mask)
{
    bool r = false;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r |= !hn::AllFalse(LaneTag(), mask.m[i]);
    return r;
}

template <int B>
HWY_INLINE IntLanes<B> operator+(const IntLanes<B>& a, const IntLanes<B>& b)
{
    IntLanes<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::Add(a.v[i], b.v[i]);
    return r;
}

template <int B>
HWY_INLINE IntLanes<B> operator*(const IntLanes<B>& a, const IntLanes<B>& b)
{
    IntLanes<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::Mul(a.v[i], b.v[i]);
    return r;
}

template <int B>
HWY_INLINE IntLanes<B> select(const LanesMask<B>& mask, const IntLanes<B>& yes, const IntLanes<B>& no)
{
    IntLanes<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i)
        r.v[i] = hn::IfThenElse(hn::RebindMask(IntTag(), mask.m[i]), yes.v[i], no.v[i]);
    return r;
}

/// Converts numbers that are whole and below 2^31 in magnitude.
template <int B>
HWY_INLINE IntLanes<B> to_int(const Lanes<B>& a)
{
    IntLanes<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::ConvertTo(IntTag(), a.v[i]);
    return r;
}
template <int B>
HWY_INLINE Lanes<B> as_float(const IntLanes<B>& a)
{
    Lanes<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::ConvertTo(LaneTag(), a.v[i]);
    return r;
}

/// 2^n for -126 <= n <= 127.
template <int B>
HWY_INLINE Lanes<B> power_of_two(const IntLanes<B>& n)
{
    Lanes<B> r;
    const auto bias = hn::Set(IntTag(), 127);
    for (int i = 0; i < Lanes<B>::kRegisters; ++i)
        r.v[i] = hn::BitCast(LaneTag(), hn::ShiftLeft<23>(hn::Add(n.v[i], bias)));
    return r;
}
HWY_INLINE float power_of_two(int32_t n)
{
    return bit_cast<float>((n + 127) << 23);
}

/// base[index] per lane.
template <int B>
HWY_INLINE Lanes<B> gather(const float* base, const IntLanes<B>& index)
{
    Lanes<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::GatherIndex(LaneTag(), base, index.v[i]);
    return r;
}
template <int B>
HWY_INLINE IntLanes<B> gather(const int32_t* base, const IntLanes<B>& index)
{
    IntLanes<B> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::GatherIndex(IntTag(), base, index.v[i]);
    return r;
}

/// base[index] and base[index + 1] per lane, with as many reads as for one of them.
template <class F>
struct GatheredPair {
    F first, second;
};
template <int B>
HWY_INLINE GatheredPair<Lanes<B>> gather_two(const float* base, const IntLanes<B>& index)
{
    GatheredPair<Lanes<B>> r;
    for (int i = 0; i < Lanes<B>::kRegisters; ++i) {
#if HWY_TARGET == HWY_SCALAR
        r.first.v[i] = hn::GatherIndex(LaneTag(), base, index.v[i]);
        r.second.v[i] = hn::GatherIndex(LaneTag(), base + 1, index.v[i]);
#else
        const hn::Half<IntTag> half;
        const hn::RepartitionToWide<IntTag> wide;
        const auto* bytes = reinterpret_cast<const int64_t*>(base);
        const auto lower = hn::ShiftLeft<2>(hn::PromoteTo(wide, hn::LowerHalf(half, index.v[i])));
        const auto upper = hn::ShiftLeft<2>(hn::PromoteTo(wide, hn::UpperHalf(half, index.v[i])));
        const LaneVector low = hn::BitCast(LaneTag(), hn::GatherOffset(wide, bytes, lower));
        const LaneVector high = hn::BitCast(LaneTag(), hn::GatherOffset(wide, bytes, upper));
        r.first.v[i] = hn::ConcatEven(LaneTag(), high, low);
        r.second.v[i] = hn::ConcatOdd(LaneTag(), high, low);
#endif
    }
    return r;
}

HWY_INLINE GatheredPair<float> gather_two(const float* base, int32_t index)
{
    return {base[index], base[index + 1]};
}
HWY_INLINE int32_t to_int(float a)
{
    return static_cast<int32_t>(a);
}
HWY_INLINE float as_float(int32_t a)
{
    return static_cast<float>(a);
}
HWY_INLINE float gather(const float* base, int32_t index)
{
    return base[index];
}
HWY_INLINE int32_t gather(const int32_t* base, int32_t index)
{
    return base[index];
}
HWY_INLINE int32_t select(bool mask, int32_t yes, int32_t no)
{
    return mask ? yes : no;
}
HWY_INLINE float floor(float a)
{
    return std::floor(a);
}
HWY_INLINE float sqrt(float a)
{
    return std::sqrt(a);
}
HWY_INLINE float round(float a)
{
    return std::nearbyint(a);
}
HWY_INLINE float min(float a, float b)
{
    return b < a ? b : a;
}
HWY_INLINE float max(float a, float b)
{
    return a < b ? b : a;
}
HWY_INLINE float select(bool mask, float yes, float no)
{
    return mask ? yes : no;
}
HWY_INLINE bool any(bool mask)
{
    return mask;
}

template <class M, class F>
HWY_INLINE Vec3<F> select(const M& mask, const Vec3<F>& yes, const Vec3<F>& no)
{
    return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}

/// Loads 16 consecutive floats per block without any alignment; consecutive blocks are `block_stride` floats apart.
template <int B = 1>
HWY_INLINE Lanes<B> load_anywhere(const float* row, size_t block_stride = 0)
{
    Lanes<B> r;
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < kBlockRegisters; ++i)
            r.v[b * kBlockRegisters + i] = hn::LoadU(LaneTag(), row + b * block_stride + i * kRegisterLanes);
    return r;
}
template <int B>
HWY_INLINE void store_anywhere(const Lanes<B>& a, float* row, size_t block_stride = 0)
{
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < kBlockRegisters; ++i)
            hn::StoreU(a.v[b * kBlockRegisters + i], LaneTag(), row + b * block_stride + i * kRegisterLanes);
}

/// Everything that a kernel needs to know about F besides its operators: how to fill it and how to load and store it.
template <class F>
struct LaneTraits;

template <>
struct LaneTraits<float> {
    using Int = int32_t;
    static constexpr int kBlocks = 1;
    static HWY_INLINE int32_t splat_int(int32_t a) { return a; }
    static HWY_INLINE float splat(float a) { return a; }
    static HWY_INLINE float load(const float* row, size_t) { return *row; }
    static HWY_INLINE void store(float a, float* row, size_t) { *row = a; }
};

template <int B>
struct LaneTraits<Lanes<B>> {
    using Int = IntLanes<B>;
    static constexpr int kBlocks = B;
    static HWY_INLINE IntLanes<B> splat_int(int32_t a)
    {
        IntLanes<B> r;
        for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::Set(IntTag(), a);
        return r;
    }
    static HWY_INLINE Lanes<B> splat(float a)
    {
        Lanes<B> r;
        for (int i = 0; i < Lanes<B>::kRegisters; ++i) r.v[i] = hn::Set(LaneTag(), a);
        return r;
    }
    static HWY_INLINE Lanes<B> load(const float* row, size_t block_stride)
    {
        Lanes<B> r;
        for (int b = 0; b < B; ++b)
            for (int i = 0; i < kBlockRegisters; ++i)
                r.v[b * kBlockRegisters + i] = hn::Load(LaneTag(), row + b * block_stride + i * kRegisterLanes);
        return r;
    }
    static HWY_INLINE void store(const Lanes<B>& a, float* row, size_t block_stride)
    {
        for (int b = 0; b < B; ++b)
            for (int i = 0; i < kBlockRegisters; ++i)
                hn::Store(a.v[b * kBlockRegisters + i], LaneTag(), row + b * block_stride + i * kRegisterLanes);
    }
};

template <class F>
using IntOf = typename LaneTraits<F>::Int;

template <class F>
HWY_INLINE IntOf<F> splat_int(int32_t a)
{
    return LaneTraits<F>::splat_int(a);
}

template <class F>
HWY_INLINE F splat(float a)
{
    return LaneTraits<F>::splat(a);
}

template <class F>
HWY_INLINE Vec3<F> splat(float x, float y, float z)
{
    return {splat<F>(x), splat<F>(y), splat<F>(z)};
}

template <class F>
HWY_INLINE Vec3<F> splat(const Vec3f& v)
{
    return splat<F>(v.x, v.y, v.z);
}

/// A vector whose squared length is below this has no direction in floats [m^2].
inline constexpr float kNoDirection = 1e-30f;

/// Whether a vector with the squared length `n2` has a direction and is small enough for floats to scale it.
template <class F>
HWY_INLINE auto has_direction(const F& n2)
{
    return n2 < select(splat<F>(kNoDirection) < n2, splat<F>(1e30f), splat<F>(0.0f));
}

/// l / sqrt(n2). Root and quotient are independent of each other, which shortens the recurrence along the strand.
template <class F>
HWY_INLINE F scale_to_length(const F& l, const F& n2)
{
    return (l / n2) * sqrt(n2);
}

/// cos(2 pi x). The argument counts whole turns, so that the reduction is exact. The absolute error is below 3e-7.
template <class F>
HWY_INLINE F cos_turns(const F& x)
{
    // On a half turn, cos(2 pi r) = sin(2 pi (1/4 - |r|)) is odd around the quarter turn: one polynomial, no branches.
    const F r = x - round(x);
    const F q = splat<F>(0.25f) - max(r, splat<F>(0.0f) - r);
    const F t = q * splat<F>(6.28318531f);
    const F t2 = t * t;
    F p = splat<F>(-2.3889859e-8f);
    p = p * t2 + splat<F>(2.7525562e-6f);
    p = p * t2 + splat<F>(-1.9840874e-4f);
    p = p * t2 + splat<F>(8.3333310e-3f);
    p = p * t2 + splat<F>(-1.6666667e-1f);
    return t + t * t2 * p;
}

/// exp(-x) and 1 - exp(-x), both with a relative error below 3e-7.
template <class F>
struct Decay {
    F left, lost;
};

/// For x >= 0. Beyond x = 34, where exp(-x) is 1e-15, the result is that at 34.
template <class F>
HWY_INLINE Decay<F> decay(const F& x)
{
    // exp(-x) = 2^-n exp(r) with r = n ln 2 - x, |r| <= ln(2) / 2. ln 2 is split in two; the first part has few bits.
    const F a = min(x, splat<F>(34.0f)), n = round(a * splat<F>(1.44269504f));
    const F r = (n * splat<F>(0.693359375f) - a) + n * splat<F>(-2.12194440e-4f);
    F p = splat<F>(1.0f / 5040);
    p = p * r + splat<F>(1.0f / 720);
    p = p * r + splat<F>(1.0f / 120);
    p = p * r + splat<F>(1.0f / 24);
    p = p * r + splat<F>(1.0f / 6);
    p = p * r + splat<F>(0.5f);
    const F expm1_r = r + r * r * p;  // exp(r) - 1
    const F scale = power_of_two(to_int(splat<F>(0.0f) - n)), scaled = scale * expm1_r;
    return {scale + scaled, (splat<F>(1.0f) - scale) - scaled};
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
