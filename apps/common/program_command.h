/// Commands of `tendril` that are separate programs: `tendril lab` starts `tendril-lab` in the same folder.
#pragma once

namespace tendril::app {

struct ProgramCommand {
    const char* name;
    const char* description;
    const char* target;  ///< of the build system
};

inline constexpr ProgramCommand kLabCommand{"lab", "Measure the claims of the papers and write a page about them",
                                            "tendril_lab"};
inline constexpr ProgramCommand kBenchCommand{
    "bench", "Compare the kernels with the limits of this machine and with plain scalar code", "tendril_bench"};

}  // namespace tendril::app
