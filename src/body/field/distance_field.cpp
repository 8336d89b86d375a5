#include "body/field/distance_field.h"

#include "math/vectors.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace tendril {
namespace {

// Nodes within this many cells of the surface are compared with triangles; the others take their values from these. For
// marching, all corners of every cell that contains the surface must be included.
constexpr float kSeedCells = 1.0f, kMarchSeedCells = 1.75f;
// The distance that an empty field reports, too large to matter [m].
constexpr float kEmptyDistance = 1e6f;
// Factor by which cells grow while there are too many nodes.
constexpr float kCellGrowth = 1.25f;

// Three nodes along each axis: a surface on both sides of the origin has a node there, however large the cells are.
constexpr size_t kMinNodes = 27;
// A refined grid can be as small as this many blocks, so a lower limit could not be kept.
constexpr size_t kMinBlocks = 512;

/// The factor by which cells must grow to need at most `most` blocks: blocks lie along a surface, so their number falls
/// with the square of it.
float cell_growth(size_t blocks, size_t most)
{
    float growth = 1;
    double left = static_cast<double>(blocks);
    do {
        growth *= kCellGrowth;
        left /= static_cast<double>(kCellGrowth * kCellGrowth);
    } while (left > static_cast<double>(most));
    return growth;
}

float value_or(float value, float least, float fallback)
{
    return std::isfinite(value) && value >= least ? value : fallback;
}

}  // namespace

void DistanceField::build_empty()
{
    grid_ = {};
    enlarged_ = 1;
    low_ = {0, 0, 0};
    refined_ = false;
    brick_cells_.clear();
    values_.assign(grid_.count(), kEmptyDistance);
    motion_.assign(4 * grid_.count(), 0.0f);
}

/// Places the grid around the vertices of the pose, which are relative to `origin`, and makes them relative to the
/// grid. Its cells have this size, or a larger one if there would be too many nodes. Returns false if no finite box
/// encloses the vertices.
bool DistanceField::place_grid(const FieldSettings& settings, float cell_size, const Vec3d& origin, Executor& executor)
{
    constexpr double inf = std::numeric_limits<double>::infinity();
    Vec3d low{inf, inf, inf}, high{-inf, -inf, -inf};
    for (const Vec3f& v : pose_.vertices)
        low = component_min(low, to_double(v)), high = component_max(high, to_double(v));
    low = low + origin;
    high = high + origin;
    if (pose_.vertices.empty() || !is_finite(low) || !is_finite(high)) return false;
    const double pad = static_cast<double>(value_or(settings.padding, 0, 0));
    const Vec3d margin{pad, pad, pad};
    const auto allowed = static_cast<double>(std::clamp<size_t>(settings.most_nodes, kMinNodes, kMaxFieldNodes));
    for (grid_.cell = cell_size;; grid_.cell *= kCellGrowth) {
        const double cell = static_cast<double>(grid_.cell), per = 1 / cell;
        const Vec3d a = (low - margin) * per, b = (high + margin) * per;
        const Vec3d first{std::floor(a.x), std::floor(a.y), std::floor(a.z)};
        const Vec3d last{std::ceil(b.x), std::ceil(b.y), std::ceil(b.z)};
        const Vec3d count = component_max(last - first + Vec3d{1, 1, 1}, {2, 2, 2});
        if (count.x * count.y * count.z > allowed) continue;
        grid_.nodes = {static_cast<int>(count.x), static_cast<int>(count.y), static_cast<int>(count.z)};
        low_ = first * cell;
        break;
    }
    const Vec3d shift = origin - low_;
    parallel_for(executor, pose_.vertices.size(), 4096, [&](size_t begin, size_t end) {
        for (size_t v = begin; v < end; ++v) pose_.vertices[v] = to_float(to_double(pose_.vertices[v]) + shift);
    });
    return true;
}

/// Places the surface in a grid with cells of at least this size. Returns false if its vertices are not finite.
bool DistanceField::place_surface(const Surface& surface, const FieldSettings& settings, float cell,
                                  std::span<const Vec3f> vertices, const Vec3d& origin, Executor& executor)
{
    pose_.vertices.resize(surface.vertex_count());
    surface.carry(vertices, pose_.vertices, executor);
    if (!place_grid(settings, cell, origin, executor)) return false;
    surface.update_normals(pose_, executor);
    triangles_.update(surface, pose_, executor);
    return true;
}

