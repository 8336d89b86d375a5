/// Reads words and numbers from text of any size, without copies and independent of the locale. Does not throw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tendril {

inline std::string_view as_text(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline bool starts_with(std::span<const std::byte> bytes, std::string_view text)
{
    return as_text(bytes).substr(0, text.size()) == text;
}

/// Parses the whole text as a number. Also accepts inf, nan, and the spellings 1.#INF, -1.#IND and 1.#QNAN of older
/// compilers. The result for up to 17 digits is exact to the last bit of a float.
std::optional<double> parse_number(std::string_view text);
/// Parses the whole text as an integer of at most 9e15 in magnitude. A zero fraction, as in 1e3, is allowed.
std::optional<int64_t> parse_integer(std::string_view text);

/// Steps through text word by word and line by line.
class TextScan {
public:
    explicit TextScan(std::string_view text) : text_(text) {}

    bool at_end() const { return at_ >= text_.size(); }
    size_t line() const { return line_; }  ///< counted from 1
    size_t offset() const { return at_; }
    char peek() const { return at_end() ? '\0' : text_[at_]; }
    void skip_char();

    /// Skips spaces, tabs, line ends and the characters of `separators`.
    void skip_space(std::string_view separators = {});
    /// Skips spaces, tabs and the characters of `separators` on this line.
    void skip_blanks(std::string_view separators = {});
    void skip_line();
    bool at_line_end() const { return at_end() || peek() == '\n' || peek() == '\r'; }

    /// Reads up to the next space, tab, line end or one of `stops`. Empty at the end of a line or of the text.
    std::string_view word(std::string_view stops = {});
    /// Reads the rest of the line and skips its line end, which is not part of the result.
    std::string_view rest_of_line();

private:
    std::string_view text_;
    size_t at_ = 0;
    size_t line_ = 1;
};

}  // namespace tendril
