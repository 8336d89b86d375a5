#include "io/scene_value.h"

#include "tendril/detail/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace tendril {
namespace {

// Integers up to this are exact in a double.
constexpr double kExactIntegers = 9007199254740992.0;

std::string shortened(const std::string& text)
{
    constexpr size_t kMaxShown = 40;
    return text.size() <= kMaxShown ? text : text.substr(0, kMaxShown) + "...";
}

/// A description of the given value for messages.
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

/// A remark for integers that cannot be represented; without it, the message would show a value that looks in range.
std::string size_remark(const Setting& key, double x)
{
    return key.type == SettingType::kInteger && std::abs(x) > kExactIntegers ? ", which is too large" : "";
}

bool is_in(const SettingRange& range, double x)
{
    return std::isfinite(x) && x >= range.min && x <= range.max;
}

std::optional<double> number_in(const SettingRange& range, const toml::node& node)
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

/// Accepts integers in floating-point notation, such as 1e6.
std::optional<int64_t> integer_in(const SettingRange& range, const toml::node& node)
{
    const std::optional<double> x = number_in(range, node);
    if (!x) return {};
    if (const auto* whole = node.as_integer()) return whole->get();
    if (*x != std::floor(*x) || std::abs(*x) > kExactIntegers) return {};
    return static_cast<int64_t>(*x);
}

std::optional<Vec3d> vector_in(const SettingRange& range, const toml::node& node)
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
std::optional<SettingValue> as_scene_value(const std::optional<T>& value)
{
    if (!value) return {};
    return SettingValue(*value);
}

std::optional<SettingValue> value_of(const Setting& key, const toml::node& node)
{
    switch (key.type) {
        case SettingType::kNumber: return as_scene_value(number_in(key.range, node));
        case SettingType::kInteger: return as_scene_value(integer_in(key.range, node));
        case SettingType::kVector: return as_scene_value(vector_in(key.range, node));
        case SettingType::kGravity:
            if (const auto g = number_in(key.range, node)) return SettingValue(Vec3d{0, -*g, 0});
            return as_scene_value(vector_in(key.range, node));
        case SettingType::kDirection: {
            const auto v = vector_in(key.range, node);
            if (!v || !(length(*v) > 1e-6)) return {};
            return SettingValue(*v);
        }
        case SettingType::kBoolean:
            if (const auto* flag = node.as_boolean()) return SettingValue(flag->get());
            return {};
        case SettingType::kText:
            if (const auto* text = node.as_string()) return SettingValue(text->get());
            return {};
        case SettingType::kChoice: break;
    }
    const auto* word = node.as_string();
    for (size_t i = 0; word && i < key.choices.size(); ++i)
        if (word->get() == key.choices[i]) return SettingValue(static_cast<int64_t>(i));
    return {};
}

Error value_refusal(const Setting& key, const std::string& path, const toml::node& node)
{
    const auto* word = key.type == SettingType::kChoice ? node.as_string() : nullptr;
    std::string nearest;
    if (word) nearest = nearest_name(word->get(), key.choices);
    const std::string hint = nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
    return Error{fmt::format("{} must be {}, not {}{}{}", path, requirement(key), described(node),
                             size_remark(key, node.value<double>().value_or(0)), hint)};
}

bool is_ascii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Whether the line is a comment or sets a key to one string in simple quotes.
bool may_hold_non_ascii(std::string_view line)
{
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] == '#') return true;
    const size_t open = line.find_first_of("\"'#"), close = line.find_first_of("\"'\\", open + 1);
    if (open == std::string_view::npos || line[open] == '#' || close == std::string_view::npos) return false;
    const size_t equals = open > 0 ? line.find_last_not_of(" \t", open - 1) : line.npos;
    if (line[close] != line[open] || equals == line.npos || line[equals] != '=') return false;
    const auto is_plain = [](char c) {
        return c == '_' || c == '.' || c == '-' || c == ' ' || c == '\t' || std::isalnum(c);
    };
    const std::string_view key = line.substr(0, equals);
    if (!is_ascii(key) || !std::all_of(key.begin(), key.end(), is_plain)) return false;
    const size_t rest = line.find_first_not_of(" \t\r", close + 1);
    return rest == std::string_view::npos || line[rest] == '#';
}

/// The first line, counted from 1, with a non-ASCII character that is not allowed there, or 0. toml++ 3.3 tests such
/// characters outside quotes for being whitespace, which is undefined behaviour for most of them; so they are allowed
/// only where the quoting is unambiguous.
size_t line_of_stray_non_ascii(std::string_view text)
{
    if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);  // byte order mark
    const bool has_multiline_strings = text.find("\"\"\"") != text.npos || text.find("\'\'\'") != text.npos;
    for (size_t begin = 0, line = 1; begin < text.size(); ++line) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view content = text.substr(begin, end - begin);
        if (!is_ascii(content) && (has_multiline_strings || !may_hold_non_ascii(content))) return line;
        begin = end + 1;
    }
    return 0;
}

}  // namespace

Result<toml::table> parse_toml(const std::string& text, const std::string& file_name)
{
    if (const size_t line = line_of_stray_non_ascii(text))
        return Error{fmt::format(
            "{}:{}: not valid TOML: non-ASCII characters are allowed only in comments and simple quoted values",
            file_name, line)};
    try {
        return toml::parse(text, file_name);
    } catch (const toml::parse_error& error) {
        return Error{
            fmt::format("{}:{}: not valid TOML: {}", file_name, error.source().begin.line, error.description())};
    } catch (const std::logic_error&) {
        return Error{fmt::format("{}: not valid TOML: the name of a key or table is malformed", file_name)};
    }
}

Result<SettingValue> read_value(const Setting& key, const std::string& path, const toml::node& node)
{
    if (std::optional<SettingValue> value = value_of(key, node)) return *value;
    return value_refusal(key, path, node);
}

Result<SettingValue> read_value(const Setting& key, const std::string& path, std::string_view text)
{
    const bool is_word = key.type == SettingType::kChoice || key.type == SettingType::kText;
    const bool quoted = !text.empty() && (text.front() == '"' || text.front() == '\'');
    if (is_word && !quoted) return read_value(key, path, toml::value<std::string>(std::string(text)));
    const Result<toml::table> parsed = parse_toml("value = " + std::string(text), path);
    const toml::node* node = parsed ? parsed->get("value") : nullptr;
    if (!node || parsed->size() != 1)
        return Error{fmt::format("{} must be {}, not '{}'{}", path, requirement(key), shortened(std::string(text)),
                                 size_remark(key, std::strtod(std::string(text).c_str(), nullptr)))};
    return read_value(key, path, *node);
}

}  // namespace tendril
