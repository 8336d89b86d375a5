/// Functions that describe settings. A setting is a path of pointers to members, such as <&RigidBody::size>, from which
/// the functions that read, write and clamp the field are generated.
#pragma once

#include "tendril/setting.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

// A namespace of its own, because the names are so general.
namespace tendril::describe {

template <auto First, auto... Rest>
auto& member(auto& object)
{
    if constexpr (sizeof...(Rest) == 0)
        return object.*First;
    else
        return member<Rest...>(object.*First);
}

template <class T>
T to_member(const Setting& setting, const SettingValue& value)
{
    if constexpr (std::is_same_v<T, std::string>)
        return setting.type == SettingType::kChoice ? setting.choices[std::get<int64_t>(value)]
                                                    : std::get<std::string>(value);
    else if constexpr (std::is_same_v<T, Vec3f>)
        return to_float(std::get<Vec3d>(value));
    else if constexpr (std::is_same_v<T, Vec3d> || std::is_same_v<T, bool>)
        return std::get<T>(value);
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(std::get<double>(value));
    else
        return static_cast<T>(std::get<int64_t>(value));
}

/// The decimal with the fewest digits that rounds to the value: 0.9 for 0.9f, not 0.89999998.
inline double shortest_decimal(float value)
{
    for (double scale = 1; scale <= 1e9; scale *= 10) {
        const double decimal = std::round(static_cast<double>(value) * scale) / scale;
        if (static_cast<float>(decimal) == value) return decimal;
    }
    return value;
}

template <class T>
SettingValue from_member(const Setting& setting, const T& value)
{
    if constexpr (std::is_same_v<T, std::string>) {
        if (setting.type != SettingType::kChoice) return value;
        return std::find(setting.choices.begin(), setting.choices.end(), value) - setting.choices.begin();
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

template <class T>
T usable(const Setting& setting, const T& value, const T& fallback)
{
    const SettingRange& range = setting.range;
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
        return value;
    } else if constexpr (std::is_same_v<T, Vec3f> || std::is_same_v<T, Vec3d>) {
        using C = decltype(value.x);
        if (!is_finite(value)) return fallback;
        const auto clamped = [&](C x) { return std::clamp(x, static_cast<C>(range.min), static_cast<C>(range.max)); };
        return {clamped(value.x), clamped(value.y), clamped(value.z)};
    } else if constexpr (std::is_enum_v<T>) {
        return static_cast<size_t>(value) < setting.choices.size() ? value : fallback;
    } else if constexpr (std::is_floating_point_v<T>) {
        if (!std::isfinite(value)) return fallback;
        return std::clamp(value, static_cast<T>(range.min), static_cast<T>(range.max));
    } else {
        if (static_cast<double>(value) < range.min) return static_cast<T>(range.min);
        return static_cast<double>(value) > range.max ? static_cast<T>(range.max) : value;
    }
}

template <class Class, class Member>
Class class_of(Member Class::*);

/// A setting of the struct Object. The type keeps it out of the tables of other structs.
template <class Object>
struct SettingOf {
    Setting setting;
};

template <auto First, auto... Rest>
auto make_setting(std::string_view name, SettingType type, std::string_view meaning)
{
    using Object = decltype(class_of(First));
    SettingOf<Object> made;
    Setting& s = made.setting;
    s.name = s.short_name = name;
    s.type = type;
    s.meaning = meaning;
    s.setter = [](const Setting& setting, void* object, const SettingValue& value) {
        auto& target = member<First, Rest...>(*static_cast<Object*>(object));
        target = to_member<std::remove_reference_t<decltype(target)>>(setting, value);
    };
    s.getter = [](const Setting& setting, const void* object) {
        return from_member(setting, member<First, Rest...>(*static_cast<const Object*>(object)));
    };
    s.clamper = [](const Setting& setting, void* object, const void* defaults) {
        auto& target = member<First, Rest...>(*static_cast<Object*>(object));
        target = usable(setting, target, member<First, Rest...>(*static_cast<const Object*>(defaults)));
    };
    return made;
}

template <auto... Path>
auto number(std::string_view name, std::string_view unit, SettingRange range, std::string_view meaning)
{
    auto made = make_setting<Path...>(name, SettingType::kNumber, meaning);
    made.setting.unit = unit;
    made.setting.range = range;
    return made;
}

template <auto... Path>
auto integer(std::string_view name, SettingRange range, std::string_view meaning)
{
    auto made = make_setting<Path...>(name, SettingType::kInteger, meaning);
    made.setting.range = range;
    return made;
}

template <auto... Path>
auto boolean(std::string_view name, std::string_view meaning)
{
    return make_setting<Path...>(name, SettingType::kBoolean, meaning);
}

template <auto... Path>
auto text(std::string_view name, std::string_view meaning)
{
    return make_setting<Path...>(name, SettingType::kText, meaning);
}

template <auto... Path>
auto choice(std::string_view name, const std::vector<std::string>& choices, std::string_view meaning)
{
    auto made = make_setting<Path...>(name, SettingType::kChoice, meaning);
    made.setting.choices = choices;
    return made;
}

template <auto... Path>
auto vector(std::string_view name, std::string_view unit, SettingRange range, std::string_view meaning,
            SettingType type = SettingType::kVector)
{
    auto made = make_setting<Path...>(name, type, meaning);
    made.setting.unit = unit;
    made.setting.range = range;
    return made;
}

/// Gives a setting a short name of its own, for fields whose name occurs in several structs of a table.
template <class Object>
SettingOf<Object> with_short_name(std::string_view short_name, SettingOf<Object> made)
{
    made.setting.short_name = short_name;
    return made;
}

template <class Object>
void append(std::vector<Setting>& list, const std::vector<SettingOf<Object>>& typed)
{
    for (const SettingOf<Object>& t : typed) list.push_back(t.setting);
}

/// Appends the settings of a struct that is a member of the table's struct. If `name` is empty, they become keys of the
/// table itself.
template <auto Member>
void append_nested(std::vector<Setting>& list, std::string_view name, const std::vector<Setting>& nested)
{
    using Object = decltype(class_of(Member));
    for (Setting setting : nested) {
        if (!name.empty()) setting.name = std::string(name) + '.' + setting.name;
        setting.part = [](void* object) -> void* { return &(static_cast<Object*>(object)->*Member); };
        list.push_back(std::move(setting));
    }
}

template <auto Member, class Object>
void append_nested(std::vector<Setting>& list, std::string_view name, const std::vector<SettingOf<Object>>& nested)
{
    std::vector<Setting> plain;
    append(plain, nested);
    append_nested<Member>(list, name, plain);
}

template <class Object>
SettingTable table_of(std::string_view name, std::string_view meaning, const std::vector<SettingOf<Object>>& settings)
{
    static const Object defaults{};
    SettingTable table{name, meaning, {}, {}, &defaults};
    append(table.settings, settings);
    return table;
}

/// The upper end of a range without a limit. Most settings have a limit even if the method needs none, so that values
/// do not overflow a float.
inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

}  // namespace tendril::describe
