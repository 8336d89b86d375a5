// Iteration along strands for the kernels of the interaction.

#if defined(TENDRIL_INTERACTION_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_INTERACTION_WALK_INL_H_
#undef TENDRIL_INTERACTION_WALK_INL_H_
#else
#define TENDRIL_INTERACTION_WALK_INL_H_
#endif

#include "strands/block-inl.h"
#include "strands/frame-inl.h"
#include "strands/frame.h"
#include "strands/strands.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// The data that a walk reads or changes, which it prefetches.
enum class WalkFor { kPositions, kMotion, kDrift };

/// Walks a block from the roots to the tips and computes the positions of its particles, relative to the strands'
/// origin, and their displacements over the last step. Prefetching assumes that `kAbreast` blocks are walked side by
/// side.
template <WalkFor kFor, size_t kAbreast = 1>
class Walk {
public:
    /// `frame`: motion of the frame over the last step, for roots on one bone.
    HWY_INLINE Walk(Strands& strands, const FrameSubstep& frame, size_t bucket, size_t block)
        : strand_(strands.blocks(bucket, block)), at_(block_roots(strands, bucket, block, frame, strand_.edge(0)))
    {
    }
    HWY_INLINE void to(int level)
    {
        if constexpr (kFor == WalkFor::kDrift)
            strand_.prefetch(level, kAbreast);
        else
            strand_.prefetch_edges(level, kAbreast);
        if constexpr (kFor == WalkFor::kMotion) strand_.prefetch_edges_before(level, kAbreast);
        if (level == 0) return;
        const Vec3<Lanes<1>> e = strand_.edge(level);
        at_.position += e;
        at_.moved += e - strand_.edge_before(level);
    }
    HWY_INLINE const Vec3<Lanes<1>>& position() const { return at_.position; }
    HWY_INLINE const Vec3<Lanes<1>>& moved() const { return at_.moved; }
    HWY_INLINE int levels() const { return strand_.levels(); }
    HWY_INLINE void add_drift(int level, const Vec3<Lanes<1>>& d)
    {
        strand_.set_drift(level, strand_.drift(level) + d);
    }

private:
    BlockCursor<Lanes<1>> strand_;
    BlockRoots<Lanes<1>> at_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
