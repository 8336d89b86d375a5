/// Root bindings, which attach the roots of a groom to a body, and how children follow guides.
#pragma once

#include "tendril/vec3.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace tendril {

/// One bone carries all roots.
struct OneBoneBinding {
    size_t bone = 0;
};

/// Up to four bones carry each root (linear blend skinning). With one bone per strand and a single weight each, every
/// root has a frame of its own.
struct WeightedBoneBinding {
    struct Weight {
        uint32_t bone = 0;
        float weight = 0;
    };
    std::vector<std::array<Weight, 4>> weights;  ///< per strand; normalized to sum to one
    std::vector<Pose> rest;                      ///< per bone: its pose when the groom was made
};

/// A triangle of a mesh carries each root. The host pushes the vertices of the mesh, or a character provides them.
struct TriangleBinding {
    std::vector<std::array<uint32_t, 3>> triangles;  ///< per strand: three vertex indices
    std::vector<Vec3f> weights;                      ///< per strand: barycentric coordinates
    std::vector<Vec3f> rest;                         ///< all vertices, as they were when the groom was made
};

/// How a child, a strand that is not simulated, follows its guides.
enum class GuideMode : uint8_t {
    kSingle,  ///< follows the nearest guide
    kThree,   ///< blends three guides around it by barycentric weights
};

/// A child's guides, as strands of their groom, and their weights, which sum to one. A guide with the weight 0 has no
/// effect.
struct ChildGuides {
    std::array<uint32_t, 3> guides{};
    std::array<float, 3> weights{1, 0, 0};
};

using RootBinding = std::variant<OneBoneBinding, WeightedBoneBinding, TriangleBinding>;

}  // namespace tendril
