// Decides which changes of a scene a running world can take.
#include "session/session_state.h"

#include <algorithm>

namespace tendril::session {
namespace {

/// Whether a key is part of WorldSettings and takes effect in a running world.
bool is_world_key(const SceneTable& table, const Setting& key)
{
    if (table.name == "sim") return key.name == "dt" || key.name == "substeps" || key.name == "gravity";
    constexpr std::string_view kTables[] = {"contact", "air", "wind", "solver", "shape", "interaction"};
    return std::find(std::begin(kTables), std::end(kTables), table.name) != std::end(kTables);
}

/// Whether only the recording of films uses a key.
bool is_output_key(const SceneTable& table, const Setting& key)
{
    return table.name == "output" || table.name == "compare" || (table.name == "sim" && key.name == "frames");
}

Change change_by(const SceneTable& table, const Setting& key)
{
    if (key_of_world(table, key)) return key.name.rfind("look.", 0) == 0 ? Change::kLooks : Change::kLive;
    if (is_world_key(table, key)) return Change::kLive;
    if (table.name == "render") return Change::kLooks;
    return is_output_key(table, key) ? Change::kLive : Change::kAnew;
}

}  // namespace

bool is_live(const SceneTable& table, const Setting& key)
{
    return change_by(table, key) != Change::kAnew;
}

Change difference(const Scene& from, const Scene& to)
{
    // Strings have a material, twist and tears, which other strands do not have.
    if (from.grooms.size() != to.grooms.size()) return Change::kAnew;
    for (size_t g = 0; g < from.grooms.size(); ++g)
        if (has_strings(from, g) != has_strings(to, g)) return Change::kAnew;
    Change change = Change::kNone;
    for (const SceneTable& table : scene_tables()) {
        if (table.count(from) != table.count(to)) return Change::kAnew;
        for (size_t i = 0; i < table.count(from); ++i)
            for (const Setting& key : table.settings)
                if (value_of(from, table, i, key) != value_of(to, table, i, key))
                    change = std::max(change, change_by(table, key));
    }
    return change;
}

}  // namespace tendril::session
