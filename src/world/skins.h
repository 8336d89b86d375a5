/// The skins of characters as colliders, and the penetration of strands into their meshes. A skin collides through a
/// distance field or a tree of triangles, which is rebuilt as the body bends. The field of a body that does not bend is
/// built once and moves with it.
#pragma once

#include "body/field/distance_field.h"
#include "body/mesh_depth.h"
#include "body/moving_tree.h"
#include "body/surface.h"
#include "solvers/contact/contact.h"
#include "tendril/world.h"
#include "world/bodies.h"
#include "world/box.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// The memory of all distance fields of a step: 240 MB for their nodes and 670 MB for their bricks at most. A skin
/// builds up to kMaxStepFields of them.
inline constexpr size_t kStepNodes = size_t{1} << 22, kStepBlocks = size_t{1} << 19;
inline constexpr int kMaxStepFields = 32;

/// The skin of one body.
class Skin {
public:
    /// `rest` is the current mesh of the body. `unbent` has the vertices in the frame of bone 0 if no bone bends the
    /// mesh, or is null.
    Skin(const SkinCollider& collider, const MeshView& rest, const std::vector<Vec3f>* unbent);

    /// Whether the mesh encloses a volume.
    bool encloses() const { return measured_->tree().part_count() > 0; }

    /// Evaluates the mesh at the start and at the end of a step.
    void begin_step(WorldBody& body, const TimeSpan& span, Executor& executor);
    /// The space that the mesh passes through in the step.
    const WorldBox& swept() const { return swept_; }
    /// The distance between the frame of the mesh at the start of the step and at its end [m].
    double way() const { return way_; }
    /// The diagonal of the mesh [m].
    double size() const { return size_; }
    /// The largest distance that a vertex moves in the step, in units of half the thickness of the mesh.
    double travel() const { return moved_ / std::max(1e-6, static_cast<double>(thickness_)); }
    /// The same, only for vertices inside a box at the start of the step or at its end.
    double travel(const WorldBox& box) const;
    /// Builds the fields or trees for the substeps of the step, after `begin_step`. `skins` share the memory for
    /// fields.
    void advance(WorldBody& body, const TimeSpan& span, size_t skins, Executor& executor);
    /// Whether the skin collides through fields.
    bool has_fields() const { return collider_.method != SkinMethod::kTriangles; }
    /// The fields of the last step.
    FieldSize field_size() const;

    /// The collider as it moves from one sample of the body to a later one, relative to `origin`.
    ColliderSubstep collider_substep(int from, int to, const Vec3d& origin) const;

    /// Moves the mesh to a sample of the body, for the three queries below.
    void place(WorldBody& body, const BodySample& sample, Executor& executor);
    /// The penetration of a point into the mesh [m], at most 0 outside, and whether its side is known.
    MeshDepth::Sided depth(const Vec3d& p) const { return measured_->measure(p); }
    /// Whether a root has less than `room` between its skin and another part of the mesh.
    bool pinched(const Vec3d& root, double room) const { return measured_->pinched(root, room); }
    /// The distance of a point from the mesh [m]: negative inside, huge beyond a few centimetres.
    double clearance(const Vec3d& p) const;

private:
    /// A field that serves several successive substeps. It is built for the middle of their time and carried to the end
    /// of each substep by the motion of the mesh.
    struct FieldSpan {
        DistanceField field;
        int first = 0, count = 1;  // substeps
        double carried = 0;        // largest distance by which the field is carried [m]
    };
    /// The mesh at the end of a substep, and its tree.
    struct MeshSample {
        SurfacePose pose;
        MovingTree tree;
        std::vector<Vec3f> motion;  // of the surface's vertices over the substep
    };
    /// Whether one field moves with the frame of the mesh, because the mesh does not bend.
    bool is_carried() const { return unbent_ && has_fields(); }
    void begin_carried_step(const WorldBody& body);
    /// The settings of each of `fields` fields that share the memory.
    FieldSettings field_settings(size_t fields) const;
    /// Computes the vertices of the mesh for a sample.
    void sample_mesh(WorldBody& body, const BodySample& sample, std::vector<Vec3f>& out, Executor& executor) const;
    void build_fields(WorldBody& body, const TimeSpan& span, size_t skins, Executor& executor);
    void build_trees(WorldBody& body, const TimeSpan& span, Executor& executor);

    SkinCollider collider_;
    std::shared_ptr<const Surface> surface_;
    std::unique_ptr<MeshDepth> measured_;
    bool unbent_;
    std::vector<Vec3f> rest_;   // vertices; of a mesh that does not bend, in its frame
    std::vector<Pose> frames_;  // of such a mesh, at the start of the step and at the end of every substep
    float thickness_ = 0;       // half the shortest side of the bounding box [m]
    Vec3d origin_{0, 0, 0};     // all vertices of the step are relative to it
    double moved_ = 0;          // largest distance that a vertex moves in the step [m]
    WorldBox swept_;            // bounding box of the mesh over the step
    double way_ = 0, size_ = 0;
    std::vector<Vec3f> before_, after_, middle_, motion_;
    std::vector<Vec3f> built_;  // the vertices that the field of a resting body was built from; else empty
    Vec3d built_origin_{0, 0, 0};
    std::vector<std::unique_ptr<FieldSpan>> spans_;  // only the first `used_` are in use
    size_t used_ = 0;
    std::vector<std::unique_ptr<MeshSample>> mesh_samples_;
    int substeps_ = 1;
    BodySample middle_sample_;
    Vec3d placed_{0, 0, 0};  // origin of the mesh that `place` was called with
};

}  // namespace tendril
