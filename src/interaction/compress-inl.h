// Compresses the selected lanes of a register into contiguous memory. When GCC compiles Highway's Compress for
// registers of 8 lanes or fewer, it copies the table to the stack at every call; this table is a constant in memory.

#if defined(TENDRIL_INTERACTION_COMPRESS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_INTERACTION_COMPRESS_INL_H_
#undef TENDRIL_INTERACTION_COMPRESS_INL_H_
#else
#define TENDRIL_INTERACTION_COMPRESS_INL_H_
#endif

#include "math/simd-inl.h"

#include <bit>

#ifndef TENDRIL_INTERACTION_COMPRESS_ONCE
#define TENDRIL_INTERACTION_COMPRESS_ONCE
namespace tendril {

/// For every bit mask of lanes: the indices of the selected lanes, followed by arbitrary ones.
template <int Lanes>
struct ChosenLanes {
    uint8_t lanes[1 << Lanes][Lanes] = {};

    constexpr ChosenLanes()
    {
        for (int bits = 0; bits < 1 << Lanes; ++bits)
            for (int lane = 0, to = 0; lane < Lanes; ++lane)
                if ((bits >> lane & 1) != 0) lanes[bits][to++] = static_cast<uint8_t>(lane);
    }
};
template <int Lanes>
inline constexpr ChosenLanes<Lanes> kChosenLanes;

}  // namespace tendril
#endif

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

using IndexTag = hn::RebindToUnsigned<LaneTag>;
using IndexVector = hn::Vec<IndexTag>;

/// The lanes of one register that a mask selects.
template <int N>
class ChosenOf {
public:
    HWY_INLINE explicit ChosenOf(LaneMask mask)
    {
        uint8_t bits[8] = {};
        hn::StoreMaskBits(LaneTag(), mask, bits);
        count_ = static_cast<uint32_t>(std::popcount(bits[0]));
        const hn::Rebind<uint8_t, IndexTag> bytes;
        lanes_ = hn::PromoteTo(IndexTag(), hn::LoadU(bytes, kChosenLanes<N>.lanes[bits[0]]));
    }
    HWY_INLINE uint32_t count() const { return count_; }
    /// Writes a whole register: the selected lanes, followed by unspecified values.
    HWY_INLINE void store(IndexVector v, uint32_t* to) const
    {
        hn::StoreU(hn::TableLookupLanes(v, hn::IndicesFromVec(IndexTag(), lanes_)), IndexTag(), to);
    }
    HWY_INLINE void store(LaneVector v, float* to) const
    {
        hn::StoreU(hn::TableLookupLanes(v, hn::IndicesFromVec(LaneTag(), lanes_)), LaneTag(), to);
    }

private:
    IndexVector lanes_;
    uint32_t count_;
};

/// Registers of 16 lanes have an instruction for it.
template <>
class ChosenOf<16> {
public:
    HWY_INLINE explicit ChosenOf(LaneMask mask) : mask_(mask) {}
    HWY_INLINE uint32_t count() const { return static_cast<uint32_t>(hn::CountTrue(LaneTag(), mask_)); }
    HWY_INLINE void store(IndexVector v, uint32_t* to) const
    {
        hn::StoreU(hn::Compress(v, hn::RebindMask(IndexTag(), mask_)), IndexTag(), to);
    }
    HWY_INLINE void store(LaneVector v, float* to) const { hn::StoreU(hn::Compress(v, mask_), LaneTag(), to); }

private:
    LaneMask mask_;
};

using Chosen = ChosenOf<kRegisterLanes>;

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
