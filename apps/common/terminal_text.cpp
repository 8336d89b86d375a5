#include "terminal_text.h"

#include <algorithm>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tendril::app {

size_t text_columns()
{
    constexpr size_t kMin = 80, kMax = 120, kPiped = 100;
    winsize size{};
    if (ioctl(fileno(stdout), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kPiped;
    return std::clamp<size_t>(size.ws_col, kMin, kMax);
}

std::string wrapped(std::string_view text, size_t columns, size_t indent)
{
    std::string out(indent, ' ');
    size_t used = indent;  // of the line
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        if (word.empty()) continue;
        if (used > indent && used + 1 + word.size() > columns) {
            out += "\n" + std::string(indent, ' ');
            used = indent;
        } else if (used > indent) {
            out += ' ';
            ++used;
        }
        out += word;
        used += word.size();
    }
    return out;
}

}  // namespace tendril::app
