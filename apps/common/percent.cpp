#include "percent.h"

#include <charconv>

namespace tendril::app {

std::optional<std::string> percent_decoded(std::string_view text)
{
    std::string decoded;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        unsigned char byte = 0;
        const std::string_view digits = text.substr(i + 1, 2);
        const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
        if (digits.size() != 2 || parsed.ec != std::errc() || parsed.ptr != digits.data() + 2) return {};
        decoded += static_cast<char>(byte);
        i += 2;
    }
    return decoded;
}

}  // namespace tendril::app
