/// The roots of children and their rotations since rest, in groups, for Children::interpolate.
#pragma once

#include "groom/children.h"
#include "world/root_anchors.h"

#include <array>
#include <span>
#include <vector>

namespace tendril {

/// The roots of a group of children on triangles of a mesh, side by side. Indices are those of RootPose::vertices.
struct alignas(64) FaceGroup {
    std::array<std::array<int32_t, ChildRoots::kCount>, 3> corners;  ///< index of its x among the coordinates
    std::array<ChildRoots::Row, 3> weights;                          ///< barycentric
    std::array<ChildRoots::Row, 3> offset;                           ///< from the triangle, in its frame [m]
    std::array<ChildRoots::Row, 9> rest_axes;                        ///< of the frame of the triangle
};

class ChildRootFrames {
public:
    /// `order` is Children::order; all other indices of children count in this order.
    ChildRootFrames(const Groom& children, std::span<const uint32_t> order, const RootAnchors& anchors);

    /// Takes the poses of the roots now and at the start of the last step. Positions become relative to `origin`.
    void place(const RootPose& now, const RootPose& before, const Vec3d& origin, Executor& executor);
    /// Computes the roots of a group, see Children::RootsOf. Threads may call this at the same time.
    void compute(size_t first, ChildRoots& out) const;

private:
    /// The bones that carry a root, with its position in each.
    struct OnBones {
        std::array<WeightedBoneBinding::Weight, 4> weights;
        std::array<Vec3d, 4> position;
        uint32_t main;  // the bone that turns it
    };
    /// A bone at one time.
    struct Bone {
        Affine pose;
        std::array<float, 9> turn;  // since rest, row by row
    };
    void place_bones(const RootPose& pose, const Vec3d& origin, std::vector<Bone>& bones) const;
    void compute_on_bones(size_t first, ChildRoots& out) const;

    std::vector<FaceGroup> faces_;                   // roots on triangles
    std::vector<float> vertices_, vertices_before_;  // x, y, z of each
    std::vector<OnBones> on_bones_;                  // other roots
    std::vector<Pose> rest_bones_;                   // empty: the rest pose is in the frame of the bone
    std::vector<Bone> bones_, bones_before_;
};

}  // namespace tendril
