// docs/scene.md, from the table of keys.
#include "tendril/scene_keys.h"

#include <fmt/format.h>

namespace tendril {
namespace {

constexpr std::string_view kHead = R"(# Scene files

<!-- Made by `tendril sim --keys > docs/scene.md` from src/io/scene_keys.cpp; a test compares them. -->

A scene is a TOML file with everything that a simulation needs. All keys may be left out. Units are SI, y is up,
right-handed. Any value can be set from the command line:

```
tendril sim scenes/hello.toml --set solver.velocity_correction=0.8 --set wind.velocity=[2,0,0]
```

`[groom]` and `[body]` may be repeated as `[[groom]]` and `[[body]]`. `--set groom.length=0.2` is then for all of
them, `--set groom.0.length=0.2` for the first.

```toml
[sim]
frames = 300

[body]
clip = "sway"
amplitude = 0.2

[groom]
style = "rope"
strands = 4
length = 0.5
```

A key that does not exist, a value of the wrong type or out of its range, and a scene that does not fit into the memory
are errors that name the file and the line.
)";

std::string table_text(const SceneTable& table)
{
    const bool list_only = table.name == "hold";
    std::string out = list_only        ? fmt::format("\n## [[{}]]\n\n", table.name)
                      : table.repeated ? fmt::format("\n## [{0}] or [[{0}]]\n\n", table.name)
                                       : fmt::format("\n## [{}]\n\n", table.name);
    out += fmt::format("{}\n\n| key | value | default | meaning |\n|---|---|---|---|\n", table.meaning);
    for (const SceneKey& key : table.keys) {
        out += fmt::format("| `{}` | {} | `{}` | {} |\n", key.name, requirement(key),
                           value_text(key, default_of(table, key)), key.meaning);
    }
    return out;
}

}  // namespace

std::string scene_reference()
{
    std::string out(kHead);
    for (const SceneTable& table : scene_tables()) out += table_text(table);
    return out;
}

}  // namespace tendril
