/// Times the stages of a step.
#pragma once

#include <chrono>

namespace tendril {

/// Adds its own lifetime to a stage [s].
class StageTimer {
public:
    explicit StageTimer(double& seconds) : seconds_(seconds) {}
    ~StageTimer() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    StageTimer(const StageTimer&) = delete;

private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tendril
