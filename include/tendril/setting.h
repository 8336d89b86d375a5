/// Descriptions of settings: the name, meaning, unit, range and default of every field of the structs in settings.h.
/// Scene files, `--set`, the clamping of a host's values, docs/scene.md, the comments in settings.h and the live page
/// are derived from them.
#pragma once

#include "tendril/settings.h"
#include "tendril/vec3.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tendril {

enum class SettingType : uint8_t {
    kNumber,
    kInteger,
    kBoolean,
    kChoice,  ///< one of a few words; its value is the index of the word
    kText,
    kVector,     ///< three numbers
    kDirection,  ///< three numbers, not all zero
    kGravity,    ///< three numbers, or one that points down
};

/// A closed interval. An infinite end means that there is no limit; values must be finite in any case.
struct SettingRange {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
};

/// The value of a setting. It is empty if a groom does not set it, so that the value of the world applies.
using SettingValue = std::variant<std::monostate, double, int64_t, bool, std::string, Vec3d>;

/// Describes one field of a struct, or of a struct nested in it.
struct Setting {
    std::string name;        ///< within its table; dots separate nested structs, as in "dftl.velocity_correction"
    std::string short_name;  ///< also accepted as a key of the table: "velocity_correction"
    SettingType type = SettingType::kNumber;
    std::string_view unit;  ///< empty: none
    SettingRange range;
    std::vector<std::string> choices;  ///< kChoice: in the order of the enumeration
    std::string_view meaning;

    /// `object` is the struct that the table describes.
    SettingValue get(const void* object) const;
    /// The setting must allow the value.
    void set(void* object, const SettingValue& value) const;
    /// Clamps the field to its range. A value that is not finite, or not a valid choice, is replaced by that of
    /// `defaults`.
    void make_usable(void* object, const void* defaults) const;

    // How the field is reached. `part` leads from the object to a nested struct; null: the object itself.
    SettingValue (*getter)(const Setting& setting, const void* object) = nullptr;
    void (*setter)(const Setting& setting, void* object, const SettingValue& value) = nullptr;
    void (*clamper)(const Setting& setting, void* object, const void* defaults) = nullptr;
    void* (*part)(void* object) = nullptr;
};

/// A nested struct of a table.
struct SettingGroup {
    std::string_view name, meaning;
};

struct SettingTable {
    std::string_view name;
    std::string_view meaning;
    std::vector<Setting> settings;
    std::vector<SettingGroup> groups;
    const void* defaults = nullptr;  ///< a default-constructed object of the struct
};

const SettingTable& step_settings();         ///< WorldSettings: dt, substeps, gravity
const SettingTable& solver_settings();       ///< SolverSettings
const SettingTable& shape_settings();        ///< ShapeSettings
const SettingTable& air_settings();          ///< AirSettings
const SettingTable& wind_settings();         ///< WindSettings
const SettingTable& contact_settings();      ///< ContactSettings
const SettingTable& interaction_settings();  ///< InteractionSettings

/// Finds a setting by its name or its short name. Returns null if there is none.
const Setting* find_setting(const SettingTable& table, std::string_view name);

/// Describes the values that a setting allows, such as "a number in [0, 1]".
std::string requirement(const Setting& setting);

/// Formats a value as TOML.
std::string value_text(const Setting& setting, const SettingValue& value);

}  // namespace tendril
