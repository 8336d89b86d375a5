#include "io/text_scan.h"

#include <cmath>
#include <limits>

namespace tendril {
namespace {

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/// Compares without regard to case; `lower` is in lower case.
bool same_word(std::string_view text, std::string_view lower)
{
    if (text.size() != lower.size()) return false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
        if (c != lower[i]) return false;
    }
    return true;
}

/// Parses the spellings of infinity and not-a-number, without their sign.
std::optional<double> parse_nonfinite(std::string_view text)
{
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    for (std::string_view word : {"inf", "infinity"})
        if (same_word(text, word)) return inf;
    if (same_word(text, "nan")) return nan;
    const size_t hash = text.find('#');  // 1.#INF00, 1.#IND, 1.#QNAN0, 1.#SNAN
    if (hash == std::string_view::npos || hash == 0 || !is_digit(text[0])) return {};
    const std::string_view kind = text.substr(hash + 1);
    if (same_word(kind.substr(0, 3), "inf")) return inf;
    for (std::string_view word : {"ind", "qna", "sna"})
        if (same_word(kind.substr(0, 3), word)) return nan;
    return {};
}

/// m * 10^e. Powers up to 10^22 are exact doubles, so numbers of common size are rounded once.
double times_power_of_ten(double m, int e)
{
    static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (m == 0) return 0;
    if (e > 400) return std::numeric_limits<double>::infinity();
    if (e < -400) return 0;
    for (; e > 22; e -= 22) m *= 1e22;
    for (; e < -22; e += 22) m /= 1e22;
    return e >= 0 ? m * kPowers[e] : m / kPowers[-e];
}

}  // namespace

std::optional<double> parse_number(std::string_view text)
{
    bool negative = false;
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
        negative = text[0] == '-';
        text.remove_prefix(1);
    }
    uint64_t mantissa = 0;
    int exponent = 0;
    bool any_digit = false, point = false;
    size_t i = 0;
    for (; i < text.size(); ++i) {
        if (text[i] == '.' && !point) {
            point = true;
        } else if (is_digit(text[i])) {
            any_digit = true;
            if (mantissa < 1'000'000'000'000'000'000u) {
                mantissa = mantissa * 10 + static_cast<uint64_t>(text[i] - '0');
                exponent -= point;
            } else {
                exponent += !point && exponent < 100'000;
            }
        } else {
            break;
        }
    }
    if (any_digit && i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        bool negative_power = false;
        if (i < text.size() && (text[i] == '-' || text[i] == '+')) negative_power = text[i++] == '-';
        int power = 0;
        if (i == text.size()) return {};
        for (; i < text.size() && is_digit(text[i]); ++i)
            if (power < 100'000) power = power * 10 + (text[i] - '0');
        exponent += negative_power ? -power : power;
    }
    double value = 0;
    if (any_digit && i == text.size()) {
        value = times_power_of_ten(static_cast<double>(mantissa), exponent);
    } else if (const auto other = parse_nonfinite(text)) {
        value = *other;
    } else {
        return {};
    }
    return negative ? -value : value;
}

std::optional<int64_t> parse_integer(std::string_view text)
{
    const auto value = parse_number(text);
    if (!value || !(std::abs(*value) <= 9e15) || *value != std::floor(*value)) return {};
    return static_cast<int64_t>(*value);
}

void TextScan::skip_char()
{
    if (at_end()) return;
    if (text_[at_] == '\n') ++line_;
    ++at_;
}

void TextScan::skip_space(std::string_view separators)
{
    while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r' ||
                         separators.find(peek()) != std::string_view::npos))
        skip_char();
}

void TextScan::skip_blanks(std::string_view separators)
{
    while (!at_line_end() && (peek() == ' ' || peek() == '\t' || separators.find(peek()) != std::string_view::npos))
        ++at_;
}

void TextScan::skip_line()
{
    rest_of_line();
}

std::string_view TextScan::word(std::string_view stops)
{
    const size_t begin = at_;
    while (!at_line_end() && peek() != ' ' && peek() != '\t' && stops.find(peek()) == std::string_view::npos) ++at_;
    return text_.substr(begin, at_ - begin);
}

std::string_view TextScan::rest_of_line()
{
    const size_t begin = at_;
    while (!at_line_end()) ++at_;
    const std::string_view rest = text_.substr(begin, at_ - begin);
    if (peek() == '\r') skip_char();
    if (peek() == '\n') skip_char();
    return rest;
}

}  // namespace tendril
