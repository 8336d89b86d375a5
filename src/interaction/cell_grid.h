/// Points sorted into cubic cells, so that all neighbours of a point are in nine runs of the sorted order.
///
/// A cell (x, y, z) has the number x + A y + B z modulo a power of two. If the bounding box of the points is small
/// enough, A and B follow from its dimensions and every cell has a unique number. Otherwise A and B fold space: cells
/// that are far apart share a number, so callers must compare distances. The nine rows of three cells around a cell
/// never overlap, so no point is found twice.
#pragma once

#include "tendril/parallel.h"
#include "tendril/vec3.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

class CellGrid {
public:
    /// Sorts points into cells of side `side` [m]. Positions may be any finite values; memory depends only on the
    /// number of points. Points are sorted by cell and keep their order within a cell, for any number of threads.
    void build(std::span<const Vec3f> positions, double side, Executor& executor);

    /// Indices of the points in sorted order.
    std::span<const uint32_t> order() const { return order_; }
    uint32_t cell_of(const Vec3f& p) const;
    size_t cell_count() const { return static_cast<size_t>(mask_) + 1; }
    /// Start of each cell in the sorted order, which is also the end of the cell before.
    std::span<const uint32_t> cell_begin() const { return {cell_begin_.data(), cell_count() + 1}; }
    /// Offsets from the number of a cell, modulo cell_count(), to the first cell of each row of three around it.
    std::array<uint32_t, 9> row_offsets() const;
    size_t bytes() const;

private:
    struct Box {
        Vec3f low, high;
    };
    struct Entry {
        uint32_t cell, point;
    };

    void grow(size_t count);
    Box bounds(std::span<const Vec3f> positions, Executor& executor);
    void lay_out(const Box& box, size_t count, double side);
    bool fits(const Box& box, size_t count, double side);
    void count_parts(std::span<const Vec3f> positions, Executor& executor);
    void scatter_to_parts(Executor& executor);
    void sort_parts(Executor& executor);

    Vec3d low_{0, 0, 0};
    double per_side_ = 1;
    uint32_t mask_ = 0, step_y_ = 3, step_z_ = 9;
    int part_shift_ = 0;
    size_t part_count_ = 0;

    std::vector<Box> boxes_;             // per chunk
    std::vector<uint32_t> cells_;        // per point
    std::vector<uint32_t> part_offset_;  // per chunk and part: first the count, then the write position
    std::vector<uint32_t> part_begin_;
    std::vector<Entry> entries_;  // by part
    std::vector<uint32_t> order_, cell_begin_;
};

}  // namespace tendril
