/// A progress bar on the terminal: one line on stderr that is gone when the work is done. Piped, it writes nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tendril::app {

enum class Visible : uint8_t { kOnTerminal, kNever };

class Progress {
public:
    /// From `first` to `last` of something, such as "frame".
    Progress(const char* what, uint64_t first, uint64_t last, Visible visible);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// After each one; `detail` may say more, such as how fast it goes.
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
