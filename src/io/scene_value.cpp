#include "io/scene_value.h"

#include "tendril/detail/nearest.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace tendril {
namespace {

// Whole numbers up to here are exact in a double.
constexpr double kExactIntegers = 9007199254740992.0;

std::string shortened(const std::string& text)
{
    constexpr size_t kMost = 40;
    return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

/// What was given in place of what is required.
std::string described(const toml::node& node)
{
    if (const auto* text = node.as_string()) return '"' + shortened(text->get()) + '"';
    if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
    if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    if (node.is_table()) return "a table";
    const toml::array* list = node.as_array();
    if (!list) return "a date or time";
    if (list->size() != 3) return fmt::format("a list of {}", list->size());
    return fmt::format("[{}, {}, {}]", described((*list)[0]), described((*list)[1]), described((*list)[2]));
}

bool is_in(const KeyRange& range, double x)
{
    return std::isfinite(x) && x >= range.least && x <= range.most;
}

std::optional<double> number_in(const KeyRange& range, const toml::node& node)
{
    double x = 0;
    if (const auto* whole = node.as_integer())
        x = static_cast<double>(whole->get());
    else if (const auto* real = node.as_floating_point())
        x = real->get();
    else
        return {};
    if (!is_in(range, x)) return {};
    return x;
}

/// Whole numbers may be written as 1e6.
std::optional<int64_t> integer_in(const KeyRange& range, const toml::node& node)
{
    const std::optional<double> x = number_in(range, node);
    if (!x) return {};
    if (const auto* whole = node.as_integer()) return whole->get();
    if (*x != std::floor(*x) || std::abs(*x) > kExactIntegers) return {};
    return static_cast<int64_t>(*x);
}

std::optional<Vec3d> vector_in(const KeyRange& range, const toml::node& node)
{
    const toml::array* list = node.as_array();
    if (!list || list->size() != 3) return {};
    double c[3];
    for (size_t i = 0; i < 3; ++i) {
        const std::optional<double> x = number_in(range, (*list)[i]);
        if (!x) return {};
        c[i] = *x;
    }
    return Vec3d{c[0], c[1], c[2]};
}

template <class T>
std::optional<SceneValue> widened(const std::optional<T>& value)
{
    if (!value) return {};
    return SceneValue(*value);
}

std::optional<SceneValue> value_of(const SceneKey& key, const toml::node& node)
{
    switch (key.type) {
        case KeyType::kNumber: return widened(number_in(key.range, node));
        case KeyType::kInteger: return widened(integer_in(key.range, node));
        case KeyType::kVector: return widened(vector_in(key.range, node));
        case KeyType::kGravity:
            if (const auto g = number_in(key.range, node)) return SceneValue(Vec3d{0, -*g, 0});
            return widened(vector_in(key.range, node));
        case KeyType::kDirection: {
            const auto v = vector_in(key.range, node);
            if (!v || !(length(*v) > 1e-6)) return {};
            return SceneValue(*v);
        }
        case KeyType::kBoolean:
            if (const auto* flag = node.as_boolean()) return SceneValue(flag->get());
            return {};
        case KeyType::kText:
            if (const auto* text = node.as_string()) return SceneValue(text->get());
            return {};
        case KeyType::kChoice: break;
    }
    const auto* word = node.as_string();
    for (size_t i = 0; word && i < key.choices.size(); ++i)
        if (word->get() == key.choices[i]) return SceneValue(static_cast<int64_t>(i));
    return {};
}

Error refusal(const SceneKey& key, const std::string& path, const toml::node& node)
{
    const auto* word = key.type == KeyType::kChoice ? node.as_string() : nullptr;
    std::string nearest;
    if (word) {
        for (const std::string& later : key.later)
            if (word->get() == later)
                return Error{fmt::format("{} = \"{}\" is not built yet; only {} is", path, later, requirement(key))};
        nearest = nearest_name(word->get(), key.choices);
    }
    return Error{fmt::format("{} must be {}, not {}{}", path, requirement(key), described(node),
                             nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest))};
}

/// The line, counted from 1, of a character that is not ASCII and stands outside comments and quotes of one line; 0
/// where there is none. toml++ 3.3 asks of such characters whether they are blanks, and for most of them its answer is
/// undefined.
size_t line_of_stray_character(std::string_view text)
{
    enum { kPlain, kComment, kQuoted, kManyLines } state = kPlain;
    char quote = 0;
    size_t line = 1;
    const size_t begin = text.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0;  // the mark of UTF-8
    for (size_t i = begin; i < text.size(); ++i) {
        const char c = text[i];
        // A quote within a word does not open anything.
        const bool opens = i == 0 || std::string_view(" \t\n\r=,[{.").find(text[i - 1]) != std::string_view::npos;
        const bool three = (c == '"' || c == '\'') && text.substr(i, 3) == std::string(3, c);
        if (c == '\n') ++line;
        if ((state == kPlain || state == kManyLines) && static_cast<unsigned char>(c) >= 0x80) return line;
        if (state == kManyLines) {
            if (three && c == quote) state = kPlain, i += 2;
        } else if (c == '\n') {
            state = kPlain;
        } else if (state == kQuoted) {
            if (c == '\\' && quote == '"' && text.substr(i + 1, 1) != "\n") ++i;
            if (c == quote) state = kPlain;
        } else if (state == kPlain && opens && three) {
            state = kManyLines, quote = c, i += 2;
        } else if (state == kPlain && opens && (c == '"' || c == '\'')) {
            state = kQuoted, quote = c;
        } else if (state == kPlain && c == '#') {
            state = kComment;
        }
    }
    return 0;
}

}  // namespace

Result<toml::table> parse_toml(const std::string& text, const std::string& file_name)
{
    if (const size_t line = line_of_stray_character(text))
        return Error{fmt::format("{}:{}: not valid TOML: a letter outside quotes that is not ASCII", file_name, line)};
    try {
        return toml::parse(text, file_name);
    } catch (const toml::parse_error& error) {
        return Error{
            fmt::format("{}:{}: not valid TOML: {}", file_name, error.source().begin.line, error.description())};
    } catch (const std::logic_error&) {
        return Error{fmt::format("{}: not valid TOML: the name of a key or table is malformed", file_name)};
    }
}

Result<SceneValue> read_value(const SceneKey& key, const std::string& path, const toml::node& node)
{
    if (std::optional<SceneValue> value = value_of(key, node)) return *value;
    return refusal(key, path, node);
}

Result<SceneValue> read_value(const SceneKey& key, const std::string& path, std::string_view text)
{
    const bool is_word = key.type == KeyType::kChoice || key.type == KeyType::kText;
    const bool quoted = !text.empty() && (text.front() == '"' || text.front() == '\'');
    if (is_word && !quoted) return read_value(key, path, toml::value<std::string>(std::string(text)));
    const Result<toml::table> parsed = parse_toml("value = " + std::string(text), path);
    const toml::node* node = parsed ? parsed->get("value") : nullptr;
    if (!node || parsed->size() != 1)
        return Error{fmt::format("{} must be {}, not '{}'", path, requirement(key), shortened(std::string(text)))};
    return read_value(key, path, *node);
}

}  // namespace tendril
