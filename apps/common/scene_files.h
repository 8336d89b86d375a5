/// The files that a scene refers to: meshes, curves, bones, maps.
#pragma once

#include "tendril/scene.h"

#include <string>
#include <vector>

namespace tendril::app {

struct SceneFile {
    std::string name;  ///< as the scene names it
    std::string path;  ///< where it is read from: beside the scene where there is such a file
};

/// Each once, be it there or not. With a glTF mesh come the buffers that it keeps in files beside it.
std::vector<SceneFile> files_of(const Scene& scene);

}  // namespace tendril::app
