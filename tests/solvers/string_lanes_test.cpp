// Strings side by side in SIMD lanes, compared with each string alone.
#include "support/strings.h"

#include <gtest/gtest.h>

#include <cstring>

namespace tendril::test {
namespace {

constexpr int kStrings = 11, kSegments = 30;  // more than there are lanes, with a remainder

std::vector<Vec3d> folds(int string, int segments)
{
    std::vector<Vec3d> points;
    for (int i = 0; i <= segments; ++i)
        points.push_back({0.1 * string + 0.01 * std::sin(0.4 * i + string), -0.01 * i, 0.01 * std::cos(0.3 * i)});
    return points;
}

/// Adds a string that falls from a clamp, which is rotated, at its upper end; some carry a load that pulls hard.
void add_string_to(StringBench& bench, int string)
{
    const int segments = string == 5 ? kSegments + 1 : kSegments;
    const auto first = bench.strings.size();
    bench.add(folds(string, segments), 0.001, *string_material(string % 2 == 0 ? "rubber" : "nylon"));
    bench.hold(first), bench.hold(first + 1);
    bench.clamps.push_back({first, {0.6, 0, 0.8}});
    if (string % 3 == 0) bench.load(first + static_cast<size_t>(segments), 0.2);
}

bool same_bits(const Vec3d& a, const Vec3d& b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(StringLanes, EachStringComesOutAsIfItWereAlone)
{
    StringBench together;
    for (int k = 0; k < kStrings; ++k) add_string_to(together, k);
    together.run(0.3, 2e-3);
    size_t first = 0;
    for (int k = 0; k < kStrings; ++k) {
        StringBench alone;
        add_string_to(alone, k);
        alone.run(0.3, 2e-3);
        for (size_t i = 0; i < alone.strings.size(); ++i) {
            ASSERT_TRUE(is_finite(alone.strings.position[i]));
            ASSERT_TRUE(same_bits(together.strings.position[first + i], alone.strings.position[i])) << k << ' ' << i;
            ASSERT_TRUE(same_bits(together.strings.across[first + i], alone.strings.across[i])) << k << ' ' << i;
            ASSERT_EQ(together.strings.angle[first + i], alone.strings.angle[i]) << k << ' ' << i;
            ASSERT_EQ(together.strings.tension[first + i], alone.strings.tension[i]) << k << ' ' << i;
        }
        first += alone.strings.size();
    }
}

}  // namespace
}  // namespace tendril::test
