/// Runs kernels with a chosen instruction set, as Highway's own tests do.
#pragma once

#include <hwy/highway.h>

#include <cstdint>
#include <vector>

namespace tendril::test {

/// The instruction sets that this machine supports and the library is built for. The library leaves out only SSE4.
inline std::vector<int64_t> instruction_sets()
{
    std::vector<int64_t> list;
    const int64_t built = HWY_SSSE3 | HWY_AVX2 | HWY_AVX3 | HWY_NEON;
    hwy::SetSupportedTargetsForTest(0);
    for (int64_t rest = hwy::SupportedTargets() & built; rest != 0; rest &= rest - 1) list.push_back(rest & -rest);
    return list;
}

/// Selects an instruction set for the lifetime of this object.
class UseInstructionSet {
public:
    explicit UseInstructionSet(int64_t target)
    {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
    ~UseInstructionSet()
    {
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
};

}  // namespace tendril::test
