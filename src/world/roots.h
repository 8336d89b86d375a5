/// How the roots of one groom follow its body over the substeps of a step.
#pragma once

#include "body/body.h"
#include "solvers/solver.h"
#include "strands/strands.h"
#include "tendril/parallel.h"
#include "tendril/world.h"

#include <array>
#include <vector>

namespace tendril {

class Roots {
public:
    Roots(const Groom& groom, const Strands& strands, const GroomSettings& settings);
    /// Of strands that are not simulated: only `carry` may be called.
    Roots(const Groom& groom, const GroomSettings& settings);

    bool rigid() const { return std::holds_alternative<RigidBinding>(settings_.binding); }

    /// Where the roots are at a time: sets the frame and the roots of the strands. False where the body has no such
    /// pose.
    bool place(Strands& strands, Body& body, double time, Executor& executor);

    /// The rigid motion from the rest pose of a strand to where its root is, as last sampled.
    Pose carried(size_t strand) const;

    /// Where the roots (by strand) are at a time, without touching the strands.
    bool positions(Body& body, double time, std::span<Vec3d> out, Executor& executor);

    /// Where the roots are at a time, and how far each has turned since rest. False where the body has no such pose:
    /// then as it was before.
    bool carry(Body& body, double time, std::span<Vec3d> places, std::span<Quat> turns, Executor& executor);

    struct Span {
        double time, dt;
        int substeps;
        double end_of(int substep) const { return time + dt * (substep + 1) / substeps; }
    };
    /// Leads the roots over a span of time and says how they moved in every substep, and how their frames turned where
    /// strands have a shape. Poses that are not finite are replaced by the ones before and counted.
    RootMotion advance(Strands& strands, Body& body, const Span& span, const ShapeInput& shape, Executor& executor,
                       size_t& bad_poses);

private:
    struct Anchor {
        Vec3d root, tip;
    };
    Anchor anchor(size_t strand) const;     ///< from the sampled poses or vertices; not for rigid roots
    Vec3d root_place(size_t strand) const;  ///< the same for all bindings, of the root alone
    bool sample(Body& body, double time, Executor& executor);
    /// Three axes at rest, and where they are now.
    struct Turn {
        std::array<Vec3f, 3> rest, now;
        Vec3f operator()(const Vec3f& v) const
        {
            return now[0] * dot(v, rest[0]) + now[1] * dot(v, rest[1]) + now[2] * dot(v, rest[2]);
        }
    };
    /// How vectors of the rest pose have turned with the root of a strand.
    Turn turn_of(size_t strand) const;
    /// Writes the frames of sampled roots as they are now.
    void write_frames(const Strands& strands, const ShapeInput& shape, StrandRows& out, Executor& executor) const;

    GroomSettings settings_;
    std::vector<Vec3f> root_points_, tip_points_;                   // rest pose, by strand
    std::vector<std::array<Vec3d, 4>> root_in_bone_, tip_in_bone_;  // BoneBinding: by strand
    std::vector<Vec3d> root_in_face_, tip_in_face_;                 // TriangleBinding: in the triangle's frame
    std::vector<std::array<Vec3f, 3>> rest_face_;  // TriangleBinding: along, across, normal of the triangle at rest
    std::vector<uint8_t> on_skin_;                 // TriangleBinding: roots that need no frame of their triangle
    std::vector<uint32_t> used_;  // TriangleBinding: the body's vertices that carry roots; triangles index into it
    std::vector<Pose> poses_, output_poses_;  // as last sampled for the strands, and for output
    std::vector<Vec3d> vertices_, output_vertices_;
    std::vector<FrameSubstep> frame_;
    std::vector<Vec3d> origin_;
    StrandRows tip_offset_;
    std::vector<StrandRows> sampled_;  // by substep
    std::vector<StrandRows> frames_;   // at the start of the step and at the end of every substep
};

/// Checks that a binding fits its groom and body.
Result<GroomSettings> check_binding(const Groom& groom, const Body& body, GroomSettings settings);

}  // namespace tendril
