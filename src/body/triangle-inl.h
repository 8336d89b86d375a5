// The contents of body/triangle.inl for lane groups.

#if defined(TENDRIL_BODY_TRIANGLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_BODY_TRIANGLE_INL_H_
#undef TENDRIL_BODY_TRIANGLE_INL_H_
#else
#define TENDRIL_BODY_TRIANGLE_INL_H_
#endif

#include "math/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

#define TENDRIL_INLINE HWY_INLINE
#include "body/triangle.inl"
#undef TENDRIL_INLINE

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
