#include "interaction/grid.h"

#include "math/elementary.h"
#include "math/point_tree.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tendril {
namespace {

// Fewer particles per cell than this never count as a crowd.
constexpr float kMinRestDensity = 1.0f;
// The rest density is the largest density over this many positions of the rest pose within a cell.
constexpr int kRestSamples = 16;
// Range of smoothed densities; grooms that are farther apart do not interact [cells].
constexpr double kReach = 4;
// Repulsion moves no particle farther than this in a step; it would jump across the crowd that it should leave [cells].
constexpr double kMaxPush = 0.5;

/// The k-th point of a sequence that fills the unit cell evenly for any number of points: the additive recurrence of
/// the plastic number, in three dimensions.
Vec3d point_in_cell(int k)
{
    const double a = 0.8191725133961645 * k, b = 0.6710436067037893 * k, c = 0.5497004779019703 * k;
    return {a - std::floor(a), b - std::floor(b), c - std::floor(c)};
}

int coarsening_for(const GridBox& box, double cell, int least)
{
    while (DensityGrid::nodes_around(box, std::ldexp(cell, least)) > DensityGrid::kMaxNodes) ++least;
    return least;
}

/// Mean distance from a root to the nearest other root, estimated from a sample of strands.
double mean_root_distance(const Groom& groom)
{
    constexpr size_t kSamples = 256;
    std::vector<Vec3d> roots;
    for (size_t s = 0; s < groom.strand_count(); ++s) roots.push_back(to_double(groom.points(s)[0]));
    const PointTree tree(roots);
    const size_t stride = std::max<size_t>(1, roots.size() / kSamples);
    double sum = 0, count = 0;
    for (size_t s = 0; s < roots.size(); s += stride, ++count)
        sum += length(roots[tree.nearest(roots[s], 2).back()] - roots[s]);
    return sum / count;
}

GridBox rest_box(const Groom& groom)
{
    const Vec3d first = to_double(groom.points(0)[0]);
    GridBox box{first, first};
    for (const Vec3f& p : groom.data().points) box = united(box, {to_double(p), to_double(p)});
    return box;
}

}  // namespace

double cell_for(const Groom& groom)
{
    const double segment = mean_segment(groom);
    const double spread = groom.strand_count() > 1 ? 4 * mean_root_distance(groom) : 4 * segment;
    return std::clamp(spread, 1.5 * segment, 4 * segment);
}

double cell_for(std::span<const InteractingGroom> grooms)
{
    double cell = 0, particles = 0;
    for (const InteractingGroom& g : grooms) {
        const double n = static_cast<double>(g.groom->point_count());
        particles += n;
        cell += (cell_for(*g.groom) - cell) * (n / particles);
    }
    return cell;
}

void GridInteraction::apply(std::span<const InteractingGroom> grooms, const InteractionStep& step, Executor& executor)
{
    if (grooms.empty() || idle()) return;
    const size_t clusters = gather_clusters(grooms, executor);
    for (size_t c = 0; c < clusters; ++c) {
        const std::span<const GriddedGroom> on_grid = lay_out(grooms, c, step, executor);
        if (on_grid.empty()) continue;
        grid_.add(on_grid, executor);
        grid_.normalise(executor);
        grid_.act(on_grid, executor);
    }
}

void GridInteraction::prepare(std::span<const InteractingGroom> grooms, Executor& executor)
{
    if (grooms.empty() || idle()) return;
    const size_t clusters = gather_clusters(grooms, executor);
    for (size_t c = 0; c < clusters; ++c)
        if (has_grid(c)) rest_for(grooms, coarsening_[c], executor);
}

GridForces GridInteraction::forces(const InteractionStep& step, const InteractingGroom& groom) const
{
    const double share = 1 - exp_minus(static_cast<double>(settings_.friction) * step.dt);
    const double longest = kMaxPush * laid_cell_ / (step.dt * step.dt);
    const double push = std::min<double>(settings_.repulsion, longest);
    GridForces f;
    f.friction = static_cast<float>(share * groom.substep / step.last_dt);
    f.push = static_cast<float>(push * step.dt * groom.substep);
    f.tolerance = settings_.tolerance;
    return f;
}

