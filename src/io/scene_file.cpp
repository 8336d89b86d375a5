// Builds a scene from TOML text and overrides.
#include "io/scene_check.h"
#include "io/scene_conditions.h"
#include "io/scene_value.h"
#include "tendril/detail/nearest.h"
#include "tendril/scene_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

namespace tendril {
namespace {

using OptionalError = std::optional<Error>;

/// Begins the location of an override.
constexpr std::string_view kOverride = "--set ";

std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// "; did you mean ...?" for an unknown table, or for a key outside of any table.
std::string table_hint(const std::string& name)
{
    std::vector<std::string> tables;
    for (const SceneTable& table : scene_tables()) {
        if (find_setting(table, name)) return fmt::format("; did you mean '{}.{}'?", table.name, name);
        tables.emplace_back(table.name);
    }
    const std::string nearest = nearest_name(name, tables);
    if (nearest.empty()) return fmt::format("; the tables are {}", joined(tables));
    return fmt::format("; did you mean '{}'?", nearest);
}

std::string key_hint(const SceneTable& table, const std::string& name)
{
    constexpr size_t kMaxListed = 12;
    std::vector<std::string> keys, either;
    for (const Setting& key : table.settings) {
        keys.push_back(key.name);
        either.push_back(key.name);
        if (key.short_name != key.name) either.push_back(key.short_name);
    }
    const std::string nearest = nearest_name(name, either);
    if (!nearest.empty()) return fmt::format("; did you mean '{}.{}'?", table.name, nearest);
    for (const SceneTable& other : scene_tables())
        if (find_setting(other, name)) return fmt::format("; did you mean '{}.{}'?", other.name, name);
    if (keys.size() > kMaxListed) return fmt::format("; 'tendril sim --keys' lists the keys of [{}]", table.name);
    return fmt::format("; the keys of [{}] are {}", table.name, joined(keys));
}

Error unknown_table(const std::string& location, const std::string& name)
{
    return Error{fmt::format("{}: unknown table '{}'{}", location, name, table_hint(name))};
}

Error unknown_key(const std::string& location, const SceneTable& table, const std::string& name)
{
    const std::string path = fmt::format("{}.{}", table.name, name);
    return Error{fmt::format("{}: unknown key '{}'{}", location, path, key_hint(table, name))};
}

/// The path of an override: "table.key" or "table.index.key"; a key may have dots in it.
struct OverridePath {
    std::string table, key;
    std::optional<std::string> index;
};

OverridePath split(const std::string& path)
{
    const size_t first = path.find('.');
    if (first == std::string::npos) return {path, "", {}};
    const size_t second = path.find('.', first + 1);
    const std::string next = path.substr(first + 1, second == path.npos ? second : second - first - 1);
    const bool is_index = second != path.npos && !next.empty() && next.find_first_not_of("0123456789") == next.npos;
    if (is_index) return {path.substr(0, first), path.substr(second + 1), next};
    return {path.substr(0, first), path.substr(first + 1), {}};
}

/// The elements of a table that an override applies to, from `first` up to but excluding `end`.
struct ElementRange {
    size_t first = 0, end = 1;
};

std::optional<ElementRange> elements(const OverridePath& path, size_t count)
{
    if (!path.index) return ElementRange{0, count};
    size_t i = 0;
    const char* const end = path.index->data() + path.index->size();
    const auto parsed = std::from_chars(path.index->data(), end, i);
    if (parsed.ec != std::errc() || parsed.ptr != end || i >= count) return {};
    return ElementRange{i, i + 1};
}

class SceneReader {
public:
    explicit SceneReader(const std::string& file) : file_(file)
    {
        scene.name = std::filesystem::path(file).stem().string();
        scene.folder = std::filesystem::path(file).parent_path().string();
    }

    OptionalError read(const toml::table& root)
    {
        for (const auto& [key, node] : root) {
            const std::string name(key.str());
            const SceneTable* table = find_table(name);
            if (!table) {
                if (!node.is_table() && !node.is_array_of_tables())
                    return Error{fmt::format("{}: unknown key '{}'{}", location(key.source()), name, table_hint(name))};
                return unknown_table(location(key.source()), name);
            }
            if (auto wrong = read_table(*table, node)) return wrong;
        }
        for (const auto& [path, set] : set_keys_)
            if (!acts(scene, *set.table, set.index, *set.key)) idle_in_file_.insert(path);
        return {};
    }

    OptionalError set(const std::string& path, const std::string& text)
    {
        const std::string at = fmt::format("{}{}={}", kOverride, path, text);
        const OverridePath parts = split(path);
        const SceneTable* table = find_table(parts.table);
        if (!table && parts.key.empty())
            return Error{fmt::format("{}: unknown key '{}'{}", at, parts.table, table_hint(parts.table))};
        if (!table) return unknown_table(at, parts.table);
        if (parts.key.empty())
            return Error{fmt::format("{}: '{}' is a table; set one of its keys, as in {}.{}=...", at, table->name,
                                     table->name, table->settings[0].name)};
        const Setting* key = find_setting(*table, parts.key);
        if (!key) return unknown_key(at, *table, parts.key);
        const size_t count = std::max<size_t>(table->count(scene), 1);
        const std::optional<ElementRange> chosen = elements(parts, count);
        if (!chosen)
            return Error{fmt::format("{}: '{}.{}' does not exist; the scene has {} (counted from 0)", at, table->name,
                                     *parts.index, count)};
        for (size_t i = chosen->first; i < chosen->end; ++i)
            if (auto wrong =
                    assign(*table, i, *key, read_value(*key, fmt::format("{}.{}", table->name, parts.key), text), at))
                return wrong;
        return {};
    }

