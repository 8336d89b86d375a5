/// The parts of a scene that come from files or are grown: characters and grooms.
#pragma once

#include "tendril/scene.h"

#include <memory>
#include <string>
#include <vector>

namespace tendril {

/// The file that a scene means: beside the scene, or where the program runs.
std::string scene_path(const Scene& scene, const std::string& file);

/// A body's mesh, and the mesh as it is before anything moves: what hair grows on.
struct BodyShape {
    std::shared_ptr<const Character> character;  ///< none: a body without a mesh
    Mesh rest;
};
Result<BodyShape> load_body(const Scene& scene, const SceneBody& body);

/// A groom and what carries its roots. `guides` are those strands that are simulated; empty: all.
struct SceneStrands {
    Groom groom;
    RootBinding binding;
    std::vector<uint32_t> guides;
    std::vector<float> stiffness;  ///< by strand; empty: all 1
};
Result<SceneStrands> load_groom(const Scene& scene, size_t groom, const BodyShape& body);

}  // namespace tendril
