// Which changes of a scene a running world can take.
#include "session/session_state.h"

#include <algorithm>

namespace tendril::session {
namespace {

/// What makes up WorldSettings, but for what is only looked at when a world is built.
bool is_world_key(const SceneTable& table, const SceneKey& key)
{
    if (table.name == "sim") return key.name == "dt" || key.name == "substeps" || key.name == "gravity";
    constexpr std::string_view kTables[] = {"contact", "air", "wind", "solver", "shape", "interaction"};
    return std::find(std::begin(kTables), std::end(kTables), table.name) != std::end(kTables);
}

/// What nothing but the making of films asks for.
bool is_output_key(const SceneTable& table, const SceneKey& key)
{
    return table.name == "output" || table.name == "compare" || (table.name == "sim" && key.name == "frames");
}

Change change_by(const SceneTable& table, const SceneKey& key)
{
    if (is_world_key(table, key)) return Change::kLive;
    if (table.name == "render") return Change::kLooks;
    return is_output_key(table, key) ? Change::kLive : Change::kAnew;
}

bool has_strings(const Scene& scene)
{
    return scene.world.solver.type == SolverType::kChainShape;
}

}  // namespace

bool is_live(const SceneTable& table, const SceneKey& key)
{
    return change_by(table, key) != Change::kAnew;
}

Change difference(const Scene& from, const Scene& to)
{
    // Strings know their material, twist and tears, of which other strands know nothing.
    if (has_strings(from) != has_strings(to)) return Change::kAnew;
    Change change = Change::kNone;
    for (const SceneTable& table : scene_tables()) {
        if (table.count(from) != table.count(to)) return Change::kAnew;
        for (size_t i = 0; i < table.count(from); ++i)
            for (const SceneKey& key : table.keys)
                if (value_of(from, table, i, key) != value_of(to, table, i, key))
                    change = std::max(change, change_by(table, key));
    }
    return change;
}

}  // namespace tendril::session
