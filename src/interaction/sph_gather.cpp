#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interaction/sph_gather.cpp"
#include <hwy/foreach_target.h>

#include "interaction/sph_gather.h"

#include "interaction/walk-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {
namespace {

using F = Lanes<1>;
static_assert(sizeof(Vec3f) == 3 * sizeof(float));

/// Stores the vectors of the first `count` lanes contiguously.
HWY_INLINE void store_by_lane(const Vec3<F>& v, size_t count, Vec3f* to)
{
    HWY_ALIGN float lanes[3 * kLanes];
    for (int i = 0; i < kBlockRegisters; ++i)
        hn::StoreInterleaved3(v.x.v[i], v.y.v[i], v.z.v[i], LaneTag(), lanes + i * kRegisterLanes * 3);
    std::copy_n(lanes, 3 * count, &to->x);
}

/// Loads the vectors of the first `count` lanes; the other lanes are zero.
HWY_INLINE Vec3<F> load_by_lane(const Vec3f* from, size_t count)
{
    HWY_ALIGN float lanes[3 * kLanes] = {};
    std::copy_n(&from->x, 3 * count, lanes);
    Vec3<F> v;
    for (int i = 0; i < kBlockRegisters; ++i)
        hn::LoadInterleaved3(LaneTag(), lanes + i * kRegisterLanes * 3, v.x.v[i], v.y.v[i], v.z.v[i]);
    return v;
}

}  // namespace

void GatherBlock(Strands& strands, const FrameSubstep& frame, const FlatBlock& block, float per_second,
                 Vec3f* positions, Vec3f* velocities)
{
    const size_t lanes = strands_in(strands.buckets()[block.bucket], block.block);
    Walk<WalkFor::kMotion> walk(strands, frame, block.bucket, block.block);
    size_t at = block.first;
    for (int i = 0; i < walk.levels(); ++i, at += lanes) {
        walk.to(i);
        store_by_lane(walk.position(), lanes, positions + at);
        store_by_lane(walk.moved() * splat<F>(per_second), lanes, velocities + at);
    }
}

void ScatterBlock(Strands& strands, const FlatBlock& block, float share, const Vec3f* accelerations)
{
    const Bucket& bucket = strands.buckets()[block.bucket];
    const size_t lanes = strands_in(bucket, block.block);
    const int first = bucket.ends == Ends::kFree ? 0 : 1;
    const int end = bucket.ends == Ends::kBothHeld ? bucket.levels - 1 : bucket.levels;
    BlockCursor<F> strand(strands.blocks(block.bucket, block.block));
    for (int i = first; i < end; ++i) {
        const Vec3<F> a = load_by_lane(accelerations + block.first + static_cast<size_t>(i) * lanes, lanes);
        strand.set_drift(i, strand.drift(i) + a * splat<F>(share));
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {
HWY_EXPORT(GatherBlock);
HWY_EXPORT(ScatterBlock);

void gather_block(Strands& strands, const FrameSubstep& frame, const FlatBlock& block, float per_second,
                  Vec3f* positions, Vec3f* velocities)
{
    HWY_DYNAMIC_DISPATCH(GatherBlock)(strands, frame, block, per_second, positions, velocities);
}

void scatter_block(Strands& strands, const FlatBlock& block, float share, const Vec3f* accelerations)
{
    HWY_DYNAMIC_DISPATCH(ScatterBlock)(strands, block, share, accelerations);
}

}  // namespace tendril
#endif
