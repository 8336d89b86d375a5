/// What carries the roots of a groom: where the roots are for any pose of their body.
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

/// The bones or vertices that carry the roots of one groom at a moment.
struct RootPose {
    std::vector<Pose> bones;
    std::vector<Vec3d> vertices;  ///< those that the binding uses
};

class RootAnchors {
public:
    RootAnchors(const Groom& groom, RootBinding binding);

    /// The bone that carries all roots, or null.
    const RigidBinding* one_bone() const { return std::get_if<RigidBinding>(&binding_); }

    /// Where the body of a sample has the roots. False where no vertices have been pushed; `out` is then left alone.
    bool sample(Body& body, const BodySample& sample, RootPose& out, Executor& executor) const;

    Vec3d root(const RootPose& pose, size_t strand) const;
    struct Ends {
        Vec3d root, tip;
    };
    /// Root and held tip of a strand; not where one bone carries all.
    Ends ends(const RootPose& pose, size_t strand) const;
    /// The rigid motion from the rest pose of a strand to where its root is.
    Pose carried(const RootPose& pose, size_t strand) const;

    /// Three axes at rest, and where they are now.
    struct Turn {
        std::array<Vec3f, 3> rest, now;
        Vec3f operator()(const Vec3f& v) const
        {
            return now[0] * dot(v, rest[0]) + now[1] * dot(v, rest[1]) + now[2] * dot(v, rest[2]);
        }
    };
    /// How vectors of the rest pose have turned with the root of a strand.
    Turn turn(const RootPose& pose, size_t strand) const;

    Vec3f tip_offset(size_t strand) const { return tip_points_[strand] - root_points_[strand]; }

private:
    RootBinding binding_;
    std::vector<Vec3f> root_points_, tip_points_;                   // rest pose, by strand
    std::vector<std::array<Vec3d, 4>> root_in_bone_, tip_in_bone_;  // BoneBinding: by strand
    std::vector<Vec3d> root_in_face_, tip_in_face_;                 // TriangleBinding: in the triangle's frame
    std::vector<std::array<Vec3f, 3>> rest_face_;  // TriangleBinding: along, across, normal of the triangle at rest
    std::vector<uint8_t> on_skin_;                 // TriangleBinding: roots that need no frame of their triangle
    std::vector<uint32_t> used_;  // TriangleBinding: the body's vertices that carry roots; triangles index into it
};

/// Checks that the settings of a groom fit it and its body, and makes bone weights sum to one.
Result<GroomSettings> check_groom_settings(const Groom& groom, const Body& body, GroomSettings settings);

}  // namespace tendril
