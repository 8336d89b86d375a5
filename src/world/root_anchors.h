/// Computes the positions of a groom's roots from the pose of the body that carries them.
#pragma once

#include "body/body.h"
#include "tendril/binding.h"
#include "tendril/groom.h"
#include "tendril/parallel.h"
#include "tendril/world.h"

#include <array>
#include <span>
#include <vector>

namespace tendril {

/// The bones or vertices that carry the roots of one groom, at one time.
struct RootPose {
    std::vector<Pose> bones;
    std::vector<Vec3d> vertices;  ///< only those that the binding uses
};

class RootAnchors {
public:
    RootAnchors(const Groom& groom, RootBinding binding);

    /// The triangles of a TriangleBinding index into RootPose::vertices.
    const RootBinding& binding() const { return binding_; }
    /// The bone that carries all roots, or null.
    const OneBoneBinding* one_bone() const { return std::get_if<OneBoneBinding>(&binding_); }

    /// Extracts the pose of the roots from a sample of the body. Returns false, and writes no positions, if no vertices
    /// have been pushed.
    bool sample(Body& body, const BodySample& sample, RootPose& out, Executor& executor) const;

    Vec3d root(const RootPose& pose, size_t strand) const;
    struct Ends {
        Vec3d root, tip;
    };
    /// The root and the held tip of a strand. Not for roots on one bone.
    Ends ends(const RootPose& pose, size_t strand) const;
    /// The rigid motion that carries the rest pose of a strand to its root.
    Pose carried(const RootPose& pose, size_t strand) const;

    /// Three axes at rest, and their current directions.
    struct Turn {
        std::array<Vec3f, 3> rest, now;
        Vec3f operator()(const Vec3f& v) const
        {
            return now[0] * dot(v, rest[0]) + now[1] * dot(v, rest[1]) + now[2] * dot(v, rest[2]);
        }
    };
    /// The rotation of a strand's root from the rest pose.
    Turn turn(const RootPose& pose, size_t strand) const;

    Vec3f tip_offset(size_t strand) const { return tip_points_[strand] - root_points_[strand]; }

    /// WeightedBoneBinding: the position of a root in the frames of its bones, and the bone with the largest weight,
    /// which turns the strand.
    const std::array<Vec3d, 4>& root_in_bones(size_t strand) const { return root_in_bone_[strand]; }
    uint32_t main_bone(size_t strand) const;
    /// TriangleBinding: the position of a root in the frame of its triangle, and the axes of that frame at rest.
    const Vec3d& root_in_face(size_t strand) const { return root_in_face_[strand]; }
    const std::array<Vec3f, 3>& rest_face(size_t strand) const { return rest_face_[strand]; }

private:
    RootBinding binding_;
    std::vector<Vec3f> root_points_, tip_points_;                   // rest pose, by strand
    std::vector<std::array<Vec3d, 4>> root_in_bone_, tip_in_bone_;  // WeightedBoneBinding: by strand
    // TriangleBinding, by strand:
    std::vector<Vec3d> root_in_face_, tip_in_face_;  // in the frame of the triangle
    std::vector<std::array<Vec3f, 3>> rest_face_;    // axes of the triangle's frame at rest
    std::vector<uint8_t> on_skin_;                   // 1 if the root lies on the triangle, so its frame is not needed
    // TriangleBinding: the vertices of the body that carry roots. The triangles of the binding index into it.
    std::vector<uint32_t> used_;
};

}  // namespace tendril
