// [Mueller12] M. Mueller, T.J. Kim, N. Chentanez: Fast Simulation of Inextensible Hair and Fur, VRIPHYS 2012, section
// 3.6 as printed. docs/equations.md lists what the paper leaves open and how it is read here.
//
// Only one thread adds particles, strand by strand, so the sums do not depend on the number of threads.
#include "interaction/printed_grid.h"

#include "interaction/density_grid.h"
#include "interaction/grid.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// Strands per task.
constexpr size_t kStrandsAtOnce = 64;
// Particles farther apart than this share no node [cells].
constexpr double kSharedNodes = 2;

/// Calls `visit(level, position)` for the particles of a strand.
template <class Visit>
void for_each_particle(const Strands& strands, size_t strand, const Visit& visit)
{
    Vec3d position = strands.root(strand);
    for (int i = 0; i < strands.levels(strand); ++i) {
        if (i > 0) position += to_double(strands.edge(strand, i));
        visit(i, position);
    }
}

GridBox box_of(const Strands& strands)
{
    const Vec3d first = strands.root(0);
    GridBox box{first, first};
    for (size_t s = 0; s < strands.strand_count(); ++s)
        for_each_particle(strands, s, [&](int, const Vec3d& p) { box = united(box, {p, p}); });
    return box;
}

/// The tri-linear weight of the k-th corner of a cell at the position t within it.
float weight(const float* t, int k)
{
    const float x = k & 1 ? t[0] : 1 - t[0], y = k & 2 ? t[1] : 1 - t[1], z = k & 4 ? t[2] : 1 - t[2];
    return x * y * z;
}

/// Its derivative along each axis, per cell.
Vec3f slope(const float* t, int k)
{
    const float x = k & 1 ? t[0] : 1 - t[0], y = k & 2 ? t[1] : 1 - t[1], z = k & 4 ? t[2] : 1 - t[2];
    return {(k & 1 ? 1.0f : -1.0f) * y * z, x * (k & 2 ? 1.0f : -1.0f) * z, x * y * (k & 4 ? 1.0f : -1.0f)};
}

}  // namespace

void PrintedGrid::prepare(std::span<const InteractingGroom> grooms, Executor&)
{
    if (!known_grooms_.changed(grooms) && requested_cell_ == settings_.cell) return;
    requested_cell_ = settings_.cell;
    cell_ = settings_.cell > 0 ? static_cast<double>(settings_.cell) : cell_for(grooms);
}

void PrintedGrid::apply(std::span<const InteractingGroom> grooms, const InteractionStep& step, Executor& executor)
{
    if (grooms.empty() || idle()) return;
    prepare(grooms, executor);
    find_clusters(grooms);
    for (size_t c = 0; c < grooms.size(); ++c) {
        if (!clusters_.exists(c) || !clusters_.boxes[c].finite()) continue;
        lay_out(clusters_.boxes[c]);
        for (size_t g = 0; g < grooms.size(); ++g)
            if (clusters_.of[g] == c) add(grooms[g]);
        divide();
        for (size_t g = 0; g < grooms.size(); ++g)
            if (clusters_.of[g] == c) act(grooms[g], step.dt, executor);
    }
}

void PrintedGrid::find_clusters(std::span<const InteractingGroom> grooms)
{
    clusters_.clear();
    for (const InteractingGroom& g : grooms) clusters_.add(box_of(*g.strands));
    clusters_.merge_near(kSharedNodes * cell_);
}

