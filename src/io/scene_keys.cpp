#include "io/scene_keys.h"

#include "io/scene_key_tables.h"

#include <fmt/format.h>

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
    if (const auto* v = std::get_if<Vec3d>(&value)) return fmt::format("[{}, {}, {}]", v->x, v->y, v->z);
    if (const auto* t = std::get_if<std::string>(&value)) return '"' + *t + '"';
    if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
    if (const auto* i = std::get_if<int64_t>(&value)) return fmt::format("{}", *i);
    return fmt::format("{}", std::get<double>(value));
}

}  // namespace tendril
