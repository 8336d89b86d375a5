#include "tendril/scene_keys.h"

#include "io/scene_key_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tendril {
namespace {

std::string range_text(const KeyRange& range, std::string_view unit)
{
    const bool low = std::isfinite(range.least), high = std::isfinite(range.most);
    std::string text;
    if (low && high)
        text = fmt::format("in [{:.10g}, {:.10g}]", range.least, range.most);
    else if (low)
        text = fmt::format("of at least {:.10g}", range.least);
    if (!unit.empty()) text += fmt::format(" {}", unit);
    return text;
}

/// -0 would be read as the integer, which has no sign.
std::string number_text(double x)
{
    return x == 0 && std::signbit(x) ? "-0.0" : fmt::format("{}", x);
}

/// Text in quotes. Where something in it has to be escaped, so are all letters beyond ASCII: the parser takes those
/// only from text without escapes. What is not UTF-8 becomes a question mark.
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

const std::vector<SceneTable>& scene_tables()
{
    static const std::vector<SceneTable> tables{sim_table(),      groom_table(),   body_table(),        hold_table(),
                                                collider_table(), contact_table(), air_table(),         wind_table(),
                                                solver_table(),   shape_table(),   interaction_table(), render_table(),
                                                output_table(),   compare_table()};
    return tables;
}

const SceneTable* find_table(std::string_view name)
{
    for (const SceneTable& table : scene_tables())
        if (table.name == name) return &table;
    return nullptr;
}

const SceneKey* find_key(const SceneTable& table, std::string_view name)
{
    for (const SceneKey& key : table.keys)
        if (key.name == name) return &key;
    return nullptr;
}

SceneValue value_of(const Scene& scene, const SceneTable& table, size_t index, const SceneKey& key)
{
    assert(index < table.count(scene));
    return key.get(key, table.object(const_cast<Scene&>(scene), index));  // what is there already is only looked up
}

SceneValue default_of(const SceneTable& table, const SceneKey& key)
{
    Scene scene;
    return key.get(key, table.object(scene, 0));
}

std::string requirement(const SceneKey& key)
{
    const std::string range = range_text(key.range, key.unit);
    switch (key.type) {
        case KeyType::kNumber: return "a number " + range;
        case KeyType::kInteger: return "an integer " + range;
        case KeyType::kBoolean: return "true or false";
        case KeyType::kText: return "text in quotes";
        case KeyType::kVector: return "three numbers, each " + range;
        case KeyType::kDirection: return "three numbers that are not all zero";
        case KeyType::kGravity: return "three numbers, or one for downward, each " + range;
        case KeyType::kChoice: break;
    }
    std::string words;
    for (size_t i = 0; i < key.choices.size(); ++i) {
        if (i > 0) words += i + 1 == key.choices.size() ? " or " : ", ";
        words += '"' + key.choices[i] + '"';
    }
    return words;
}

std::string value_text(const SceneKey& key, const SceneValue& value)
{
    if (key.type == KeyType::kChoice) return '"' + key.choices[std::get<int64_t>(value)] + '"';
    if (const auto* v = std::get_if<Vec3d>(&value))
        return fmt::format("[{}, {}, {}]", number_text(v->x), number_text(v->y), number_text(v->z));
    if (const auto* t = std::get_if<std::string>(&value)) return quoted(*t);
    if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
    if (const auto* i = std::get_if<int64_t>(&value)) return fmt::format("{}", *i);
    return number_text(std::get<double>(value));
}

}  // namespace tendril