/// Nodes are at integer multiples of the cell size in the world, as in GridInteraction; the paper recomputes its grid
/// every frame and does not say where the nodes are.
void PrintedGrid::lay_out(const GridBox& box)
{
    laid_cell_ = cell_;
    while (DensityGrid::nodes_around(box, laid_cell_) > DensityGrid::kMaxNodes) laid_cell_ *= 2;
    const double low[]{box.low.x, box.low.y, box.low.z}, high[]{box.high.x, box.high.y, box.high.z};
    size_t nodes = 1;
    for (int axis = 0; axis < 3; ++axis) {
        first_[axis] = std::floor(low[axis] / laid_cell_);
        counts_[axis] = static_cast<size_t>(std::floor(high[axis] / laid_cell_) - first_[axis]) + 2;
        nodes *= counts_[axis];
    }
    if (nodes_.capacity() < nodes) nodes_.reserve(nodes + nodes / 2);
    nodes_.assign(nodes, Node());
}

PrintedGrid::Cell PrintedGrid::cell_at(const Vec3d& position) const
{
    const double p[]{position.x / laid_cell_, position.y / laid_cell_, position.z / laid_cell_};
    Cell cell{};
    for (int axis = 2; axis >= 0; --axis) {
        const double within = p[axis] - first_[axis];
        const double at = within > 0 ? std::min(std::floor(within), static_cast<double>(counts_[axis] - 2)) : 0;
        cell.node = cell.node * counts_[axis] + static_cast<size_t>(at);
        cell.t[axis] = static_cast<float>(std::clamp(within - at, 0.0, 1.0));
    }
    return cell;
}

/// The k-th node of a cell.
size_t PrintedGrid::corner(const Cell& cell, int k) const
{
    return cell.node + (k & 1 ? 1 : 0) + (k & 2 ? counts_[0] : 0) + (k & 4 ? counts_[0] * counts_[1] : 0);
}

/// Adds the weights of every particle to the densities, and its stored velocity (Eq. 9) times the weights to the
/// velocities.
void PrintedGrid::add(const InteractingGroom& groom)
{
    const auto per_second = static_cast<float>(1 / groom.substep);
    for (size_t s = 0; s < groom.strands->strand_count(); ++s)
        for_each_particle(*groom.strands, s, [&](int level, const Vec3d& position) {
            const Cell cell = cell_at(position);
            const Vec3f v = groom.strands->drift(s, level) * per_second;
            for (int k = 0; k < 8; ++k) {
                Node& node = nodes_[corner(cell, k)];
                const float w = weight(cell.t, k);
                node.density += w;
                node.velocity += v * w;
            }
        });
}

void PrintedGrid::divide()
{
    for (Node& node : nodes_)
        if (node.density > 0) node.velocity = node.velocity * (1 / node.density);
}

void PrintedGrid::act(const InteractingGroom& groom, double dt, Executor& executor)
{
    parallel_for(executor, groom.strands->strand_count(), kStrandsAtOnce, [&](size_t begin, size_t end) {
        for (size_t s = begin; s < end; ++s) act_on_strand(groom, s, dt);
    });
}

void PrintedGrid::act_on_strand(const InteractingGroom& groom, size_t strand, double dt) const
{
    Strands& strands = *groom.strands;
    const auto h = static_cast<float>(groom.substep), push = static_cast<float>(settings_.s_repulsion / dt);
    const int first = strands.bucket_of(strand).roots == RootKind::kFree ? 0 : 1;  // the body moves held roots
    for_each_particle(strands, strand, [&](int level, const Vec3d& position) {
        if (level < first) return;
        const Cell cell = cell_at(position);
        Vec3f grid{0, 0, 0}, gradient{0, 0, 0};
        for (int k = 0; k < 8; ++k) {
            const Node& node = nodes_[corner(cell, k)];
            grid += node.velocity * weight(cell.t, k);
            gradient += slope(cell.t, k) * node.density;
        }
        const Vec3f drift = strands.drift(strand, level), v = drift * (1 / h);
        Vec3f change = (grid - v) * settings_.s_friction;  // Eq. 13
        const float steepness = length(gradient);
        if (steepness > 0) change += gradient * (push / steepness);  // Eq. 14
        strands.set_drift(strand, level, drift + change * h);
    });
}

}  // namespace tendril
