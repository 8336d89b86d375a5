#include "interaction/cell_grid.h"

#include "math/chunks.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tendril {
namespace {

// Chunks and parts depend only on the points, never on the number of threads, and therefore so does the order.
constexpr size_t kPointsAtOnce = 4096;
constexpr int kPartBits = 10;
// Maximum number of cells per point without folding, and minimum number with it.
constexpr size_t kPlainCells = 4, kFoldedCells = 2;
constexpr size_t kMinCells = 4096;
// Points farther out than this many cells share the last one: floats are coarser than cells there.
constexpr double kFarthestCell = 1 << 30;

size_t chunks_of(size_t count)
{
    return (count + kPointsAtOnce - 1) / kPointsAtOnce;
}

/// The smallest power of two that gives every cell a number and keeps the 3 x 3 rows around a cell apart.
uint64_t numbers_needed(double cells, double step_y, double step_z)
{
    const double least = std::max(cells, 4 * (step_y + step_z) + 8);
    return least < 0x1p40 ? std::bit_ceil(static_cast<uint64_t>(least)) : uint64_t{1} << 40;
}

size_t most_cells(size_t count)
{
    return std::max(kMinCells, std::bit_ceil(kPlainCells * count));
}

int32_t floor_cell(double along)
{
    const double t = std::clamp(along, -kFarthestCell, kFarthestCell);
    const auto whole = static_cast<int32_t>(t);
    return whole - (t < whole ? 1 : 0);
}

}  // namespace

void CellGrid::build(std::span<const Vec3f> positions, double side, Executor& executor)
{
    const size_t count = positions.size();
    grow(count);
    lay_out(bounds(positions, executor), count, side);
    count_parts(positions, executor);
    scatter_to_parts(executor);
    sort_parts(executor);
}

/// Reserves the most memory that this number of points can need, so that later calls never allocate.
void CellGrid::grow(size_t count)
{
    order_.resize(count);
    cells_.resize(count);
    entries_.resize(count);
    boxes_.resize(chunks_of(count));
    part_offset_.resize(std::max(part_offset_.size(), chunks_of(count) << kPartBits));
    part_begin_.resize((size_t{1} << kPartBits) + 1);
    cell_begin_.resize(std::max(cell_begin_.size(), most_cells(count) + 1));
}

CellGrid::Box CellGrid::bounds(std::span<const Vec3f> positions, Executor& executor)
{
    for_chunks(positions.size(), kPointsAtOnce, executor, [&](size_t chunk, size_t begin, size_t end) {
        Box box{positions[begin], positions[begin]};
        for (size_t i = begin; i < end; ++i) {
            const Vec3f& p = positions[i];
            box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
            box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
        }
        boxes_[chunk] = box;
    });
    Box all = boxes_.empty() ? Box{{0, 0, 0}, {0, 0, 0}} : boxes_[0];
    for (const Box& box : boxes_) {
        all.low = {std::min(all.low.x, box.low.x), std::min(all.low.y, box.low.y), std::min(all.low.z, box.low.z)};
        all.high = {std::max(all.high.x, box.high.x), std::max(all.high.y, box.high.y),
                    std::max(all.high.z, box.high.z)};
    }
    return all;
}

/// Lays out a grid over the box without folding. Returns false if that would take too many cells.
bool CellGrid::fits(const Box& box, size_t count, double side)
{
    const Vec3d size = (to_double(box.high) - to_double(box.low)) * (1 / side);
    // With rows of at least three cells and planes of at least three rows, the rows around a cell do not overlap.
    const double x = std::max(3.0, std::floor(size.x) + 1), y = std::max(3.0, std::floor(size.y) + 1);
    const double z = std::floor(size.z) + 1;
    const uint64_t numbers = numbers_needed(x * y * z, x, x * y);
    if (numbers > most_cells(count)) return false;
    low_ = to_double(box.low);
    mask_ = static_cast<uint32_t>(numbers - 1);
    step_y_ = static_cast<uint32_t>(x);
    step_z_ = static_cast<uint32_t>(x * y);
    return true;
}

