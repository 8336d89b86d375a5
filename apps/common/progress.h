/// A progress bar on the terminal: one line on stderr that disappears when the work is done. Without a terminal, it
/// writes nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tendril::app {

enum class Visible : uint8_t { kOnTerminal, kNever };

class Progress {
public:
    /// Counts from `first` to `last`; `what` names the unit, such as "frame".
    Progress(const char* what, uint64_t first, uint64_t last, Visible visible);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Call after each unit; `detail` is shown too, such as the speed.
    void update(uint64_t done, const std::string& detail);

private:
    using Clock = std::chrono::steady_clock;
    const char* what_;
    uint64_t first_, last_;
    bool shown_;
    bool drawn_ = false;
    Clock::time_point start_ = Clock::now(), next_ = start_;
};

}  // namespace tendril::app
