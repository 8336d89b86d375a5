/// The options that name a scene and change its keys, shared by all commands that take a scene.
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

/// Adds the argument `name` and the option --set.
void add_scene_options(CLI::App& command, SceneOptions& options, const char* name = "SCENE",
                       const char* meaning = "Scene file, or the name of a scene that comes with the program");
/// Adds --quality, --size and so on: shortcuts for keys of [render], which are added to the overrides.
void add_picture_options(CLI::App& command, SceneOptions& options);

/// Parses key=value texts of the command line.
Result<Overrides> overrides_of(const std::vector<std::string>& texts);

/// Finds the file of the scene.
Result<std::string> scene_file(const SceneOptions& options);
/// Reads the scene, and prints a warning for keys that have no effect.
Result<Scene> load_scene(const SceneOptions& options, const std::string& file);
void print_warnings(const Scene& scene);

/// Builds the world of a scene without settling its strands, to set up a camera first or to continue from a saved
/// state.
Result<World> build_unsettled(const Scene& scene, std::shared_ptr<Executor> executor);

/// Everything that the pictures of a scene depend on: its text, its overrides, and the files it names with their
/// modification times.
std::string description_of(const SceneOptions& options, const std::string& file, const Scene& scene);

/// 0: one per core.
int thread_count(int asked);

}  // namespace tendril::app
