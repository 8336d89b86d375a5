/// The skins of characters as obstacles: distance fields or triangle trees of the moving mesh, made anew as the body
/// moves, and how deep strands are inside of the very mesh.
#pragma once

#include "body/body.h"
#include "body/distance_field.h"
#include "body/mesh_depth.h"
#include "body/moving_tree.h"
#include "body/surface.h"
#include "solvers/contact.h"
#include "tendril/world.h"

#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// The skin of one body.
class Skin {
public:
    /// The body has a mesh.
    Skin(const SkinCollider& collider, const MeshView& rest);

    /// Whether there is an inside at all.
    bool encloses() const { return measured_->tree().part_count() > 0; }
    size_t body() const { return collider_.body.index; }

    /// Follows the body from `time` to `time + dt`.
    void advance(Body& body, double time, double dt, int substeps, Executor& executor);
    /// The farthest that a vertex goes in a step, in units of the half thickness of the mesh.
    double travel(Body& body, double time, double dt, Executor& executor);

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
    void look_at(Body& body, double time, std::vector<Vec3f>& out, Executor& executor) const;
    double farthest(std::span<const Vec3f> from, std::span<const Vec3f> to) const;
    void build_fields(Body& body, double time, double dt, int substeps, Executor& executor);
    void build_trees(Body& body, double time, double dt, int substeps, Executor& executor);

    SkinCollider collider_;
    std::shared_ptr<const Surface> surface_;
    std::unique_ptr<MeshDepth> measured_;
    std::vector<Vec3f> rest_;
    float thickness_ = 0;    // the least half side of the box around it [m]
    Vec3d origin_{0, 0, 0};  // that all vertices of a step are seen from
    std::vector<Vec3f> before_, after_, middle_, motion_;
    std::vector<std::unique_ptr<Stretch>> stretches_;  // those in use first
    size_t used_ = 0;
    std::vector<std::unique_ptr<Moment>> moments_;
    double travel_ = 0;                   // per substep [m]
    bool still_ = false;                  // the fields are those of a body that has not moved since
    Vec3d low_{0, 0, 0}, high_{0, 0, 0};  // around the body in the step
    Vec3d placed_{0, 0, 0};               // origin of the mesh as it was placed
};

}  // namespace tendril
