// Writes a scene as TOML.
#include "tendril/scene_keys.h"

#include <fmt/format.h>

namespace tendril {
namespace {

/// One line for each key of a table element that differs from its default.
std::string lines_of(const Scene& scene, const SceneTable& table, size_t index)
{
    std::string lines;
    for (const Setting& key : table.settings) {
        const SettingValue value = key.get(table.object(const_cast<Scene&>(scene), index));  // it is only read
        if (value != default_of(table, key)) lines += fmt::format("{} = {}\n", key.name, value_text(key, value));
    }
    return lines;
}

}  // namespace

std::string write_scene(const Scene& scene)
{
    std::string out;
    for (const SceneTable& table : scene_tables()) {
        const size_t count = table.count(scene);
        for (size_t i = 0; i < count; ++i) {
            const std::string lines = lines_of(scene, table, i);
            if (lines.empty() && !table.repeated) continue;
            if (!out.empty()) out += '\n';
            out += count > 1 ? fmt::format("[[{}]]\n", table.name) : fmt::format("[{}]\n", table.name);
            out += lines;
        }
    }
    return out;
}

}  // namespace tendril
