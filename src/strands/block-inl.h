// Access of kernels to the blocks of strands.h. F is float for the strand in one lane, or Lanes<B> for B whole blocks.

#if defined(TENDRIL_STRANDS_BLOCK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_STRANDS_BLOCK_INL_H_
#undef TENDRIL_STRANDS_BLOCK_INL_H_
#else
#define TENDRIL_STRANDS_BLOCK_INL_H_
#endif

#include "math/simd-inl.h"
#include "strands/frame-inl.h"
#include "strands/strands.h"

#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

static_assert(kBlockLanes == kLanes);

template <class F>
class BlockCursor {
public:
    static constexpr int kAhead = 4;

    explicit HWY_INLINE BlockCursor(const BlockRef& blocks) : ref_(blocks) {}

    HWY_INLINE int levels() const { return ref_.levels; }

    /// The edge from particle level - 1 to particle `level`; at level 0, the offset of the root.
    HWY_INLINE Vec3<F> edge(int level) const
    {
        return load_rows<F>(ref_.state + state_at(level, 0), ref_.state_stride);
    }
    HWY_INLINE void set_edge(int level, const Vec3<F>& e)
    {
        store_rows(e, ref_.state + state_at(level, 0), ref_.state_stride);
    }

    /// The stored velocity times the substep [m].
    HWY_INLINE Vec3<F> drift(int level) const
    {
        return load_rows<F>(ref_.state + state_at(level, 3), ref_.state_stride);
    }
    HWY_INLINE void set_drift(int level, const Vec3<F>& d)
    {
        store_rows(d, ref_.state + state_at(level, 3), ref_.state_stride);
    }

    HWY_INLINE F rest_length(int level) const
    {
        return LaneTraits<F>::load(ref_.rest + level * ref_.rest_level_stride, ref_.rest_stride);
    }

    HWY_INLINE Vec3<F> edge_before(int level) const
    {
        return load_rows<F>(ref_.previous + level * kPreviousRows * kLanes, ref_.previous_stride);
    }
    HWY_INLINE void store_previous_edge(int level, const Vec3<F>& e)
    {
        store_rows(e, ref_.previous + level * kPreviousRows * kLanes, ref_.previous_stride);
    }

    /// Stores the displacement of a free root over the step, for Strands::end_step.
    HWY_INLINE void set_root_moved(const Vec3<F>& moved)
    {
        if (ref_.root_moved) store_rows(moved, ref_.root_moved, 3 * kLanes);
    }

    /// Prefetches the rows that a walk reaches kAhead levels later. Beyond the tip, these are in the block that is
    /// `after` blocks after this one.
    HWY_INLINE void prefetch(int level, size_t after = LaneTraits<F>::kBlocks) const
    {
        prefetch_rows<kStateRows>(ref_.state, ref_.state_stride, kStateRows, level, after);
    }
    /// The same for edges alone, and for the edges at the start of the step.
    HWY_INLINE void prefetch_edges(int level, size_t after = LaneTraits<F>::kBlocks) const
    {
        prefetch_rows<3>(ref_.state, ref_.state_stride, kStateRows, level, after);
    }
    HWY_INLINE void prefetch_edges_before(int level, size_t after = LaneTraits<F>::kBlocks) const
    {
        prefetch_rows<kPreviousRows>(ref_.previous, ref_.previous_stride, kPreviousRows, level, after);
    }

    /// Prefetches the k-th of three pairs of rows at a level of the next block.
    HWY_INLINE void prefetch_next_rows(int level, int k) const
    {
        const float* at = ref_.state + ref_.state_stride + state_at(level, 2 * k);
        hwy::Prefetch(at);
        hwy::Prefetch(at + kLanes);
    }

    /// Prefetches the k-th of n parts of the block after these.
    HWY_INLINE void prefetch_next(int k, int n) const
    {
        const int begin = ref_.levels * k / n, end = ref_.levels * (k + 1) / n;
        const float* next = ref_.state + LaneTraits<F>::kBlocks * ref_.state_stride;
        for (ptrdiff_t at = state_at(begin, 0); at < state_at(end, 0); at += kLanes) hwy::Prefetch(next + at);
    }

    /// Moves on by one level: level i of the state and rest lengths becomes level i - 1.
    HWY_INLINE void advance()
    {
        ref_.state += kStateRows * kLanes;
        ref_.rest += ref_.rest_level_stride;
    }

    HWY_INLINE void advance_block()
    {
        ref_.state += ref_.state_stride;
        ref_.previous += ref_.previous_stride;
        ref_.rest += ref_.rest_stride;
    }

private:
    /// Prefetches the first `kRows` rows at a level. Levels are contiguous in memory, and so are blocks.
    template <size_t kRows>
    HWY_INLINE void prefetch_rows(const float* first, size_t block_stride, size_t level_rows, int level,
                                  size_t after) const
    {
        size_t at = static_cast<size_t>(level + kAhead) * level_rows * kLanes;
        if (level + kAhead >= ref_.levels) at += (after - 1) * block_stride;
        for (size_t b = 0; b < LaneTraits<F>::kBlocks; ++b)
            for (size_t r = 0; r < kRows; ++r) hwy::Prefetch(first + at + b * block_stride + r * kLanes);
    }
    static HWY_INLINE ptrdiff_t state_at(ptrdiff_t level, ptrdiff_t row)
    {
        return (level * static_cast<ptrdiff_t>(kStateRows) + row) * static_cast<ptrdiff_t>(kLanes);
    }

    BlockRef ref_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
