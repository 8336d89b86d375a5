// Rigid frames and rows of lanes, for kernels. See frame.h.

#if defined(TENDRIL_SOLVERS_FRAME_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_FRAME_INL_H_
#undef TENDRIL_SOLVERS_FRAME_INL_H_
#else
#define TENDRIL_SOLVERS_FRAME_INL_H_
#endif

#include "math/simd-inl.h"
#include "solvers/frame.h"
#include "strands/strands.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

template <class F>
HWY_INLINE Vec3<F> rotate_by(const Vec3f rows[3], const Vec3<F>& v)
{
    return transform(splat<F>(rows[0]), splat<F>(rows[1]), splat<F>(rows[2]), v);
}

/// Three neighbouring rows of lanes.
template <class F>
HWY_INLINE Vec3<F> load_rows(const float* at, size_t block_stride)
{
    using T = LaneTraits<F>;
    return {T::load(at, block_stride), T::load(at + kLanes, block_stride), T::load(at + 2 * kLanes, block_stride)};
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
