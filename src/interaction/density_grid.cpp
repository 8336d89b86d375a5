#include "interaction/density_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tendril {
namespace {

// Work per task, large enough to make the overhead of a task negligible.
constexpr size_t kParticlesPerRange = 4096;
constexpr size_t kNodesPerTask = 4096;
constexpr size_t kMaxParts = 4;

Vec3d cell_at(const Vec3d& p, double cell)
{
    return {std::floor(p.x / cell), std::floor(p.y / cell), std::floor(p.z / cell)};
}

/// Number of nodes along each axis: those of the cells that the box covers, and two more layers on each side.
Vec3d node_counts(const GridBox& box, double cell)
{
    return cell_at(box.high, cell) - cell_at(box.low, cell) + Vec3d{6, 6, 6};
}

/// Reserves more than needed, so that spreading hair does not allocate in every step.
void grow(AlignedFloats& buffer, size_t size)
{
    if (buffer.size() < size) buffer = AlignedFloats(size + size / 2);
}

/// About the number of particles per node, so that summing the parts costs less than filling them. It is a power of
/// two, which threads share evenly, and at least two if there are two ranges.
size_t part_count(size_t particles, size_t nodes, size_t ranges)
{
    return std::min(ranges, std::bit_floor(std::clamp<size_t>(particles / nodes, 2, kMaxParts)));
}

}  // namespace

double DensityGrid::nodes_around(const GridBox& box, double cell)
{
    const Vec3d n = node_counts(box, cell);
    return n.x * n.y * n.z;
}

GriddedGroom DensityGrid::start(Strands& strands)
{
    GriddedGroom groom;
    groom.strands = &strands;
    groom.frame = frame_step(strands.frame_before, strands.frame);
    return groom;
}

void DensityGrid::cut_into_ranges(size_t groom, const Strands& strands)
{
    for (size_t b = 0; b < strands.buckets().size(); ++b) {
        const Bucket& bucket = strands.buckets()[b];
        const size_t at_once = std::max<size_t>(1, kParticlesPerRange / bucket.stride(1));
        for (size_t begin = 0; begin < bucket.blocks; begin += at_once)
            ranges_.push_back({groom, b, begin, std::min(bucket.blocks, begin + at_once)});
    }
}

GridBox DensityGrid::bound(const GriddedGroom& groom, Executor& executor)
{
    ranges_.clear();
    cut_into_ranges(0, *groom.strands);
    boxes_.resize(ranges_.size());
    parallel_for(executor, ranges_.size(), 1, [&](size_t begin, size_t end) {
        for (size_t r = begin; r < end; ++r) boxes_[r] = bound_particles(groom, ranges_[r]);
    });
    BlockBox box = boxes_[0];
    for (const BlockBox& b : boxes_)
        for (int axis = 0; axis < 3; ++axis) {
            box.low[axis] = std::min(box.low[axis], b.low[axis]);
            box.high[axis] = std::max(box.high[axis], b.high[axis]);
        }
    const Vec3d origin = groom.strands->frame.position;
    return {origin + Vec3d{box.low[0], box.low[1], box.low[2]}, origin + Vec3d{box.high[0], box.high[1], box.high[2]}};
}

void DensityGrid::lay_out(const GridBox& box, double cell, std::span<GriddedGroom> grooms)
{
    const Vec3d count = node_counts(box, cell), first = cell_at(box.low, cell) - Vec3d{2, 2, 2};
    size_ = {static_cast<int32_t>(count.x), static_cast<int32_t>(count.y), static_cast<int32_t>(count.z)};
    ranges_.clear();
    size_t particles = 0;
    for (size_t g = 0; g < grooms.size(); ++g) {
        const Vec3d origin = grooms[g].strands->frame.position;
        grooms[g].origin = to_float(origin * (1 / cell) - first);
        grooms[g].per_metre = static_cast<float>(1 / cell);
        particles += grooms[g].strands->particle_count();
        cut_into_ranges(g, *grooms[g].strands);
    }
    parts_ = part_count(particles, size_.nodes(), ranges_.size());
    const size_t floats = size_.nodes() * kNodeFloats;
    grow(nodes_, floats * parts_);
    grow(field_, floats);
    grow(densities_, size_.nodes() + kNodePadding);
}

void DensityGrid::add(std::span<const GriddedGroom> grooms, Executor& executor)
{
    parallel_for(executor, parts_, 1, [&](size_t begin, size_t end) {
        for (size_t part = begin; part < end; ++part) {
            float* nodes = nodes_.data() + part * size_.nodes() * kNodeFloats;
            for (size_t r = ranges_.size() * part / parts_; r < ranges_.size() * (part + 1) / parts_; ++r)
                add_particles(grooms[ranges_[r].groom], ranges_[r], size_, nodes);
        }
    });
}

void DensityGrid::normalise(Executor& executor)
{
    const size_t rows_at_once = std::max<size_t>(1, kNodesPerTask / size_.row());
    const NodeParts parts{nodes_.data(), parts_, size_.nodes() * kNodeFloats};
    parallel_for(executor, size_.rows(), rows_at_once, [&](size_t begin, size_t end) {
        add_parts(size_, parts, field_.data(), densities_.data(), begin, end);
    });
    parallel_for(executor, size_.rows(), rows_at_once, [&](size_t begin, size_t end) {
        smooth_densities(size_, densities_.data(), field_.data(), begin, end);
    });
}

void DensityGrid::act(std::span<const GriddedGroom> grooms, Executor& executor)
{
    parallel_for(executor, ranges_.size(), 1, [&](size_t begin, size_t end) {
        for (size_t r = begin; r < end; ++r)
            act_on_particles(grooms[ranges_[r].groom], ranges_[r], size_, field_.data());
    });
}

void DensityGrid::keep(std::span<const GriddedGroom> grooms, Executor& executor)
{
    parallel_for(executor, ranges_.size(), 1, [&](size_t begin, size_t end) {
        for (size_t r = begin; r < end; ++r) keep_densities(grooms[ranges_[r].groom], ranges_[r], size_, field_.data());
    });
}

}  // namespace tendril
