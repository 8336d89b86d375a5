/// Loads or generates the characters and grooms of a scene.
#pragma once

#include "tendril/scene.h"

#include <memory>
#include <string>
#include <vector>

namespace tendril {

/// The path of a file that a scene refers to: relative to the folder of the scene if it exists there, otherwise to the
/// working directory.
std::string scene_path(const Scene& scene, const std::string& file);

/// The character of a body, and its mesh before anything moves, which hair grows on.
struct BodyMesh {
    std::shared_ptr<const Character> character;  ///< null: the body has no mesh
    Mesh rest;
};
Result<BodyMesh> load_body(const Scene& scene, const SceneBody& body);

/// A groom and its root binding.
struct SceneStrands {
    Groom groom;
    RootBinding binding;
    std::vector<uint32_t> guides;  ///< strands that are simulated; empty: all
    std::vector<float> stiffness;  ///< factor per strand; empty: all 1
};
Result<SceneStrands> load_groom(const Scene& scene, size_t groom, const BodyMesh& body);

}  // namespace tendril
