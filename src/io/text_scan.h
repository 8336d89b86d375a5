/// Reading words and numbers from text of any size, without copies, locale or exceptions.
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

/// The number that the text is, from its first to its last character. Also takes the spellings of numbers that are not
/// finite: inf, nan, and 1.#INF, -1.#IND, 1.#QNAN of older compilers. Numbers of up to 17 digits come out to the last
/// bit of a float.
std::optional<double> parse_number(std::string_view text);
/// An integer that fits, without a fraction.
std::optional<int64_t> parse_integer(std::string_view text);

/// Walks through text, word by word and line by line.
class TextScan {
public:
    explicit TextScan(std::string_view text) : text_(text) {}

    bool at_end() const { return at_ >= text_.size(); }
    size_t line() const { return line_; }  ///< counted from 1
    size_t offset() const { return at_; }
    char peek() const { return at_end() ? '\0' : text_[at_]; }
    void skip_char();

    /// Over blanks, tabs and line ends; with `separators` over these characters as well.
    void skip_space(std::string_view separators = {});
    /// Over blanks and tabs of this line only.
    void skip_blanks(std::string_view separators = {});
    void skip_line();
    bool at_line_end() const { return at_end() || peek() == '\n' || peek() == '\r'; }

    /// What follows up to the next blank, line end or one of `stops`. Empty at the end.
    std::string_view word(std::string_view stops = {});
    /// The rest of the line without the line end, which is passed.
    std::string_view rest_of_line();

private:
    std::string_view text_;
    size_t at_ = 0;
    size_t line_ = 1;
};

}  // namespace tendril