void DistanceField::build(const Surface& surface, const FieldSettings& settings, std::span<const Vec3f> vertices,
                          std::span<const Vec3f> motion, const Vec3d& origin, Executor& executor)
{
    assert(motion.empty() || motion.size() == vertices.size());
    if (surface.empty()) return build_empty();
    surface_motion_.resize(motion.empty() ? 0 : surface.vertex_count());
    if (!motion.empty()) surface.carry(motion, surface_motion_, executor);

    const size_t most_blocks = std::clamp<size_t>(settings.most_blocks, kMinBlocks, kMaxFieldBlocks);
    const float asked = value_or(settings.cell, 1e-6f, FieldSettings().cell);
    float band = 0;
    refined_ = settings.refinement > 1;
    for (float cell = asked;;) {
        if (!place_surface(surface, settings, cell, vertices, origin, executor)) return build_empty();
        enlarged_ = grid_.cell / asked;
        band = value_or(settings.band, 0, 0) * enlarged_;
        if (!refined_) break;
        const size_t blocks = select_sparse_blocks(grid_, triangles_, band, blocks_, brick_cells_, marks_, executor);
        if (blocks <= most_blocks) break;
        cell = grid_.cell * cell_growth(blocks, most_blocks);
    }
    nearest_.resize(grid_);
    if (refined_)
        blocks_.resize_nodes(blocks_.slices.size());
    else
        brick_cells_.clear();
    if (refined_)
        measure_refined(surface, band, executor);
    else
        measure_coarse(surface, settings, executor);

    values_.resize(grid_.count() + brick_cells_.size() * FieldView::kBrickStride);
    motion_.resize(4 * grid_.count());
    if (motion.empty()) std::fill(motion_.begin(), motion_.end(), 0.0f);
    const FieldOutput out{std::span(values_).first(grid_.count()), motion.empty() ? std::span<float>() : motion_};
    if (settings.method == FieldMethod::kFast) spread_nearest(grid_, nearest_, executor);
    store_nodes(grid_, triangles_, surface, surface_motion_, nearest_, out, executor);
    if (settings.method == FieldMethod::kMarching) march(grid_, nearest_, out, march_, executor);
    if (refined_) store_bricks(band, executor);
}

void DistanceField::measure_layers(const Surface& surface, float band, Executor& executor)
{
    const auto layers = static_cast<size_t>(blocks_.counts[2]);
    windings_.resize(blocks_.sparse ? grid_.count() : 0);
    blocks_.overlaps.resize(layers);
    parallel_for(executor, layers, 1, [&](size_t begin, size_t end) {
        for (int layer = static_cast<int>(begin); layer < static_cast<int>(end); ++layer) {
            find_windings(surface, grid_, triangles_, layer, blocks_, windings_);
            measure_layer(triangles_, band, layer, blocks_);
        }
    });
    if (std::find(blocks_.overlaps.begin(), blocks_.overlaps.end(), 1) == blocks_.overlaps.end()) return;
    parallel_for(executor, layers, 1, [&](size_t begin, size_t end) {
        for (int layer = static_cast<int>(begin); layer < static_cast<int>(end); ++layer)
            discard_inner_walls(triangles_, layer, blocks_);
    });
}

void DistanceField::measure_coarse(const Surface& surface, const FieldSettings& settings, Executor& executor)
{
    const float seeds = settings.method == FieldMethod::kFast ? kSeedCells : kMarchSeedCells;
    make_dense_blocks(grid_, triangles_, seeds * grid_.cell, blocks_);
    measure_layers(surface, seeds * grid_.cell, executor);
    seed_from_dense(grid_, triangles_, blocks_, nearest_, executor);
}

void DistanceField::measure_refined(const Surface& surface, float band, Executor& executor)
{
    // A node next to the surface must find it, however narrow the band is.
    measure_layers(surface, std::max(band, blocks_.step), executor);
    seed_from_sparse(grid_, triangles_, blocks_, windings_, nearest_, executor);
}

void DistanceField::store_bricks(float band, Executor& executor)
{
    sign_blocks(blocks_, executor);
    brick_table_.assign(grid_.count(), -1);
    parallel_for(executor, brick_cells_.size(), 64, [&](size_t begin, size_t end) {
        for (size_t b = begin; b < end; ++b) {
            const size_t base = grid_.count() + b * FieldView::kBrickStride;
            brick_table_[brick_cells_[b]] = static_cast<int32_t>(base);
            store_brick(grid_, blocks_, band, brick_cells_[b], std::span(values_).first(grid_.count()),
                        std::span(values_).subspan(base, FieldView::kBrickStride));
        }
    });
}

FieldView DistanceField::view(const Vec3d& origin) const
{
    FieldView v;
    v.values = values_.data();
    v.bricks = refined_ ? brick_table_.data() : nullptr;
    v.motion = motion_.data();
    v.low = to_float(low_ - origin);
    v.cell = grid_.cell;
    v.per_cell = 1 / grid_.cell;
    v.nodes_x = grid_.nodes[0];
    v.nodes_y = grid_.nodes[1];
    v.nodes_z = grid_.nodes[2];
    return v;
}

}  // namespace tendril
