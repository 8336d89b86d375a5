/// A progress bar on the terminal: one line on stderr that is gone when the work is done. Piped, it writes nothing.
#pragma once

#include <chrono>
#include <cstdint>

namespace tendril::app {

enum class Visible : uint8_t { kOnTerminal, kNever };

class Progress {
public:
    /// Frames from `first` to `last`.
    Progress(uint64_t first, uint64_t last, Visible visible);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// After each frame; `nanoseconds` per particle and step so far.
    void update(uint64_t frame, double nanoseconds);

private:
    using Clock = std::chrono::steady_clock;
    uint64_t first_, last_;
    bool shown_;
    bool drawn_ = false;
    Clock::time_point start_ = Clock::now(), next_ = start_;
};

}  // namespace tendril::app
