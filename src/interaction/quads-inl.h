// Transposes records of four floats per particle into lanes, and sums lanes, for kernels over pairs of particles.

#if defined(TENDRIL_INTERACTION_QUADS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_INTERACTION_QUADS_INL_H_
#undef TENDRIL_INTERACTION_QUADS_INL_H_
#else
#define TENDRIL_INTERACTION_QUADS_INL_H_
#endif

#include "math/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

using QuadTag = hn::FixedTag<float, 4>;
using Quad = hn::Vec<QuadTag>;

/// Loads four floats of each of the records index[0], index[4], ..., as many as fill N lanes.
template <int N>
HWY_INLINE hn::Vec<hn::FixedTag<float, N>> load_every_fourth(const float* base, size_t floats, const uint32_t* index)
{
    const hn::FixedTag<float, N> tag;
    if constexpr (N == 4)
        return hn::Load(tag, base + floats * index[0]);
    else
        return hn::Combine(tag, load_every_fourth<N / 2>(base, floats, index + N / 2),
                           load_every_fourth<N / 2>(base, floats, index));
}

struct FourVectors {
    LaneVector a, b, c, d;
};

/// Transposes each group of four lanes.
HWY_INLINE FourVectors transpose(const FourVectors& r)
{
    const hn::Repartition<double, LaneTag> pairs;
    const auto as_pairs = [&](LaneVector v) { return hn::BitCast(pairs, v); };
    const LaneTag tag;
    const auto ab_low = as_pairs(hn::InterleaveLower(tag, r.a, r.b)),
               ab_high = as_pairs(hn::InterleaveUpper(tag, r.a, r.b));
    const auto cd_low = as_pairs(hn::InterleaveLower(tag, r.c, r.d)),
               cd_high = as_pairs(hn::InterleaveUpper(tag, r.c, r.d));
    return {hn::BitCast(tag, hn::InterleaveLower(pairs, ab_low, cd_low)),
            hn::BitCast(tag, hn::InterleaveUpper(pairs, ab_low, cd_low)),
            hn::BitCast(tag, hn::InterleaveLower(pairs, ab_high, cd_high)),
            hn::BitCast(tag, hn::InterleaveUpper(pairs, ab_high, cd_high))};
}

struct FourLanes {
    Lanes<1> a, b, c, d;
};

/// Loads four consecutive floats from each of 16 records of `floats` floats; `base` points to those of record 0.
HWY_INLINE FourLanes load_quads(const float* base, size_t floats, const uint32_t* index)
{
    FourLanes r;
    for (int i = 0; i < kBlockRegisters; ++i) {
        const auto rows = [&](int first) {
            return load_every_fourth<kRegisterLanes>(base, floats, index + i * kRegisterLanes + first);
        };
        const FourVectors v = transpose({rows(0), rows(1), rows(2), rows(3)});
        r.a.v[i] = v.a;
        r.b.v[i] = v.b;
        r.c.v[i] = v.c;
        r.d.v[i] = v.d;
    }
    return r;
}

/// The same for 16 consecutive records of four floats.
HWY_INLINE FourLanes load_consecutive_quads(const float* from)
{
    FourLanes r;
    for (int i = 0; i < kBlockRegisters; ++i)
        hn::LoadInterleaved4(LaneTag(), from + 4 * i * kRegisterLanes, r.a.v[i], r.b.v[i], r.c.v[i], r.d.v[i]);
    return r;
}

template <int N>
HWY_INLINE Quad fold_halves(hn::Vec<hn::FixedTag<float, N>> v)
{
    if constexpr (N == 4) {
        return v;
    } else {
        const hn::FixedTag<float, N / 2> half;
        return fold_halves<N / 2>(hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
    }
}

template <int Registers>
HWY_INLINE LaneVector fold_registers(const LaneVector* v)
{
    if constexpr (Registers == 4)
        return hn::Add(hn::Add(v[0], v[2]), hn::Add(v[1], v[3]));
    else if constexpr (Registers == 2)
        return hn::Add(v[0], v[1]);
    else
        return v[0];
}

/// Sums lanes k, k + 4, k + 8 and k + 12 as (k + (k + 8)) + ((k + 4) + (k + 12)), for any width of registers.
HWY_INLINE Quad fold(const Lanes<1>& s)
{
    return fold_halves<kRegisterLanes>(fold_registers<kBlockRegisters>(s.v));
}

/// The sums over the lanes of three groups, in an order that does not depend on the instruction set, followed by 0.
HWY_INLINE Quad sums(const Lanes<1>& x, const Lanes<1>& y, const Lanes<1>& z)
{
    const QuadTag tag;
    const hn::Repartition<double, QuadTag> pairs;
    const Quad a = fold(x), b = fold(y), c = fold(z), zero = hn::Zero(tag);
    const Quad ab = hn::Add(hn::InterleaveLower(tag, a, b), hn::InterleaveUpper(tag, a, b));
    const Quad c0 = hn::Add(hn::InterleaveLower(tag, c, zero), hn::InterleaveUpper(tag, c, zero));
    const auto low = hn::InterleaveLower(pairs, hn::BitCast(pairs, ab), hn::BitCast(pairs, c0));
    const auto high = hn::InterleaveUpper(pairs, hn::BitCast(pairs, ab), hn::BitCast(pairs, c0));
    return hn::Add(hn::BitCast(tag, low), hn::BitCast(tag, high));
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
