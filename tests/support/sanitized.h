/// Kernels are a hundred times slower under sanitizers. Sanitized builds skip the tests that take seconds in other
/// builds; shorter tests cover the same code.
#pragma once

namespace tendril::test {

#ifdef TENDRIL_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace tendril::test

#define TENDRIL_SKIP_WHERE_SANITIZED() \
    if (tendril::test::kSanitized) GTEST_SKIP() << "takes minutes in a sanitized build"
