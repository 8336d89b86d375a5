/// Finds the known name that the user probably meant.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tendril {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other [Damerau64].
inline size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<size_t> second_last, last(b.size() + 1), row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], second_last[j - 2] + 1);
        }
        second_last = last;
        last = row;
    }
    return last[b.size()];
}

/// Returns an empty string if no name is close enough to be a typing error.
inline std::string nearest_name(std::string_view name, const std::vector<std::string>& names)
{
    constexpr size_t kLongestName = 200;  // a longer name is no typing error, and the distance is expensive to compute
    if (name.size() > kLongestName) return {};
    std::string best;
    size_t best_distance = std::max<size_t>(2, name.size() / 3) + 1;
    for (const std::string& candidate : names) {
        const size_t distance = edit_distance(name, candidate);
        if (distance >= std::min(best_distance, std::max(name.size(), candidate.size()))) continue;
        best = candidate;
        best_distance = distance;
    }
    return best;
}

}  // namespace tendril