void GridInteraction::update_grooms(std::span<const InteractingGroom> grooms)
{
    if (!known_grooms_.changed(grooms) && requested_cell_ == settings_.cell) return;
    requested_cell_ = settings_.cell;
    cell_ = settings_.cell > 0 ? static_cast<double>(settings_.cell) : cell_for(grooms);
    rests_.clear();
    std::map<uint64_t, GridBox> boxes;
    for (const InteractingGroom& g : grooms) {
        GridBox box = rest_box(*g.groom);
        box.high += Vec3d{cell_, cell_, cell_};  // room for its positions within a cell, see point_in_cell
        const auto [at, is_new] = boxes.emplace(g.rest_space, box);
        if (!is_new) at->second = united(at->second, box);
    }
    least_coarsening_.clear();
    for (const InteractingGroom& g : grooms)
        least_coarsening_.push_back(coarsening_for(boxes.at(g.rest_space), cell_, 0));
}

size_t GridInteraction::gather_clusters(std::span<const InteractingGroom> grooms, Executor& executor)
{
    update_grooms(grooms);
    started_.clear();
    clusters_.clear();
    for (const InteractingGroom& g : grooms) {
        started_.push_back(DensityGrid::start(*g.strands));
        clusters_.add(grid_.bound(started_.back(), executor));
    }
    clusters_.merge_near(kReach * cell_);
    coarsening_.assign(grooms.size(), 0);
    for (size_t g = 0; g < grooms.size(); ++g) {
        int& of_cluster = coarsening_[clusters_.of[g]];
        of_cluster = std::max(of_cluster, least_coarsening_[g]);
    }
    for (size_t c = 0; c < grooms.size(); ++c)
        if (has_grid(c)) coarsening_[c] = coarsening_for(clusters_.boxes[c], cell_, coarsening_[c]);
    return grooms.size();
}

std::span<const GriddedGroom> GridInteraction::lay_out(std::span<const InteractingGroom> grooms, size_t cluster,
                                                       const InteractionStep& step, Executor& executor)
{
    gridded_.clear();
    if (!has_grid(cluster)) return {};
    Rest& rest = rest_for(grooms, coarsening_[cluster], executor);
    laid_cell_ = std::ldexp(cell_, coarsening_[cluster]);
    for (size_t g = 0; g < grooms.size(); ++g) {
        if (clusters_.of[g] != cluster) continue;
        gridded_.push_back(started_[g]);
        gridded_.back().density = &rest.density[g];
        gridded_.back().forces = forces(step, grooms[g]);
    }
    grid_.lay_out(clusters_.boxes[cluster], laid_cell_, gridded_);
    return gridded_;
}

GridInteraction::Rest& GridInteraction::rest_for(std::span<const InteractingGroom> grooms, int coarsening,
                                                 Executor& executor)
{
    for (Rest& rest : rests_)
        if (rest.coarsening == coarsening) return rest;
    Rest& rest = rests_.emplace_back();
    rest.coarsening = coarsening;
    for (const InteractingGroom& g : grooms) {
        ParticleRows& density = rest.density.emplace_back(g.strands->layout(), 1);
        std::fill_n(density.data(), density.size(), kMinRestDensity);
    }
    for (size_t g = 0; g < grooms.size(); ++g) {
        if (is_first_in_rest_space(grooms, g) && least_coarsening_[g] <= coarsening)
            measure_rest(grooms, g, coarsening, rest, executor);
    }
    return rest;
}

/// Measures the rest densities of all grooms that share a rest space with the groom `first`.
void GridInteraction::measure_rest(std::span<const InteractingGroom> grooms, size_t first, int coarsening, Rest& rest,
                                   Executor& executor)
{
    const double cell = std::ldexp(cell_, coarsening);
    std::vector<size_t> members;
    std::vector<Strands> at_rest;
    for (size_t g = first; g < grooms.size(); ++g) {
        if (grooms[g].rest_space != grooms[first].rest_space) continue;
        members.push_back(g);
        at_rest.emplace_back(*grooms[g].groom, RootKind::kOnBone);
    }
    std::vector<GriddedGroom> on_grid(members.size());
    for (int k = 0; k < kRestSamples; ++k) {
        GridBox box;
        for (size_t i = 0; i < members.size(); ++i) {
            place_at_rest(at_rest[i], *grooms[members[i]].groom, point_in_cell(k) * cell);
            on_grid[i] = DensityGrid::start(at_rest[i]);
            on_grid[i].density = &rest.density[members[i]];
            const GridBox own = grid_.bound(on_grid[i], executor);
            box = i == 0 ? own : united(box, own);
        }
        grid_.lay_out(box, cell, on_grid);
        grid_.add(on_grid, executor);
        grid_.normalise(executor);
        grid_.keep(on_grid, executor);
    }
}

float GridInteraction::rest_density(size_t groom, size_t strand, int level) const
{
    return rests_[0].density[groom].get(strand, level, 0);
}

}  // namespace tendril
