// What all solvers share.
#include "solvers/solver.h"

#include "support/sanitized.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <thread>

namespace tendril::test {
namespace {

/// Memory of this process that is in use now [bytes].
double resident_bytes()
{
    std::ifstream file("/proc/self/statm");
    double total = 0, resident = 0;
    file >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// A strand of a million particles would otherwise take gigabytes for rows that only violent steps need.
TEST(KernelWorkspace, TakesMemoryOnlyWhereItIsUsed)
{
    if (kSanitized) GTEST_SKIP() << "sanitizers mark all of the memory";
    constexpr size_t kFloats = size_t{1} << 28;
    double used = -1;
    bool aligned = false;
    std::thread([&] {
        const double before = resident_bytes();
        float* memory = kernel_workspace(kFloats);
        memory[0] = memory[kFloats - 1] = 1;
        used = resident_bytes() - before;
        aligned = reinterpret_cast<uintptr_t>(memory) % 64 == 0;
    }).join();
    EXPECT_TRUE(aligned);
    EXPECT_LT(used, 0.05 * sizeof(float) * kFloats);
}

}  // namespace
}  // namespace tendril::test
