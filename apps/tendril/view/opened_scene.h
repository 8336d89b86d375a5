/// The scene that the page opens: its text, the overrides of the command line, and the files it refers to. It is read
/// whenever the page asks, so reloading the page is enough after an edit.
#pragma once

#include "scene_files.h"
#include "scene_options.h"
#include "view/served_file.h"

#include <string>

namespace tendril::app {

class OpenedScene {
public:
    /// Returns the same errors as any command that takes a scene.
    static Result<OpenedScene> open(const SceneOptions& options);

    /// {"name", "toml", "overrides": [[key, value]], "files": [{"name", "url"}]}, with a url such as "open/0".
    std::string json();
    /// The file for a path such as "/open/0"; only files listed by the last `json` are available.
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
