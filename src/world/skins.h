/// The skins of characters as obstacles: distance fields or triangle trees of the moving mesh, made anew as the body
/// bends, and how deep strands are inside of the very mesh. The field of a body that does not bend is made once and
/// goes with it.
#pragma once

#include "body/body.h"
#include "body/distance_field.h"
#include "body/mesh_depth.h"
#include "body/moving_tree.h"
#include "body/surface.h"
#include "solvers/contact.h"
#include "tendril/world.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// The skin of one body.
class Skin {
public:
    /// The body has a mesh, which is `rest` now; `rigid`: what carries it never bends these vertices, or null.
    Skin(const SkinCollider& collider, const MeshView& rest, const std::vector<Vec3f>* rigid);

    /// Whether there is an inside at all.
    bool encloses() const { return measured_->tree().part_count() > 0; }
    size_t body() const { return collider_.body.index; }

    /// Looks where the body is at both ends of a step from `time` to `time + dt`.
    void begin_step(Body& body, double time, double dt, Executor& executor);
    /// The farthest that a vertex goes in the step, in units of the half thickness of the mesh.
    double travel() const { return moved_ / std::max(1e-6, static_cast<double>(thickness_)); }
    /// Follows the body over the substeps of the step that was begun.
    void advance(Body& body, int substeps, Executor& executor);

    /// As seen by a groom over a substep at whose end its origin is there.
    ShapeSubstep shape_in(int substep, const Vec3d& origin) const;

    /// For measuring: the mesh at a time.
    void place(Body& body, double time, Executor& executor);
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
    bool is_rigid() const { return rigid_ && collider_.method != SkinMethod::kTriangles; }
    void begin_rigid_step(Body& body);
    FieldSettings field_settings() const;
    double at(double substep, int substeps) const { return time_ + dt_ * substep / substeps; }
    void look_at(Body& body, double time, std::vector<Vec3f>& out, Executor& executor) const;
    void build_fields(Body& body, int substeps, Executor& executor);
    void build_trees(Body& body, int substeps, Executor& executor);

    SkinCollider collider_;
    std::shared_ptr<const Surface> surface_;
    std::unique_ptr<MeshDepth> measured_;
    bool rigid_;
    std::vector<Vec3f> rest_;             // of a rigid mesh: in its frame
    std::vector<Pose> frames_;            // of a rigid mesh: at the start of the step and at the end of every substep
    float thickness_ = 0;                 // the least half side of the box around it [m]
    double time_ = 0, dt_ = 0;            // of the step
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
    Vec3d placed_{0, 0, 0};  // origin of the mesh as it was placed
};

}  // namespace tendril
