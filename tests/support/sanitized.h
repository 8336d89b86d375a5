/// Sanitized kernels are a hundred times slower. What takes seconds otherwise is left to the other builds, which run
/// the same tests; shorter ones show the sanitizers the same code.
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