    OptionalError check() const
    {
        return check_scene(scene, [this](const std::string& path) { return location_of(path); });
    }

    /// The keys that have no effect. A key of the file that acts in the file alone is not one of them: an override has
    /// chosen something else in its place.
    IdleKeys idle_keys() const
    {
        // An override that sets a key in several elements has an effect if it has one in any of them.
        std::set<std::string> acting;
        for (const auto& [path, set] : set_keys_)
            if (set.overrides && acts(scene, *set.table, set.index, *set.key)) acting.insert(locations_.at(path));
        std::vector<IdleKey> idle;
        for (const auto& [path, set] : set_keys_) {
            const std::string& at = locations_.at(path);
            if (acts(scene, *set.table, set.index, *set.key)) continue;
            if (set.overrides ? acting.count(at) == 0 : idle_in_file_.count(path) > 0)
                idle.push_back({set.table, set.key, at});
        }
        return describe_idle(idle);
    }

    Scene scene;

private:
    std::string location(const toml::source_region& source) const
    {
        return fmt::format("{}:{}", file_, source.begin.line);
    }

    /// The location of the key, of its table, or of the file: the first of these that is known.
    std::string location_of(std::string path) const
    {
        for (;;) {
            const auto found = locations_.find(path);
            if (found != locations_.end()) return found->second;
            const size_t dot = path.rfind('.');
            if (dot == std::string::npos) return file_;
            path.resize(dot);
        }
    }

    OptionalError read_table(const SceneTable& table, const toml::node& node)
    {
        if (const toml::table* one = node.as_table()) return read_element(table, 0, *one);
        if (!node.is_array_of_tables())
            return Error{
                fmt::format("{}: '{}' must be a table; write [{}]", location(node.source()), table.name, table.name)};
        if (!table.repeated)
            return Error{fmt::format("{}: there can be only one {}; write [{}] instead of [[{}]]",
                                     location(node.source()), table.name, table.name, table.name)};
        size_t index = 0;
        for (const toml::node& element : *node.as_array())
            if (auto wrong = read_element(table, index++, *element.as_table())) return wrong;
        return {};
    }

    OptionalError read_element(const SceneTable& table, size_t index, const toml::table& element)
    {
        locations_[fmt::format("{}.{}", table.name, index)] = location(element.source());
        table.object(scene, index);
        return read_keys(table, index, "", element);
    }

    /// `prefix` is the path of a nested table, such as "dftl." for [solver.dftl].
    OptionalError read_keys(const SceneTable& table, size_t index, const std::string& prefix,
                            const toml::table& element)
    {
        for (const auto& [name, node] : element) {
            const std::string path = prefix + std::string(name.str()), at = location(name.source());
            const Setting* key = find_setting(table, path);
            if (!key && node.is_table() && is_nested_table(table, path)) {
                if (auto wrong = read_keys(table, index, path + '.', *node.as_table())) return wrong;
                continue;
            }
            if (!key) return unknown_key(at, table, path);
            if (auto wrong =
                    assign(table, index, *key, read_value(*key, fmt::format("{}.{}", table.name, path), node), at))
                return wrong;
        }
        return {};
    }

    static bool is_empty_text(const SettingValue& value)
    {
        const auto* text = std::get_if<std::string>(&value);
        return text && text->empty();
    }

    static bool is_nested_table(const SceneTable& table, const std::string& path)
    {
        return std::any_of(table.settings.begin(), table.settings.end(),
                           [&](const Setting& key) { return key.name.rfind(path + '.', 0) == 0; });
    }

    OptionalError assign(const SceneTable& table, size_t index, const Setting& key, const Result<SettingValue>& value,
                         const std::string& at)
    {
        if (!value) return Error{fmt::format("{}: {}", at, value.error())};
        if (is_empty_text(*value) && !is_empty_text(default_of(table, key)))
            return Error{fmt::format("{}: {}.{} must not be empty; its default is {}", at, table.name, key.name,
                                     value_text(key, default_of(table, key)))};
        key.set(table.object(scene, index), *value);
        const std::string path = fmt::format("{}.{}.{}", table.name, index, key.name);
        locations_[path] = at;
        set_keys_[path] = {&table, index, &key, at.compare(0, kOverride.size(), kOverride) == 0};
        return {};
    }

    struct SetKey {
        const SceneTable* table;
        size_t index;
        const Setting* key;
        bool overrides;  // set by an override, not by the file
    };

    std::string file_;
    std::map<std::string, std::string> locations_;  // keyed by "table.index" and "table.index.key"
    std::map<std::string, SetKey> set_keys_;        // keyed by "table.index.key"
    std::set<std::string> idle_in_file_;            // likewise
};

/// Replaces control characters, which names and values in the file may contain, so that an error is one line.
Error one_line(Error error)
{
    for (char& c : error.message)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return error;
}

}  // namespace

Result<Scene> parse_scene(const std::string& text, const std::string& file_name, const Overrides& overrides)
{
    const Result<toml::table> parsed = parse_toml(text, file_name);
    if (!parsed) return one_line({parsed.error()});
    SceneReader reader(file_name);
    if (auto wrong = reader.read(*parsed)) return one_line(*wrong);
    for (const auto& [path, value] : overrides)
        if (auto wrong = reader.set(path, value)) return one_line(*wrong);
    if (auto wrong = reader.check()) return one_line(*wrong);
    IdleKeys idle = reader.idle_keys();
    if (!idle.errors.empty()) return one_line({idle.errors.front()});
    for (std::string& warning : idle.warnings) reader.scene.warnings.push_back(one_line({warning}).message);
    return std::move(reader.scene);
}

}  // namespace tendril
