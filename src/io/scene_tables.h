/// The tables of a scene file, and functions that describe them.
#pragma once

#include "settings/describe.h"
#include "tendril/scene_keys.h"

#include <vector>

namespace tendril {

// In scene_tables_groom.cpp:
SceneTable groom_table();
// In scene_tables_body.cpp:
SceneTable body_table();
SceneTable hold_table();
SceneTable collider_table();
// In scene_tables_output.cpp:
SceneTable render_table();
SceneTable output_table();
SceneTable compare_table();
const SettingTable& look_settings();  ///< SceneLook

namespace describe {

/// Makes a table that exists once. It describes the part of the scene that the path leads to.
template <auto... Path>
SceneTable single(const SettingTable& described)
{
    SceneTable table{described};
    table.count = [](const Scene&) -> size_t { return 1; };
    table.object = [](Scene& scene, size_t) -> void* {
        if constexpr (sizeof...(Path) == 0)
            return &scene;
        else
            return &member<Path...>(scene);
    };
    return table;
}

/// Makes a table that may be repeated. It describes the elements of a list of the scene.
template <auto List, class Object>
SceneTable repeated(std::string_view name, std::string_view meaning, const std::vector<SettingOf<Object>>& settings)
{
    SceneTable table{table_of(name, meaning, settings)};
    table.repeated = true;
    table.count = [](const Scene& scene) { return (scene.*List).size(); };
    table.object = [](Scene& scene, size_t index) -> void* {
        std::vector<Object>& list = scene.*List;
        if (index == list.size()) list.emplace_back();
        return &list[index];
    };
    return table;
}

}  // namespace describe
}  // namespace tendril
