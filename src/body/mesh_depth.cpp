#include "body/mesh_depth.h"

#include "math/vectors.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tendril {
namespace {

// Bound on the error of a distance in float, relative to the coordinates.
constexpr float kRounding = 4e-6f;
// A triangle in the cell of a point, or near it, lies within about this many cells: a short search comes first because
// it is fast.
constexpr double kFirstSearch = 2;
constexpr float kAnywhere = 1e18f;  // its square fits a float
constexpr double kNearSkin = 0.05;  // roots are at most this far from the skin [m]
// A point is inside a part with holes if the part without the triangles that close them has at least this winding
// number around it. It would be 1 without holes, and is a half in the middle of one.
constexpr double kSurrounded = 0.75;

}  // namespace

MeshDepth::MeshDepth(std::shared_ptr<const Surface> surface, std::span<const Vec3f> rest_vertices)
    : surface_(std::move(surface)), pose_(std::make_unique<SurfacePose>()), tree_(*surface_, rest_vertices)
{
}

void MeshDepth::update(std::span<const Vec3f> mesh_vertices, const Vec3d& origin, Executor& executor)
{
    origin_ = origin;
    surface_->pose(mesh_vertices, *pose_, executor);
    tree_.refit(*surface_, *pose_, executor);
    lay_out_cells();
    mark_surface();
    flood_from_outside();
}

/// Lays out one more layer of cells than the surface needs; the flood fill starts there.
void MeshDepth::lay_out_cells()
{
    const Vec3d low = to_double(tree_.low()), size = to_double(tree_.high()) - low;
    const double longest = std::max({size.x, size.y, size.z});
    side_ = longest > 0 && std::isfinite(longest) ? longest / kCells : 0;
    if (side_ == 0) return;
    per_side_ = 1 / side_;
    low_ = low - Vec3d{side_, side_, side_};
    const Cell last = cell_of(low + size);
    count_ = {last.x + 2, last.y + 2, last.z + 2};
    rows_y_ = static_cast<size_t>(count_.y);
    free_.assign(row_of({0, 0, count_.z}), ~Row());
    outside_.assign(free_.size(), Row());
}

MeshDepth::Cell MeshDepth::cell_of(const Vec3d& local) const
{
    // Monotonic in every coordinate, so that every point of a triangle's bounding box lies in a cell between those of
    // its corners. Cell -1 is below the grid.
    const auto cell = [&](double x) {
        return static_cast<int>(std::max(0.0, std::min(2.0 * kCells, x * per_side_ + 1))) -
               1;  // maps NaN to a large value
    };
    return {cell(local.x - low_.x), cell(local.y - low_.y), cell(local.z - low_.z)};
}

void MeshDepth::mark_surface()
{
    if (side_ == 0) return;
    for (const TriangleGroup& leaf : tree_.leaves())
        for (uint32_t triangle : leaf.triangles) {
            const auto& t = surface_->triangles()[triangle];
            const Vec3d a = to_double(pose_->vertices[t[0]]), b = to_double(pose_->vertices[t[1]]);
            const Vec3d c = to_double(pose_->vertices[t[2]]);
            const Cell first = cell_of(component_min(component_min(a, b), c)),
                       last = cell_of(component_max(component_max(a, b), c));
            const Row taken = ~Row() >> static_cast<size_t>(127 - (last.x - first.x)) << static_cast<size_t>(first.x);
            for (int z = first.z; z <= last.z; ++z)
                for (int y = first.y; y <= last.y; ++y) free_[row_of({0, y, z})] &= ~taken;
        }
}

/// Flood fill from row to row, 128 cells at a time.
void MeshDepth::flood_from_outside()
{
    if (side_ == 0) return;
    outside_[0] = free_[0];
    to_spread_.assign(1, 0);
    const auto spread = [&](const Row& from, size_t to) {
        Row open = from & free_[to] & ~outside_[to];
        if (open.none()) return;
        // Along the row: the reach doubles with each step and passes only through free cells.
        Row up = free_[to], down = free_[to];
        for (size_t step = 1; step < 128; step *= 2) {
            open |= (up & (open << step)) | (down & (open >> step));
            up &= up << step;
            down &= down >> step;
        }
        outside_[to] |= open;
        to_spread_.push_back(static_cast<uint32_t>(to));
    };
    while (!to_spread_.empty()) {
        const size_t row = to_spread_.back(), y = row % rows_y_;
        to_spread_.pop_back();
        const Row from = outside_[row];
        if (y > 0) spread(from, row - 1);
        if (y + 1 < rows_y_) spread(from, row + 1);
        if (row >= rows_y_) spread(from, row - rows_y_);
        if (row + rows_y_ < free_.size()) spread(from, row + rows_y_);
    }
}

MeshDepth::Sided MeshDepth::measure(const Vec3d& p) const
{
    if (side_ == 0) return {};
    const Vec3d local = p - origin_;
    const Cell c = cell_of(local);
    if (c.x < 0 || c.y < 0 || c.z < 0 || c.x >= count_.x || c.y >= count_.y || c.z >= count_.z) return {-side_, true};
    if (outside_[row_of(c)][static_cast<size_t>(c.x)]) return {};
    if (tree_.winding(local) < 1) return {};
    if (tree_.part_count() > 1 || surface_->closed_holes() > 0) return measure_parts(local);
    // The float search finds the candidates, the double search the exact distance.
    const Vec3f q = to_float(local);
    auto rough = tree_.nearest(q, static_cast<float>(kFirstSearch * side_));
    if (!rough) rough = tree_.nearest(q, kAnywhere);
    if (!rough) return {};
    const float slack = kRounding * (std::abs(q.x) + std::abs(q.y) + std::abs(q.z) + std::abs(rough->distance));
    const auto exact = tree_.nearest_exact(local, static_cast<double>(std::abs(rough->distance) + 2 * slack));
    return {exact ? std::abs(exact->distance) : 0, true};
}

MeshDepth::Sided MeshDepth::measure_parts(const Vec3d& local) const
{
    Sided sided{0, false};
    for (size_t part = 0; part < tree_.part_count(); ++part) {
        const int winding = tree_.winding(part, local);
        if (winding < 1 || winding - tree_.closing_share(part, local) < kSurrounded) continue;
        const auto nearest = tree_.nearest_exact(part, local, static_cast<double>(kAnywhere));
        sided = {std::max(sided.depth, nearest ? std::abs(nearest->distance) : 0), true};
    }
    return sided;
}

bool MeshDepth::pinched(const Vec3d& p, double room) const
{
    if (side_ == 0) return false;
    const auto skin = tree_.nearest_exact(p - origin_, kNearSkin);
    if (!skin) return false;
    const Vec3d foot = p - origin_ - skin->normal * skin->distance;
    for (const double lift : {0.5 * room, room}) {
        const Vec3d above = foot + skin->normal * lift;
        const auto other = tree_.nearest_exact(above, 0.5 * lift);
        if (other || tree_.winding(above) > 0) return true;
    }
    return false;
}

}  // namespace tendril
