#include "tendril/setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

std::string range_text(const SettingRange& range, std::string_view unit)
{
    const bool low = std::isfinite(range.min), high = std::isfinite(range.max);
    std::string text;
    if (low && high)
        text = fmt::format("in [{:.10g}, {:.10g}]", range.min, range.max);
    else if (low)
        text = fmt::format("of at least {:.10g}", range.min);
    if (!unit.empty()) text += fmt::format(" {}", unit);
    return text;
}

/// Writes -0 as -0.0, because -0 would be read as an integer, which has no negative zero.
std::string number_text(double x)
{
    return x == 0 && std::signbit(x) ? "-0.0" : fmt::format("{}", x);
}

/// Puts text in quotes. If one character must be escaped, all non-ASCII characters are escaped as well, because the
/// parser accepts them only in text without escapes. Bytes that are not UTF-8 become question marks.
std::string quoted(const std::string& text)
{
    const auto is_plain = [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && c != '"' && c != '\\';
    };
    if (std::all_of(text.begin(), text.end(), is_plain)) return '"' + text + '"';
    std::string out = "\"";
    for (size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            if (is_plain(text[i]))
                out += text[i];
            else
                out += fmt::format("\\u{:04X}", lead);
            ++i;
            continue;
        }
        const size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        uint32_t letter = lead & (0x3fu >> more);
        size_t read = 1;
        for (; read <= more && i + read < text.size() && (text[i + read] & 0xc0) == 0x80; ++read)
            letter = letter << 6 | (text[i + read] & 0x3fu);
        const bool whole = lead >= 0xc2 && lead < 0xf5 && read == more + 1;
        out += whole ? fmt::format("\\U{:08X}", letter) : "?";
        i += whole ? read : 1;
    }
    return out + '"';
}

}  // namespace

SettingValue Setting::get(const void* object) const
{
    // `part` takes a mutable object, but here the object is only read.
    return getter(*this, part ? part(const_cast<void*>(object)) : object);
}

void Setting::set(void* object, const SettingValue& value) const
{
    setter(*this, part ? part(object) : object, value);
}

void Setting::make_usable(void* object, const void* defaults) const
{
    if (part)
        clamper(*this, part(object), part(const_cast<void*>(defaults)));
    else
        clamper(*this, object, defaults);
}

const Setting* find_setting(const SettingTable& table, std::string_view name)
{
    for (const Setting& setting : table.settings)
        if (setting.name == name) return &setting;
    for (const Setting& setting : table.settings)
        if (setting.short_name == name) return &setting;
    return nullptr;
}

std::string requirement(const Setting& setting)
{
    const std::string range = range_text(setting.range, setting.unit);
    switch (setting.type) {
        case SettingType::kNumber: return "a number " + range;
        case SettingType::kInteger: return "an integer " + range;
        case SettingType::kBoolean: return "true or false";
        case SettingType::kText: return "text in quotes";
        case SettingType::kVector: return "three numbers, each " + range;
        case SettingType::kDirection: return "three numbers that are not all zero";
        case SettingType::kGravity: return "three numbers, or one for downward, each " + range;
        case SettingType::kChoice: break;
    }
    std::string words;
    for (size_t i = 0; i < setting.choices.size(); ++i) {
        if (i > 0) words += i + 1 == setting.choices.size() ? " or " : ", ";
        words += '"' + setting.choices[i] + '"';
    }
    return words;
}

std::string value_text(const Setting& setting, const SettingValue& value)
{
    if (std::holds_alternative<std::monostate>(value)) return {};
    if (setting.type == SettingType::kChoice) return '"' + setting.choices[std::get<int64_t>(value)] + '"';
    if (const auto* v = std::get_if<Vec3d>(&value))
        return fmt::format("[{}, {}, {}]", number_text(v->x), number_text(v->y), number_text(v->z));
    if (const auto* t = std::get_if<std::string>(&value)) return quoted(*t);
    if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
    if (const auto* i = std::get_if<int64_t>(&value)) return fmt::format("{}", *i);
    return number_text(std::get<double>(value));
}

}  // namespace tendril
