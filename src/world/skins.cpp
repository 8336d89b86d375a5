#include "world/skins.h"

#include "math/vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril {
namespace {

// Fine cells along the diagonal of a mesh whose collider does not say how small they are.
constexpr double kCellsAcross = 200;
// A field is carried by its motion for so many fine cells to either side at most; then the next one takes over.
constexpr double kMostCarried = 0.5;
// What is nearer to the skin than so many fine cells is refined.
constexpr float kBandCells = 2.5f;
// How far a field reaches beyond the mesh, in coarse cells.
constexpr float kPaddingCells = 2;
// Motion by this share of a coarse cell, or of a segment, is looked at on its way; see ShapeSubstep.
constexpr float kDetailCells = 4;
// How deep a particle may be for the triangles to be found [m].
constexpr float kDeepest = 0.05f;

}  // namespace

Skin::Skin(const SkinCollider& collider, const MeshView& rest)
    : collider_(collider),
      surface_(std::make_shared<const Surface>(rest.vertices, rest.triangles)),
      rest_(rest.vertices.begin(), rest.vertices.end())
{
    measured_ = std::make_unique<MeshDepth>(surface_, rest_);
    Vec3d low = to_double(rest_[0]), high = low;
    for (const Vec3f& v : rest_) {
        low = least(low, to_double(v));
        high = most(high, to_double(v));
    }
    const Vec3d size = high - low;
    thickness_ = static_cast<float>(0.5 * std::min({size.x, size.y, size.z}));
    if (!(collider_.cell > 0)) collider_.cell = static_cast<float>(std::max(1e-5, length(size) / kCellsAcross));
}

void Skin::look_at(Body& body, double time, std::vector<Vec3f>& out, Executor& executor) const
{
    const MeshView mesh = body.mesh_at(time, executor);
    const Vec3f shift = to_float(mesh.origin - origin_);
    out.resize(mesh.vertices.size());
    for (size_t v = 0; v < out.size(); ++v) out[v] = mesh.vertices[v] + shift;
}

double Skin::farthest(std::span<const Vec3f> from, std::span<const Vec3f> to) const
{
    float most2 = 0;
    for (size_t v = 0; v < from.size(); ++v) {
        const Vec3f d = to[v] - from[v];
        most2 = std::max(most2, dot(d, d));
    }
    return std::sqrt(static_cast<double>(most2));
}

double Skin::travel(Body& body, double time, double dt, Executor& executor)
{
    origin_ = body.mesh_at(time, executor).origin;
    look_at(body, time, before_, executor);
    look_at(body, time + dt, after_, executor);
    return farthest(before_, after_) / std::max(1e-6, static_cast<double>(thickness_));
}

void Skin::advance(Body& body, double time, double dt, int substeps, Executor& executor)
{
    const Vec3d origin = body.mesh_at(time, executor).origin;
    const bool same_place = origin.x == origin_.x && origin.y == origin_.y && origin.z == origin_.z;
    const std::vector<Vec3f> last = after_;
    origin_ = origin;
    look_at(body, time, before_, executor);
    look_at(body, time + dt, after_, executor);
    const double moved = farthest(before_, after_);
    travel_ = moved / substeps;
    still_ = still_ && same_place && moved == 0 && last.size() == before_.size() && farthest(last, before_) == 0;
    low_ = high_ = to_double(after_[0]) + origin_;
    for (const std::vector<Vec3f>* all : {&before_, &after_})
        for (const Vec3f& v : *all) {
            low_ = least(low_, to_double(v) + origin_);
            high_ = most(high_, to_double(v) + origin_);
        }
    if (collider_.method == SkinMethod::kTriangles) {
        build_trees(body, time, dt, substeps, executor);
        return;
    }
    if (!still_) build_fields(body, time, dt, substeps, executor);
    still_ = moved == 0;
    if (still_) stretches_[0]->count = substeps;
}

