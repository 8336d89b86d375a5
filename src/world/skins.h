/// The skins of characters as obstacles: distance fields or triangle trees of the moving mesh, made anew as the body
/// bends, and how deep strands are inside of the very mesh. The field of a body that does not bend is made once and
/// goes with it.
#pragma once

#include "body/distance_field.h"
#include "body/mesh_depth.h"
#include "body/moving_tree.h"
#include "body/surface.h"
#include "solvers/contact.h"
#include "tendril/world.h"
#include "world/bodies.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// The skin of one body.
class Skin {
public:
    /// The body has a mesh, which is `rest` now; `unbent`: its vertices where no bone bends them, or null.
    Skin(const SkinCollider& collider, const MeshView& rest, const std::vector<Vec3f>* unbent);

    /// Whether there is an inside at all.
    bool encloses() const { return measured_->tree().part_count() > 0; }

    /// Looks where the body is at both ends of a step.
    void begin_step(WorldBody& body, const TimeSpan& span, Executor& executor);
    /// The farthest that a vertex goes in the step, in units of the half thickness of the mesh.
    double travel() const { return moved_ / std::max(1e-6, static_cast<double>(thickness_)); }
    /// Follows the body over the substeps of the step that was begun.
    void advance(WorldBody& body, const TimeSpan& span, Executor& executor);

    /// As seen by a groom from one sample of the body to a later one, at which its origin is there.
    ShapeSubstep shape_in(int from, int to, const Vec3d& origin) const;

    /// For measuring: the mesh as a sample has it.
    void place(WorldBody& body, const BodySample& sample, Executor& executor);
    /// How deep a point is inside of the mesh as it was placed; at most 0 outside.
    double depth(const Vec3d& p) const { return measured_->depth(p); }
    /// Whether a root has less than `room` between the skin and another part of it.
    bool pinched(const Vec3d& root, double room) const { return measured_->pinched(root, room); }
    /// How far it is outside, up to a few centimetres; huge beyond.
    double clearance(const Vec3d& p) const;

private:
    /// The mesh over some substeps, which one field serves: carried from its middle to the end of each by its motion.
    struct Stretch {
        DistanceField field;
        int first = 0, count = 1;  // substeps
        double carried = 0;        // how far it is carried at most [m]
    };
    /// The mesh at the end of a substep, and a tree over it.
    struct Moment {
        SurfacePose pose;
        MovingTree tree;
        std::vector<Vec3f> motion;  // of the surface's vertices over the substep
    };
    /// One field goes with the frame of a mesh that does not bend.
    bool is_carried() const { return unbent_ && collider_.method != SkinMethod::kTriangles; }
    void begin_carried_step(const WorldBody& body);
    FieldSettings field_settings() const;
    /// Vertices of the mesh as a sample has them.
    void look_at(WorldBody& body, const BodySample& sample, std::vector<Vec3f>& out, Executor& executor) const;
    void build_fields(WorldBody& body, const TimeSpan& span, Executor& executor);
    void build_trees(WorldBody& body, const TimeSpan& span, Executor& executor);

    SkinCollider collider_;
    std::shared_ptr<const Surface> surface_;
    std::unique_ptr<MeshDepth> measured_;
    bool unbent_;
    std::vector<Vec3f> rest_;             // of a mesh that does not bend: in its frame
    std::vector<Pose> frames_;            // of such a mesh: at the start of the step and at the end of every substep
    float thickness_ = 0;                 // the least half side of the box around it [m]
    Vec3d origin_{0, 0, 0};               // that all vertices of the step are seen from
    double moved_ = 0;                    // the farthest that one of them goes in it [m]
    Vec3d low_{0, 0, 0}, high_{0, 0, 0};  // around the body in it
    std::vector<Vec3f> before_, after_, middle_, motion_;
    std::vector<Vec3f> built_;  // of a body at rest: where the one field has it, else empty
    Vec3d built_origin_{0, 0, 0};
    std::vector<std::unique_ptr<Stretch>> stretches_;  // those in use first
    size_t used_ = 0;
    std::vector<std::unique_ptr<Moment>> moments_;
    int substeps_ = 1;
    BodySample middle_sample_;
    Vec3d placed_{0, 0, 0};  // origin of the mesh as it was placed
};

}  // namespace tendril
