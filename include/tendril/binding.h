/// What carries the roots of a groom, and how strands that are not simulated follow those that are.
#pragma once

#include "tendril/vec3.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace tendril {

/// All roots are carried by one bone.
struct RigidBinding {
    size_t bone = 0;
};

/// Each root is carried by up to four bones (linear blend skinning). With as many bones as strands and one weight each
/// this is a frame per root.
struct BoneBinding {
    struct Weight {
        uint32_t bone = 0;
        float weight = 0;
    };
    std::vector<std::array<Weight, 4>> weights;  ///< per strand; made to sum to one
    std::vector<Pose> rest;                      ///< pose of each bone in which the groom was made
};

/// Each root is on a triangle of a mesh whose vertices the host pushes.
struct TriangleBinding {
    std::vector<std::array<uint32_t, 3>> triangles;  ///< per strand: three vertices
    std::vector<Vec3f> weights;                      ///< per strand: barycentric coordinates
    std::vector<Vec3f> rest;                         ///< all vertices in the pose in which the groom was made
};

/// How a strand that is not simulated follows those that are.
enum class GuideMode : uint8_t {
    kSingle,  ///< the nearest guide
    kThree,   ///< three guides around it, barycentric
};

using RootBinding = std::variant<RigidBinding, BoneBinding, TriangleBinding>;

}  // namespace tendril
