/// The output of the lab: a self-contained HTML page, and JSON for programs.
#pragma once

#include "verdict.h"

#include <string>
#include <vector>

namespace tendril::app {

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

std::string lab_page(const std::vector<LabEntry>& entries, const LabConditions& conditions);
std::string lab_json(const std::vector<LabEntry>& entries, const LabConditions& conditions);

}  // namespace tendril::app
