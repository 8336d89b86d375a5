/// The files that a scene refers to: meshes, curves, bones, maps.
#pragma once

#include "tendril/scene.h"

#include <string>
#include <vector>

namespace tendril::app {

struct SceneFile {
    std::string name;  ///< as the scene names it
    std::string path;  ///< where it is read from: beside the scene if the file exists there
};

/// Each file once, whether it exists or not. Includes the external buffers of glTF meshes.
std::vector<SceneFile> files_of(const Scene& scene);

}  // namespace tendril::app
