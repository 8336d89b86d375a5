/// How tables of keys are written, and which there are. A key is a path of pointers to members, such as
/// <&Scene::world, &WorldSettings::dt>, from which functions that read and write are made.
#pragma once

#include "tendril/scene_keys.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace tendril {

// In scene_keys_world.cpp:
SceneTable sim_table();
SceneTable air_table();
SceneTable wind_table();
SceneTable solver_table();
// In scene_keys_hair.cpp:
SceneTable groom_table();
SceneTable shape_table();
SceneTable interaction_table();
// In scene_keys_body.cpp:
SceneTable body_table();
SceneTable hold_table();
SceneTable collider_table();
SceneTable contact_table();
// In scene_keys_output.cpp:
SceneTable render_table();
SceneTable output_table();
SceneTable compare_table();

// Words this plain stay in a namespace of their own.
namespace keys {

template <auto First, auto... Rest>
auto& member(auto& object)
{
    if constexpr (sizeof...(Rest) == 0)
        return object.*First;
    else
        return member<Rest...>(object.*First);
}

template <class T>
T to_member(const SceneKey& key, const SceneValue& value)
{
    if constexpr (std::is_same_v<T, std::string>)
        return key.type == KeyType::kChoice ? key.choices[std::get<int64_t>(value)] : std::get<std::string>(value);
    else if constexpr (std::is_same_v<T, Vec3f>)
        return to_float(std::get<Vec3d>(value));
    else if constexpr (std::is_same_v<T, Vec3d> || std::is_same_v<T, bool>)
        return std::get<T>(value);
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(std::get<double>(value));
    else
        return static_cast<T>(std::get<int64_t>(value));
}

/// 0.9f as 0.9, not as 0.89999998.
inline double shortest_decimal(float value)
{
    for (double scale = 1; scale <= 1e9; scale *= 10) {
        const double decimal = std::round(static_cast<double>(value) * scale) / scale;
        if (static_cast<float>(decimal) == value) return decimal;
    }
    return value;
}

template <class T>
SceneValue from_member(const SceneKey& key, const T& value)
{
    if constexpr (std::is_same_v<T, std::string>) {
        if (key.type != KeyType::kChoice) return value;
        return std::find(key.choices.begin(), key.choices.end(), value) - key.choices.begin();
    } else if constexpr (std::is_same_v<T, Vec3f>) {
        return Vec3d{shortest_decimal(value.x), shortest_decimal(value.y), shortest_decimal(value.z)};
    } else if constexpr (std::is_same_v<T, Vec3d> || std::is_same_v<T, bool>) {
        return value;
    } else if constexpr (std::is_same_v<T, float>) {
        return shortest_decimal(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<double>(value);
    } else {
        return static_cast<int64_t>(value);
    }
}

template <class Class, class Member>
Class class_of(Member Class::*);

/// A key of a table that stands for an Object: a key cannot get into the wrong table.
template <class Object>
struct KeyOf {
    SceneKey key;
};

template <auto First, auto... Rest>
auto make_key(std::string_view name, KeyType type, std::string_view meaning)
{
    using Object = decltype(class_of(First));
    KeyOf<Object> made;
    made.key.name = name;
    made.key.type = type;
    made.key.meaning = meaning;
    made.key.set = [](const SceneKey& key, void* object, const SceneValue& value) {
        auto& target = member<First, Rest...>(*static_cast<Object*>(object));
        target = to_member<std::remove_reference_t<decltype(target)>>(key, value);
    };
    made.key.get = [](const SceneKey& key, const void* object) {
        return from_member(key, member<First, Rest...>(*static_cast<const Object*>(object)));
    };
    return made;
}

template <auto... Path>
auto number(std::string_view name, std::string_view unit, KeyRange range, std::string_view meaning)
{
    auto made = make_key<Path...>(name, KeyType::kNumber, meaning);
    made.key.unit = unit;
    made.key.range = range;
    return made;
}

template <auto... Path>
auto integer(std::string_view name, KeyRange range, std::string_view meaning)
{
    auto made = make_key<Path...>(name, KeyType::kInteger, meaning);
    made.key.range = range;
    return made;
}

template <auto... Path>
auto boolean(std::string_view name, std::string_view meaning)
{
    return make_key<Path...>(name, KeyType::kBoolean, meaning);
}

template <auto... Path>
auto text(std::string_view name, std::string_view meaning)
{
    return make_key<Path...>(name, KeyType::kText, meaning);
}

template <auto... Path>
auto choice(std::string_view name, const std::vector<std::string>& choices, std::string_view meaning)
{
    auto made = make_key<Path...>(name, KeyType::kChoice, meaning);
    made.key.choices = choices;
    return made;
}

template <auto... Path>
auto vector(std::string_view name, std::string_view unit, KeyRange range, std::string_view meaning,
            KeyType type = KeyType::kVector)
{
    auto made = make_key<Path...>(name, type, meaning);
    made.key.unit = unit;
    made.key.range = range;
    return made;
}

template <class Object>
std::vector<SceneKey> plain_keys(const std::vector<KeyOf<Object>>& typed)
{
    std::vector<SceneKey> keys;
    keys.reserve(typed.size());
    for (const KeyOf<Object>& k : typed) keys.push_back(k.key);
    return keys;
}

/// A table that is there once, for the scene itself or a part of it.
template <auto... Path, class Object>
SceneTable single(std::string_view name, std::string_view meaning, const std::vector<KeyOf<Object>>& keys)
{
    SceneTable table{name, meaning, plain_keys(keys)};
    table.count = [](const Scene&) -> size_t { return 1; };
    table.object = [](Scene& scene, size_t) -> void* {
        Object* part = nullptr;
        if constexpr (sizeof...(Path) == 0)
            part = &scene;
        else
            part = &member<Path...>(scene);
        return part;
    };
    return table;
}

/// A table for the elements of a list of the scene.
template <auto List, class Object>
SceneTable repeated(std::string_view name, std::string_view meaning, const std::vector<KeyOf<Object>>& keys)
{
    SceneTable table{name, meaning, plain_keys(keys)};
    table.repeated = true;
    table.count = [](const Scene& scene) { return (scene.*List).size(); };
    table.object = [](Scene& scene, size_t index) -> void* {
        std::vector<Object>& list = scene.*List;
        if (index == list.size()) list.emplace_back();
        return &list[index];
    };
    return table;
}

/// For keys without an upper limit. Limits that the structs do not have are there so that no value can overflow a
/// float.
inline constexpr double kAnyNumber = std::numeric_limits<double>::infinity();

}  // namespace keys
}  // namespace tendril
