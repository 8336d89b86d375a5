#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interaction/box_grid.cpp"
#include <hwy/foreach_target.h>

#include "interaction/box_grid.h"
#include "interaction/compress-inl.h"

#include "math/chunks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#ifndef TENDRIL_INTERACTION_BOX_GRID_ONCE_
#define TENDRIL_INTERACTION_BOX_GRID_ONCE_
namespace tendril {

/// Boxes as a structure of arrays, and the runs of them to search.
struct BoxRuns {
    std::array<const float*, 6> sides;
    const uint32_t* numbers;
    struct Run {
        uint32_t begin, end;
    };
    std::array<Run, 18> runs;
    size_t count;
};
/// Maximum number of boxes that one comparison covers.
inline constexpr size_t kBoxesAtOnce = 16;

}  // namespace tendril
#endif

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

/// Writes the indices of the boxes that overlap `box` and returns their number. The last comparison of a run may extend
/// beyond its end, so some boxes may be found twice.
size_t FindInRuns(const BoxRuns& all, const SegmentBox& box, int32_t above, uint32_t* found)
{
    static_assert(kRegisterLanes <= static_cast<int>(kBoxesAtOnce));
    const LaneTag d;
    const IntTag di;
    const IndexTag du;
    const auto low_x = hn::Set(d, box.low.x), low_y = hn::Set(d, box.low.y), low_z = hn::Set(d, box.low.z);
    const auto high_x = hn::Set(d, box.high.x), high_y = hn::Set(d, box.high.y), high_z = hn::Set(d, box.high.z);
    const auto least = hn::Set(di, above);
    size_t count = 0;
    for (size_t run = 0; run < all.count; ++run)
        for (size_t k = all.runs[run].begin; k < all.runs[run].end; k += hn::Lanes(d)) {
            const auto in_x =
                hn::And(hn::Le(hn::LoadU(d, all.sides[0] + k), high_x), hn::Ge(hn::LoadU(d, all.sides[3] + k), low_x));
            const auto in_y =
                hn::And(hn::Le(hn::LoadU(d, all.sides[1] + k), high_y), hn::Ge(hn::LoadU(d, all.sides[4] + k), low_y));
            const auto in_z =
                hn::And(hn::Le(hn::LoadU(d, all.sides[2] + k), high_z), hn::Ge(hn::LoadU(d, all.sides[5] + k), low_z));
            const auto numbers = hn::LoadU(du, all.numbers + k);
            const auto later = hn::RebindMask(d, hn::Gt(hn::BitCast(di, numbers), least));
            const auto meets = hn::And(hn::And(in_x, in_y), hn::And(in_z, later));
            if (hn::AllFalse(d, meets)) continue;
            const Chosen chosen(meets);
            chosen.store(numbers, found + count);
            count += chosen.count();
        }
    return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {

HWY_EXPORT(FindInRuns);

/// Minimum side of a cell, as a share of its longest side.
constexpr float kMinSideShare = 0.05f;

float SegmentBox::longest_side() const
{
    const Vec3f e = high - low;
    return std::max({e.x, e.y, e.z});
}

void BoxGrid::build(std::span<const SegmentBox> boxes, std::span<const uint32_t> members, Vec3f& largest,
                    Executor& executor)
{
    constexpr size_t kChunk = 8192;
    const size_t count = members.size();
    numbers_.resize(count > 0 ? count + kBoxesAtOnce : 0);
    if (count == 0) return;
    for (const uint32_t i : members) {
        const Vec3f e = boxes[i].high - boxes[i].low;
        largest = {std::max(largest.x, e.x), std::max(largest.y, e.y), std::max(largest.z, e.z)};
    }
    const float least = std::max(kMinSideShare * std::max({largest.x, largest.y, largest.z}), 1e-20f);
    per_side_ = {1 / std::max(largest.x, least), 1 / std::max(largest.y, least), 1 / std::max(largest.z, least)};
    corners_.resize(count);
    float farthest = 0;
    for (size_t k = 0; k < count; ++k) {
        const Vec3f corner = corners_[k] = in_cells(boxes[members[k]].low);
        farthest = std::max({farthest, std::abs(corner.x), std::abs(corner.y), std::abs(corner.z)});
    }
    // The margin covers the rounding of the distance between two corners.
    grid_.build(corners_, 1 + 1e-5 + 3e-7 * static_cast<double>(farthest), executor);
    for (auto& s : sides_) s.resize(count + kBoxesAtOnce);
    const auto order = grid_.order();
    for_chunks(count, kChunk, executor, [&](size_t, size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
            const SegmentBox& box = boxes[numbers_[k] = members[order[k]]];
            const float values[6] = {box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z};
            for (size_t s = 0; s < 6; ++s) sides_[s][k] = values[s];
        }
    });
    for (size_t s = 0; s < 6; ++s)
        std::fill_n(sides_[s].begin() + static_cast<ptrdiff_t>(count), kBoxesAtOnce,
                    std::numeric_limits<float>::quiet_NaN());
}

Vec3f BoxGrid::in_cells(const Vec3f& p) const
{
    return {p.x * per_side_.x, p.y * per_side_.y, p.z * per_side_.z};
}

std::span<const uint32_t> BoxGrid::meeting(const SegmentBox& box, int32_t above, std::vector<uint32_t>& found) const
{
    const auto begin = grid_.cell_begin();
    const auto cells = static_cast<uint32_t>(grid_.cell_count());
    const uint32_t cell = grid_.cell_of(in_cells(box.low));
    BoxRuns runs;
    runs.count = 0;
    size_t capacity = 0;
    const auto add = [&](uint32_t first, uint32_t last) {
        if (begin[first] == begin[last]) return;
        runs.runs[runs.count++] = {begin[first], begin[last]};
        capacity += begin[last] - begin[first] + kBoxesAtOnce;
    };
    for (const uint32_t offset : grid_.row_offsets()) {
        const uint32_t first = (cell + offset) & (cells - 1);
        add(first, std::min(first + 3, cells));
        if (first + 3 > cells) add(0, first + 3 - cells);
    }
    if (runs.count == 0) return {};
    for (size_t s = 0; s < 6; ++s) runs.sides[s] = sides_[s].data();
    runs.numbers = numbers_.data();
    if (found.size() < capacity) found.resize(capacity);
    const auto count = static_cast<ptrdiff_t>(HWY_DYNAMIC_DISPATCH(FindInRuns)(runs, box, above, found.data()));
    std::sort(found.begin(), found.begin() + count);
    return {found.data(), static_cast<size_t>(std::unique(found.begin(), found.begin() + count) - found.begin())};
}

}  // namespace tendril
#endif
