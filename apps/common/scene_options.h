/// The part of the command line that names a scene and changes its keys: the same for all commands that take one.
#pragma once

#include "tendril/scene.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tendril::app {

struct SceneOptions {
    std::string scene;
    std::vector<std::string> overrides;  ///< key=value
};

/// SCENE, or what it is called, and --set.
void add_scene_options(CLI::App& command, SceneOptions& options, const char* name = "SCENE",
                       const char* meaning = "Scene file, or the name of a scene that comes with the program");
/// --quality, --size and so on: shorter ways to set keys of [render], added to the overrides.
void add_picture_options(CLI::App& command, SceneOptions& options);

/// As they are written on the command line, key=value.
Result<Overrides> overrides_of(const std::vector<std::string>& texts);

/// The file that is meant.
Result<std::string> scene_file(const SceneOptions& options);
Result<Scene> load_scene(const SceneOptions& options, const std::string& file);

/// The world of a scene before its strands have settled, for who frames it first or goes on from a saved state.
Result<World> build_unsettled(const Scene& scene, std::shared_ptr<Executor> executor);

/// All that the pictures of a scene depend on: its text, its overrides, the files it names and when they were written.
std::string description_of(const SceneOptions& options, const std::string& file, const Scene& scene);

/// 0: one per core.
int thread_count(int asked);

}  // namespace tendril::app
