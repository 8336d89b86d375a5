#include "io/scene_tables.h"

#include <cassert>

namespace tendril {

using namespace describe;

namespace {

SceneTable sim_table()
{
    static const Scene defaults{};
    SettingTable table{"sim", step_settings().meaning, {}, {}, &defaults};
    append_nested<&Scene::world>(table.settings, "", step_settings().settings);
    append(table.settings,
           std::vector{
               integer<&Scene::frames>("frames", {0, 1e9},
                                       "Number of steps; `--frames` on the command line takes precedence."),
               integer<&Scene::seed>("seed", {0, kNoLimit},
                                     "Seed of everything random: lengths of strands, eddies of the wind."),
               number<&Scene::settle>("settle", "s", {0, 3600},
                                      "Time in which strands come to rest before the first frame, while bodies keep "
                                      "their pose of time 0 and no wind blows."),
               vector<&Scene::settle_wind>("settle_wind", "m/s", {-1000, 1000},
                                           "Wind that combs the strands during the first half of `settle`."),
           });
    return single(table);
}

/// The table with the values of the world for a table of a groom.
const SceneTable* world_table(std::string_view table_of_groom)
{
    return find_table(table_of_groom == "look" ? "render" : table_of_groom);
}

}  // namespace

const std::vector<SceneTable>& scene_tables()
{
    using W = WorldSettings;
    static const std::vector<SceneTable> tables{
        sim_table(),
        groom_table(),
        body_table(),
        hold_table(),
        collider_table(),
        single<&Scene::world, &W::contact>(contact_settings()),
        single<&Scene::world, &W::air>(air_settings()),
        single<&Scene::world, &W::wind>(wind_settings()),
        single<&Scene::world, &W::solver>(solver_settings()),
        single<&Scene::world, &W::shape>(shape_settings()),
        single<&Scene::world, &W::interaction>(interaction_settings()),
        render_table(),
        output_table(),
        compare_table(),
    };
    return tables;
}

const SceneTable* find_table(std::string_view name)
{
    for (const SceneTable& table : scene_tables())
        if (table.name == name) return &table;
    return nullptr;
}

const Setting* key_of_world(const SceneTable& table, const Setting& key)
{
    const size_t dot = key.name.find('.');
    if (table.name != "groom" || dot == key.name.npos) return nullptr;
    const std::string_view name = key.name, own_table = name.substr(0, dot);
    return find_setting(*world_table(own_table), own_table == "look" ? name : name.substr(dot + 1));
}

SettingValue value_of(const Scene& scene, const SceneTable& table, size_t index, const Setting& key)
{
    assert(index < table.count(scene));
    Scene& existing = const_cast<Scene&>(scene);  // the element is only read
    SettingValue value = key.get(table.object(existing, index));
    if (!std::holds_alternative<std::monostate>(value)) return value;
    const SceneTable& worlds = *world_table(std::string_view(key.name).substr(0, key.name.find('.')));
    return key_of_world(table, key)->get(worlds.object(existing, 0));
}

SettingValue default_of(const SceneTable& table, const Setting& key)
{
    return key.get(table.defaults);
}

}  // namespace tendril
