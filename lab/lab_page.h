/// What the lab leaves behind: one HTML page with everything in it, and JSON for programs.
#pragma once

#include "claim.h"

#include <string>
#include <vector>

namespace tendril::app {

enum class Verdict : uint8_t {
    kHolds,
    kNotMet,  ///< with its reason
    kFailed,  ///< unexplained, or it could not be tried
};

/// A claim that has been looked into.
struct LabEntry {
    const Paper* paper = nullptr;
    const Claim* claim = nullptr;
    Finding finding;
    std::string problem;  ///< why it could not be tried; empty: it was
    double seconds = 0;
    std::vector<SceneUse> uses = {};  ///< what it has run

    Verdict verdict() const;
};

/// How and where it was run.
struct LabConditions {
    std::string version, simd;
    int threads = 1;
    bool full = false;
    double seconds = 0;
    size_t asked = 0;  ///< claims; more than there are: it was interrupted
    double share = 1;  ///< of the processors' time that the lab has had when it wanted all

    bool is_busy() const { return share < 0.9; }
    std::string busy_text() const;
};

/// Whether any has failed: then the lab does not end well.
bool any_failed(const std::vector<LabEntry>& entries);
std::string lab_page(const std::vector<LabEntry>& entries, const LabConditions& conditions);
std::string lab_json(const std::vector<LabEntry>& entries, const LabConditions& conditions);

}  // namespace tendril::app