void CellGrid::lay_out(const Box& box, size_t count, double side)
{
    per_side_ = 1 / side;
    if (!fits(box, count, side)) {
        // Fold space into roughly a cube, which makes collisions within a compact set rarest. Cells are counted from
        // the origin, so that one stray point cannot push all others beyond the last cell.
        const size_t numbers = std::max(kMinCells, std::bit_ceil(kFoldedCells * count));
        low_ = {0, 0, 0};
        mask_ = static_cast<uint32_t>(numbers - 1);
        step_y_ = (1u << (std::countr_zero(numbers) / 3)) + 1;
        step_z_ = step_y_ * step_y_;
    }
    part_shift_ = std::max(0, std::countr_zero(cell_count()) - kPartBits);
    part_count_ = cell_count() >> part_shift_;
}

uint32_t CellGrid::cell_of(const Vec3f& p) const
{
    // In double precision, so that rounding never puts two points closer than a side two cells apart.
    const Vec3d along = (to_double(p) - low_) * per_side_;
    return (static_cast<uint32_t>(floor_cell(along.x)) + step_y_ * static_cast<uint32_t>(floor_cell(along.y)) +
            step_z_ * static_cast<uint32_t>(floor_cell(along.z))) &
           mask_;
}

void CellGrid::count_parts(std::span<const Vec3f> positions, Executor& executor)
{
    for_chunks(positions.size(), kPointsAtOnce, executor, [&](size_t chunk, size_t begin, size_t end) {
        uint32_t* counts = part_offset_.data() + chunk * part_count_;
        std::fill_n(counts, part_count_, 0u);
        for (size_t i = begin; i < end; ++i) {
            cells_[i] = cell_of(positions[i]);
            ++counts[cells_[i] >> part_shift_];
        }
    });
}

/// Each chunk writes its points of a part after those of the preceding chunks.
void CellGrid::scatter_to_parts(Executor& executor)
{
    const size_t chunks = chunks_of(cells_.size());
    uint32_t offset = 0;
    for (size_t part = 0; part < part_count_; ++part) {
        part_begin_[part] = offset;
        for (size_t chunk = 0; chunk < chunks; ++chunk) {
            uint32_t& slot = part_offset_[chunk * part_count_ + part];
            const uint32_t count = slot;
            slot = offset;
            offset += count;
        }
    }
    part_begin_[part_count_] = offset;
    for_chunks(cells_.size(), kPointsAtOnce, executor, [&](size_t chunk, size_t begin, size_t end) {
        uint32_t* offsets = part_offset_.data() + chunk * part_count_;
        for (size_t i = begin; i < end; ++i)
            entries_[offsets[cells_[i] >> part_shift_]++] = {cells_[i], static_cast<uint32_t>(i)};
    });
}

/// Counting sort within each part. While it runs, entry c + 1 of `cell_begin_` holds the write position of cell c; at
/// the end that is the start of cell c + 1.
void CellGrid::sort_parts(Executor& executor)
{
    cell_begin_[0] = 0;
    const size_t cells = size_t{1} << part_shift_;
    parallel_for(executor, part_count_, 8, [&](size_t first, size_t last) {
        for (size_t part = first; part < last; ++part) {
            uint32_t* next = cell_begin_.data() + 1;
            const size_t begin = part * cells;
            std::fill_n(next + begin, cells, 0u);
            for (uint32_t e = part_begin_[part]; e < part_begin_[part + 1]; ++e) ++next[entries_[e].cell];
            uint32_t offset = part_begin_[part];
            for (size_t c = begin; c < begin + cells; ++c) {
                const uint32_t count = next[c];
                next[c] = offset;
                offset += count;
            }
            for (uint32_t e = part_begin_[part]; e < part_begin_[part + 1]; ++e)
                order_[next[entries_[e].cell]++] = entries_[e].point;
        }
    });
}

std::array<uint32_t, 9> CellGrid::row_offsets() const
{
    std::array<uint32_t, 9> offsets{};
    for (uint32_t row = 0; row < 9; ++row)
        offsets[row] = (step_y_ * (row % 3) + step_z_ * (row / 3) - step_y_ - step_z_ - 1) & mask_;
    return offsets;
}

size_t CellGrid::bytes() const
{
    return boxes_.capacity() * sizeof(Box) + entries_.capacity() * sizeof(Entry) +
           (cells_.capacity() + part_offset_.capacity() + part_begin_.capacity() + order_.capacity() +
            cell_begin_.capacity()) *
               sizeof(uint32_t);
}

}  // namespace tendril
