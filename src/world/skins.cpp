#include "world/skins.h"

#include "math/vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril {
namespace {

// Default number of fine cells along the diagonal of a mesh.
constexpr double kCellsAcross = 200;
// A field is carried by at most this many fine cells to either side; then the next field takes over.
constexpr double kMaxCarried = 0.5;
// The field is refined within this many fine cells of the skin.
constexpr float kBandCells = 2.5f;
// Padding of a field around the mesh, in coarse cells.
constexpr float kPaddingCells = 2;
// ColliderSubstep::detail and ::min_radius of a skin, in fine cells. Ears and noses are not much smaller.
constexpr float kDetailCells = 4;
// Triangles are searched up to this distance [m].
constexpr float kMaxDistance = 0.05f;

/// The largest distance that a vertex moves.
double max_travel(std::span<const Vec3f> from, std::span<const Vec3f> to)
{
    float max2 = 0;
    for (size_t v = 0; v < from.size(); ++v) {
        const Vec3f d = to[v] - from[v];
        max2 = std::max(max2, dot(d, d));
    }
    return std::sqrt(static_cast<double>(max2));
}

void include(WorldBox& box, std::span<const Vec3f> vertices, const Vec3d& origin)
{
    for (const Vec3f& v : vertices) box.include(to_double(v) + origin);
}

}  // namespace

Skin::Skin(const SkinCollider& collider, const MeshView& rest, const std::vector<Vec3f>* unbent)
    : collider_(collider),
      surface_(std::make_shared<const Surface>(rest.vertices, rest.triangles)),
      unbent_(unbent != nullptr),
      rest_(rest.vertices.begin(), rest.vertices.end())
{
    if (unbent_) rest_ = *unbent;
    measured_ = std::make_unique<MeshDepth>(surface_, rest_);
    WorldBox bounds;
    include(bounds, rest_, {0, 0, 0});
    const Vec3d size = bounds.high - bounds.low;
    size_ = length(size);
    thickness_ = static_cast<float>(0.5 * std::min({size.x, size.y, size.z}));
    if (!(collider_.cell > 0)) collider_.cell = static_cast<float>(std::max(1e-5, size_ / kCellsAcross));
}

void Skin::sample_mesh(WorldBody& body, const BodySample& sample, std::vector<Vec3f>& out, Executor& executor) const
{
    const MeshView mesh = body.body.mesh_in(sample, executor);
    const Vec3f shift = to_float(mesh.origin - origin_);
    out.resize(mesh.vertices.size());
    for (size_t v = 0; v < out.size(); ++v) out[v] = mesh.vertices[v] + shift;
}

void Skin::begin_step(WorldBody& body, const TimeSpan&, Executor& executor)
{
    way_ = length(body.samples.back().bones[0].position - body.samples.front().bones[0].position);
    swept_ = {};
    if (is_carried()) return begin_carried_step(body);
    origin_ = body.bone(0, 0).position;
    sample_mesh(body, body.samples.front(), before_, executor);
    sample_mesh(body, body.samples.back(), after_, executor);
    moved_ = max_travel(before_, after_);
    include(swept_, before_, origin_);
    include(swept_, after_, origin_);
}

void Skin::begin_carried_step(const WorldBody& body)
{
    const Pose &from = body.samples.front().bones[0], &to = body.samples.back().bones[0];
    WorldBox box;
    include(box, rest_, {0, 0, 0});
    moved_ = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p{(corner & 1 ? box.high : box.low).x, (corner & 2 ? box.high : box.low).y,
                      (corner & 4 ? box.high : box.low).z};
        const Vec3d a = transform_point(from, p), b = transform_point(to, p);
        moved_ = std::max(moved_, length(b - a));
        swept_.include(a);
        swept_.include(b);
    }
}

double Skin::travel(const WorldBox& box) const
{
    if (is_carried()) return travel();
    float max2 = 0;
    for (size_t v = 0; v < before_.size(); ++v) {
        if (!box.contains(origin_ + to_double(before_[v])) && !box.contains(origin_ + to_double(after_[v]))) continue;
        const Vec3f d = after_[v] - before_[v];
        max2 = std::max(max2, dot(d, d));
    }
    return std::sqrt(static_cast<double>(max2)) / std::max(1e-6, static_cast<double>(thickness_));
}

void Skin::advance(WorldBody& body, const TimeSpan& span, size_t skins, Executor& executor)
{
    substeps_ = span.substeps;
    if (!has_fields()) return build_trees(body, span, executor);
    if (is_carried()) {
        frames_.clear();
        for (const BodySample& sample : body.samples) frames_.push_back(sample.bones[0]);
        if (!spans_.empty()) return;
        spans_.push_back(std::make_unique<FieldSpan>());
        used_ = 1;
        spans_[0]->field.build(*surface_, field_settings(skins), rest_, {}, {0, 0, 0}, executor);
        return;
    }
    const bool known = moved_ == 0 && built_ == before_ && built_origin_ == origin_;
    if (!known) build_fields(body, span, skins, executor);
    if (moved_ > 0) built_.clear();
    if (moved_ > 0 || known) return;
    built_ = before_;
    built_origin_ = origin_;
}

FieldSize Skin::field_size() const
{
    FieldSize size;
    size.cell = size.asked = collider_.cell;
    for (size_t i = 0; i < used_; ++i) {
        const DistanceField& field = spans_[i]->field;
        size.nodes += field.node_count();
        size.blocks += field.block_count();
        size.cell = std::max(size.cell, collider_.cell * field.enlarged());
    }
    return size;
}

