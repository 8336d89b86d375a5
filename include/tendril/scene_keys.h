/// The tables of a scene file. The parser, `--set`, docs/scene.md and the sliders of the live page are derived from
/// them.
#pragma once

#include "tendril/scene.h"
#include "tendril/setting.h"

#include <string>
#include <string_view>
#include <vector>

namespace tendril {

/// A table of a scene file. Its settings are the keys.
struct SceneTable : SettingTable {
    bool repeated = false;                                  ///< whether [[name]] is allowed
    size_t (*count)(const Scene& scene) = nullptr;          ///< number of elements in the scene
    void* (*object)(Scene& scene, size_t index) = nullptr;  ///< appends an element if index == count
};

const std::vector<SceneTable>& scene_tables();
const SceneTable* find_table(std::string_view name);

/// When a key has an effect. Most keys always have one.
struct KeyCondition {
    /// What it takes, as Markdown: completes "It acts only ...".
    std::string_view when;
    /// `index` is the element of a repeated table. For a table of the world it is a groom, and it is enough that one of
    /// them satisfies the condition.
    bool (*holds)(const Scene& scene, size_t index);
    enum class Harm : uint8_t {
        kNoEffect,  ///< a warning
        kLosesMap,  ///< an error: the key names a map that would not be read
    };
    Harm harm = Harm::kNoEffect;
};
/// The condition of a key, or null if it always acts.
const KeyCondition* acts_when(const SceneTable& table, const Setting& key);
/// Whether a key has an effect in a scene; `index` selects the element of a repeated table.
bool acts(const Scene& scene, const SceneTable& table, size_t index, const Setting& key);

/// The value of a key in a scene; `index` selects the element of a repeated table. If a groom does not set a key such
/// as `[groom.shape] local`, returns the value of the world.
SettingValue value_of(const Scene& scene, const SceneTable& table, size_t index, const Setting& key);
/// The value of a key that a scene does not set. It is empty if the value of the world applies.
SettingValue default_of(const SceneTable& table, const Setting& key);
/// The key of the world that a groom's own key replaces. Returns null for all other keys.
const Setting* key_of_world(const SceneTable& table, const Setting& key);

/// Writes a scene as TOML, with every key that differs from its default, in the order of the tables. Reading the text
/// gives the same values. Paths are written as they are in the scene.
std::string write_scene(const Scene& scene);

}  // namespace tendril
