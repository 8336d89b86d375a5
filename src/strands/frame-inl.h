// Rotations, rows of lanes and the roots of a block, for kernels. See frame.h.

#if defined(TENDRIL_STRANDS_FRAME_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_STRANDS_FRAME_INL_H_
#undef TENDRIL_STRANDS_FRAME_INL_H_
#else
#define TENDRIL_STRANDS_FRAME_INL_H_
#endif

#include "math/simd-inl.h"
#include "strands/frame.h"
#include "strands/strands.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

template <class F>
HWY_INLINE Vec3<F> rotate_by(const Vec3f rows[3], const Vec3<F>& v)
{
    return transform(splat<F>(rows[0]), splat<F>(rows[1]), splat<F>(rows[2]), v);
}

/// Loads a vector from three consecutive rows of lanes.
template <class F>
HWY_INLINE Vec3<F> load_rows(const float* at, size_t block_stride)
{
    using T = LaneTraits<F>;
    return {T::load(at, block_stride), T::load(at + kLanes, block_stride), T::load(at + 2 * kLanes, block_stride)};
}

template <class F>
HWY_INLINE void store_rows(const Vec3<F>& v, float* at, size_t block_stride)
{
    using T = LaneTraits<F>;
    T::store(v.x, at, block_stride);
    T::store(v.y, at + kLanes, block_stride);
    T::store(v.z, at + 2 * kLanes, block_stride);
}

/// Positions of the roots of a block relative to the strands' origin, and their displacements over the last step [m].
template <class F>
struct BlockRoots {
    Vec3<F> moved, position;
};

template <class F>
HWY_INLINE BlockRoots<F> roots_on_bone(const FrameSubstep& frame, const Vec3<F>& offset)
{
    return {rotate_by(frame.turned, offset) + splat<F>(frame.moved), rotate_by(frame.rotation, offset)};
}

/// For roots that are not on one bone.
inline HWY_NOINLINE BlockRoots<Lanes<1>> gather_roots(const Strands& strands, size_t bucket, size_t block)
{
    HWY_ALIGN float rows[6 * kLanes] = {};
    for (size_t lane = 0; lane < kLanes; ++lane) {
        const int64_t s = strands.strand_at(bucket, block, lane);
        if (s < 0) continue;
        const Vec3d root = strands.root(static_cast<size_t>(s));
        const Vec3f moved = to_float(root - strands.root_before(static_cast<size_t>(s)));
        const Vec3f position = to_float(root - strands.frame.position);
        const float values[6] = {moved.x, moved.y, moved.z, position.x, position.y, position.z};
        for (size_t r = 0; r < 6; ++r) rows[r * kLanes + lane] = values[r];
    }
    return {load_rows<Lanes<1>>(rows, 0), load_rows<Lanes<1>>(rows + 3 * kLanes, 0)};
}

/// `frame`: motion of the frame over the last step, for roots on one bone.
HWY_INLINE BlockRoots<Lanes<1>> block_roots(const Strands& strands, size_t bucket, size_t block,
                                            const FrameSubstep& frame, const Vec3<Lanes<1>>& offset)
{
    return strands.buckets()[bucket].roots == RootKind::kOnBone ? roots_on_bone(frame, offset)
                                                                : gather_roots(strands, bucket, block);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
