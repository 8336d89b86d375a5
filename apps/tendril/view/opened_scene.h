/// The scene that the page opens: its text, what the command line changes of it, and the files it refers to. It is read
/// whenever the page asks, so that who edits it only loads the page again.
#pragma once

#include "scene_files.h"
#include "scene_options.h"
#include "view/served_file.h"

#include <string>

namespace tendril::app {

class OpenedScene {
public:
    /// Errors as of any command that takes a scene.
    static Result<OpenedScene> open(const SceneOptions& options);

    /// {"name", "toml", "overrides": [[key, value]], "files": [{"name", "url"}]}, with a url such as "open/0".
    std::string json();
    /// For a path such as "/open/0": a file of the last `json`, and no other.
    std::optional<ServedFile> file(const std::string& path) const;

private:
    OpenedScene(std::string path, Overrides overrides, const Scene& scene)
        : path_(std::move(path)), overrides_(std::move(overrides)), files_(files_of(scene))
    {
    }

    std::string path_;
    Overrides overrides_;
    std::vector<SceneFile> files_;
};

}  // namespace tendril::app