void Skin::build_fields(Body& body, double time, double dt, int substeps, Executor& executor)
{
    const double step = travel_ * substeps, most = 2 * kMostCarried * static_cast<double>(collider_.cell);
    const int count = std::clamp(static_cast<int>(std::ceil(std::min(step / most, 1e6))), 1, substeps);
    FieldSettings settings;
    settings.refinement = FieldView::kBrickSteps;
    settings.cell = collider_.cell * FieldView::kBrickSteps;
    settings.band = collider_.cell * kBandCells;
    settings.padding = settings.cell * kPaddingCells;
    settings.method = collider_.method == SkinMethod::kMarching ? FieldMethod::kMarching : FieldMethod::kFast;

    used_ = static_cast<size_t>(count);
    while (stretches_.size() < used_) stretches_.push_back(std::make_unique<Stretch>());
    // before_ becomes the mesh at the start of each stretch, after_ that at its end.
    for (int i = 0; i < count; ++i) {
        Stretch& s = *stretches_[static_cast<size_t>(i)];
        s.first = substeps * i / count;
        s.count = substeps * (i + 1) / count - s.first;
        const auto at = [&](double k) { return time + dt * k / substeps; };
        if (i > 0) std::swap(before_, after_);
        if (count > 1) look_at(body, at(s.first + s.count), after_, executor);
        look_at(body, at(s.first + 0.5 * s.count), middle_, executor);
        const float share = 1.0f / static_cast<float>(s.count);
        motion_.resize(middle_.size());
        for (size_t v = 0; v < motion_.size(); ++v) motion_[v] = (after_[v] - before_[v]) * share;
        s.carried = 0.5 * farthest(before_, after_);
        s.field.build(*surface_, settings, middle_, motion_, origin_, executor);
    }
}

void Skin::build_trees(Body& body, double time, double dt, int substeps, Executor& executor)
{
    const auto count = static_cast<size_t>(substeps) + 1;
    while (moments_.size() < count) {
        moments_.push_back(std::make_unique<Moment>());
        moments_.back()->tree = MovingTree(*surface_, rest_);
    }
    for (size_t k = 0; k < count; ++k) {
        Moment& m = *moments_[k];
        look_at(body, time + dt * static_cast<double>(k) / substeps, middle_, executor);
        surface_->pose(middle_, m.pose, executor);
        if (k == 0) continue;
        m.tree.refit(*surface_, m.pose, executor);
        m.motion.resize(m.pose.vertices.size());
        for (size_t v = 0; v < m.motion.size(); ++v)
            m.motion[v] = m.pose.vertices[v] - moments_[k - 1]->pose.vertices[v];
    }
}

ShapeSubstep Skin::shape_in(int substep, const Vec3d& origin) const
{
    ShapeSubstep out{};
    out.middle = to_float((low_ + high_) * 0.5 - origin);
    out.reach = static_cast<float>(length(high_ - low_) / 2 * 1.0001 + travel_);
    out.detail = out.sharpest = kDetailCells * collider_.cell;
    out.travel = static_cast<float>(travel_);
    if (collider_.method == SkinMethod::kTriangles) {
        const Moment& m = *moments_[static_cast<size_t>(substep) + 1];
        out.kind = ShapeKind::kTriangles;
        out.triangles = {&m.tree, surface_->triangles().data(), m.motion.data(), to_float(origin - origin_), kDeepest};
        return out;
    }
    size_t i = 0;
    while (i + 1 < used_ && substep >= stretches_[i]->first + stretches_[i]->count) ++i;
    const Stretch& s = *stretches_[i];
    out.kind = ShapeKind::kField;
    out.field.view = s.field.view(origin);
    out.field.moves = s.carried > 0;
    out.field.later = static_cast<float>(substep + 1 - s.first - 0.5 * s.count);
    out.field.slack = static_cast<float>(s.carried) + 0.5f * out.field.view.cell;
    return out;
}

void Skin::place(Body& body, double time, Executor& executor)
{
    const MeshView mesh = body.mesh_at(time, executor);
    measured_->update(mesh.vertices, mesh.origin, executor);
    placed_ = mesh.origin;
}

double Skin::clearance(const Vec3d& p) const
{
    const auto found = measured_->tree().nearest_exact(p - placed_, static_cast<double>(kDeepest));
    return found ? found->distance : std::numeric_limits<float>::max();
}

}  // namespace tendril
