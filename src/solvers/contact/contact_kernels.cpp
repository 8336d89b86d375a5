// The long functions of contact-inl.h for strands in SIMD lanes, compiled once for all methods.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/contact/contact_kernels.cpp"
#include <hwy/foreach_target.h>

#include "solvers/contact/contact-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

template class Contacts<Lanes<1>>;

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
