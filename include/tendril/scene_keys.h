/// The one table of everything that a scene file can say. The parser, `--set`, docs/scene.md and the sliders of the
/// live page are made from it.
#pragma once

#include "tendril/scene.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tendril {

enum class KeyType : uint8_t {
    kNumber,
    kInteger,
    kBoolean,
    kChoice,  ///< one of a few words; its value is the index of the word
    kText,
    kVector,     ///< three numbers
    kDirection,  ///< three numbers, not all zero
    kGravity,    ///< three numbers, or one: downward
};

/// Both ends belong to it. Infinite ends are no limits, but numbers are always finite.
struct KeyRange {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
};

using SceneValue = std::variant<double, int64_t, bool, std::string, Vec3d>;

struct SceneKey {
    std::string_view name;
    KeyType type = KeyType::kNumber;
    std::string_view unit;  ///< empty: none
    KeyRange range;
    std::vector<std::string> choices;  ///< kChoice: in the order of the enumeration
    std::string_view meaning;
    /// On the struct that the table stands for. `set` relies on a checked value.
    void (*set)(const SceneKey& key, void* object, const SceneValue& value) = nullptr;
    SceneValue (*get)(const SceneKey& key, const void* object) = nullptr;
};

struct SceneTable {
    std::string_view name;
    std::string_view meaning;
    std::vector<SceneKey> keys;
    bool repeated = false;  ///< [[name]] is allowed
    size_t (*count)(const Scene& scene) = nullptr;
    void* (*object)(Scene& scene, size_t index) = nullptr;  ///< appends one where index == count
};

const std::vector<SceneTable>& scene_tables();
const SceneTable* find_table(std::string_view name);
const SceneKey* find_key(const SceneTable& table, std::string_view name);

/// What a scene has for a key: in its table, or in the one of several that `index` says.
SceneValue value_of(const Scene& scene, const SceneTable& table, size_t index, const SceneKey& key);
/// What it is where a scene says nothing.
SceneValue default_of(const SceneTable& table, const SceneKey& key);

/// What a value must be, such as "a number in [0, 1]".
std::string requirement(const SceneKey& key);

/// As it is written in TOML.
std::string value_text(const SceneKey& key, const SceneValue& value);

/// The scene as a file: every key that differs from its default, in the order of the tables. Read again, it has the
/// same values. Files that it refers to are named as the scene names them.
std::string write_scene(const Scene& scene);

}  // namespace tendril
