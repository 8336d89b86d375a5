// How the passes of hair against hair walk along strands.

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

/// What a walk reads, or changes.
enum class WalkFor { kPositions, kMotion, kDrift };

/// Walks a block from the roots to the tips: where its particles are, from the strands' origin, and how they moved over
/// the last step. What it is for is asked for ahead; `kAbreast` blocks are walked side by side.
template <WalkFor kFor, size_t kAbreast = 1>
class Walk {
public:
    /// `frame`: how that of rigid roots moved over the last step.
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
        at_.place += e;
        at_.moved += e - strand_.edge_before(level);
    }
    HWY_INLINE const Vec3<Lanes<1>>& position() const { return at_.place; }
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