FieldSettings Skin::field_settings(size_t fields) const
{
    FieldSettings settings;
    settings.refinement = FieldView::kBrickSteps;
    settings.cell = collider_.cell * FieldView::kBrickSteps;
    settings.band = collider_.cell * kBandCells;
    settings.padding = settings.cell * kPaddingCells;
    settings.most_nodes = kStepNodes / fields;
    settings.most_blocks = std::min(kMaxFieldBlocks, kStepBlocks / fields);
    settings.method = collider_.method == SkinMethod::kMarching ? FieldMethod::kMarching : FieldMethod::kFast;
    return settings;
}

void Skin::build_fields(WorldBody& body, const TimeSpan& span, size_t skins, Executor& executor)
{
    const int substeps = span.substeps;
    const double max_span = 2 * kMaxCarried * static_cast<double>(collider_.cell);
    const int count = std::clamp(static_cast<int>(std::ceil(std::min(moved_ / max_span, 1e6))), 1,
                                 std::min(substeps, kMaxStepFields));
    used_ = static_cast<size_t>(count);
    const FieldSettings settings = field_settings(skins * used_);
    while (spans_.size() < used_) spans_.push_back(std::make_unique<FieldSpan>());
    // In each iteration, before_ is the mesh at the start of the span and after_ the mesh at its end.
    for (int i = 0; i < count; ++i) {
        FieldSpan& s = *spans_[static_cast<size_t>(i)];
        s.first = substeps * i / count;
        s.count = substeps * (i + 1) / count - s.first;
        if (i > 0) std::swap(before_, after_);
        if (count > 1) sample_mesh(body, body.samples[static_cast<size_t>(s.first + s.count)], after_, executor);
        body.body.look(span.time + span.dt * (s.first + 0.5 * s.count) / substeps, middle_sample_);
        sample_mesh(body, middle_sample_, middle_, executor);
        const float share = 1.0f / static_cast<float>(s.count);
        motion_.resize(middle_.size());
        for (size_t v = 0; v < motion_.size(); ++v) motion_[v] = (after_[v] - before_[v]) * share;
        s.carried = 0.5 * max_travel(before_, after_);
        s.field.build(*surface_, settings, middle_, motion_, origin_, executor);
    }
}

void Skin::build_trees(WorldBody& body, const TimeSpan& span, Executor& executor)
{
    const auto count = static_cast<size_t>(span.substeps) + 1;
    while (mesh_samples_.size() < count) {
        mesh_samples_.push_back(std::make_unique<MeshSample>());
        mesh_samples_.back()->tree = MovingTree(*surface_, rest_);
    }
    for (size_t k = 0; k < count; ++k) {
        MeshSample& m = *mesh_samples_[k];
        sample_mesh(body, body.samples[k], middle_, executor);
        surface_->pose(middle_, m.pose, executor);
        if (k == 0) continue;
        m.tree.refit(*surface_, m.pose, executor);
        m.motion.resize(m.pose.vertices.size());
        for (size_t v = 0; v < m.motion.size(); ++v)
            m.motion[v] = m.pose.vertices[v] - mesh_samples_[k - 1]->pose.vertices[v];
    }
}

ColliderSubstep Skin::collider_substep(int from, int to, const Vec3d& origin) const
{
    ColliderSubstep out{};
    const double travel = moved_ * (to - from) / substeps_;
    const auto stride = static_cast<float>(to - from);
    out.centre = to_float((swept_.low + swept_.high) * 0.5 - origin);
    out.bounding_radius = static_cast<float>(length(swept_.high - swept_.low) / 2 * 1.0001 + travel);
    out.detail = out.min_radius = kDetailCells * collider_.cell;
    out.max_travel = static_cast<float>(travel);
    if (collider_.method == SkinMethod::kTriangles) {
        const MeshSample& m = *mesh_samples_[static_cast<size_t>(to)];
        out.kind = ColliderSubstepKind::kTriangles;
        out.triangles = {
            &m.tree, surface_->triangles().data(), m.motion.data(), to_float(origin - origin_), kMaxDistance, stride};
        return out;
    }
    if (is_carried()) {
        const Pose &before = frames_[static_cast<size_t>(from)], &after = frames_[static_cast<size_t>(to)];
        out.kind = ColliderSubstepKind::kBoneField;
        out.a = to_float(after.position - origin);
        const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int axis = 0; axis < 3; ++axis) out.framed.axes[axis] = to_float(rotate(after.rotation, axes[axis]));
        out.field.view = spans_[0]->field.view({0, 0, 0});
        out.field.max_error = 0.5f * out.field.view.cell;
        set_motion(before, after, origin, out);
        out.max_travel = static_cast<float>(travel);  // tighter than the travel of the bounding sphere
        return out;
    }
    size_t i = 0;
    while (i + 1 < used_ && to > spans_[i]->first + spans_[i]->count) ++i;
    const FieldSpan& s = *spans_[i];
    out.kind = ColliderSubstepKind::kField;
    out.field.view = s.field.view(origin);
    out.field.moves = s.carried > 0;
    out.field.time_offset = static_cast<float>((to - s.first - 0.5 * s.count) / (to - from));
    out.field.stride = stride;
    out.field.max_error = static_cast<float>(s.carried) + 0.5f * out.field.view.cell;
    return out;
}

void Skin::place(WorldBody& body, const BodySample& sample, Executor& executor)
{
    const MeshView mesh = body.body.mesh_in(sample, executor);
    measured_->update(mesh.vertices, mesh.origin, executor);
    placed_ = mesh.origin;
}

double Skin::clearance(const Vec3d& p) const
{
    const auto found = measured_->tree().nearest_exact(p - placed_, static_cast<double>(kMaxDistance));
    return found ? found->distance : std::numeric_limits<float>::max();
}

}  // namespace tendril
