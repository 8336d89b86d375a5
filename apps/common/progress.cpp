#include "progress.h"

#include "print_error.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace tendril::app {
namespace {

constexpr int kBarWidth = 24;
constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr const char* kClearLine = "\r\033[K";

std::string duration_text(double seconds)
{
    const long s = std::lround(seconds);
    return s < 60 ? fmt::format("{} s", s) : fmt::format("{} min {:02} s", s / 60, s % 60);
}

}  // namespace

Progress::Progress(const char* what, uint64_t first, uint64_t last, Visible visible)
    : what_(what), first_(first), last_(last), shown_(visible == Visible::kOnTerminal && isatty(fileno(stderr)) != 0)
{
}

Progress::~Progress()
{
    if (drawn_) print_error("{}", kClearLine);
}

void Progress::update(uint64_t frame, const std::string& detail)
{
    if (!shown_ || frame <= first_) return;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + kRedraw;
    drawn_ = true;
    const double done = static_cast<double>(frame - first_) / static_cast<double>(last_ - first_);
    const double passed = std::chrono::duration<double>(now - start_).count();
    const auto filled = static_cast<size_t>(done * kBarWidth);
    const std::string bar = std::string(filled, '#') + std::string(kBarWidth - filled, '.');
    print_error("{}[{}] {:3.0f} %  {} {} of {}  {}  {} left", kClearLine, bar, 100 * done, what_, frame, last_, detail,
                duration_text(passed * (1 - done) / done));
    std::fflush(stderr);
}

}  // namespace tendril::app
