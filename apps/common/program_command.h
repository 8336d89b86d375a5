/// Commands of `tendril` that are programs of their own: `tendril lab` starts `tendril-lab`, which is beside it.
#pragma once

namespace tendril::app {

struct ProgramCommand {
    const char* name;
    const char* description;
    const char* target;  ///< of the build
};

inline constexpr ProgramCommand kLabCommand{"lab", "Reproduce what the papers claim, and write a page about it",
                                            "tendril_lab"};
inline constexpr ProgramCommand kBenchCommand{
    "bench", "Measures the kernels against this machine's own limits and against plain scalar code", "tendril_bench"};

}  // namespace tendril::app
