/// The output of the lab: a self-contained HTML page, and JSON for programs.
#pragma once

#include "claim.h"

#include <string>
#include <vector>

namespace tendril::app {

enum class Verdict : uint8_t {
    kHolds,
    kNotMet,  ///< with its reason
    kFailed,  ///< without a known reason, or could not be measured
};

/// A claim and its outcome.
struct LabEntry {
    const Paper* paper = nullptr;
    const Claim* claim = nullptr;
    Finding finding;
    std::string problem;  ///< why it could not be measured; empty if it was
    double seconds = 0;
    std::vector<SceneUse> uses = {};  ///< the scenes that it opened

    Verdict verdict() const;
};

/// The conditions of a run.
struct LabConditions {
    std::string version, simd;
    int threads = 1;
    bool full = false;
    double seconds = 0;
    size_t asked = 0;  ///< claims selected; more than the page has if the run was interrupted
    double share = 1;  ///< of the processors' time, as available to the lab

    bool is_busy() const { return share < 0.9; }
    std::string busy_text() const;
};

bool any_failed(const std::vector<LabEntry>& entries);
std::string lab_page(const std::vector<LabEntry>& entries, const LabConditions& conditions);
std::string lab_json(const std::vector<LabEntry>& entries, const LabConditions& conditions);

}  // namespace tendril::app
