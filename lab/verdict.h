/// The verdict on a claim, which follows from its finding and from the runs behind it.
#pragma once

#include "claim.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendril::app {

enum class Verdict : uint8_t {
    kHoldsAsPrinted,
    kHoldsWithOurs,  ///< with our method, which the finding names
    kNotMet,         ///< for a reason that was checked
    kFailed,         ///< for no known reason, or could not be measured
};
inline constexpr std::array kVerdicts{Verdict::kHoldsAsPrinted, Verdict::kHoldsWithOurs, Verdict::kNotMet,
                                      Verdict::kFailed};

/// "holds as printed", "holds with our method", "not met", "failed": in the terminal, on the page and in lab.json.
std::string_view text_of(Verdict verdict);

/// A claim and its outcome.
struct LabEntry {
    const Paper* paper = nullptr;
    const Claim* claim = nullptr;
    Finding finding = {};
    std::string problem = {};  ///< why it could not be measured or may not count; empty if it does
    double seconds = 0;
    std::vector<SceneUse> uses = {};  ///< the scenes that it opened

    std::string name() const { return paper->name + "/" + claim->name; }
    Verdict verdict() const;
};

/// Why a finding that says that the claim holds may not count; empty if it may. One that says "as printed" needs a run
/// with the printed form, methods of a single form only, or a reason why the form does not matter.
std::string contradiction_in(const LabEntry& entry);

/// What a verdict needs beside itself: the form, our method, or the reason.
struct Remark {
    std::string_view label = {};
    std::string text = {};  ///< empty: nothing
};
Remark remark_on(const LabEntry& entry);

/// How many entries have each verdict, in the order of kVerdicts.
std::array<size_t, kVerdicts.size()> counts_of(std::span<const LabEntry> entries);
/// "3 claims: 1 holds as printed, 1 holds with our method, 1 is not met, 0 failed".
std::string counts_text(std::span<const LabEntry> entries);

bool any_failed(std::span<const LabEntry> entries);

}  // namespace tendril::app
