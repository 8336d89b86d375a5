// Fast marching, the way [Mueller12] 3.7 makes distance and velocity fields.
// [Sethian95] J. A. Sethian: A fast marching level set method for monotonically advancing fronts. PNAS 93(4), 1996.

#include "body/field_parts.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

constexpr uint32_t kKnown = UINT32_MAX, kUntouched = UINT32_MAX - 1;

/// The least distance d >= the known ones that has slope one against the nearest known node along each axis:
/// sum over axes of max(0, d - v)^2 = cell^2, axes joining in order of their v.
float solve_eikonal(std::array<float, 3> v, float cell)
{
    if (v[1] < v[0]) std::swap(v[0], v[1]);
    if (v[2] < v[1]) std::swap(v[1], v[2]);
    if (v[1] < v[0]) std::swap(v[0], v[1]);
    float d = v[0] + cell;
    if (!(d > v[1])) return d;
    const float apart = v[0] - v[1];
    d = 0.5f * (v[0] + v[1] + std::sqrt(std::max(0.0f, 2 * cell * cell - apart * apart)));
    if (!(d > v[2])) return d;
    const float sum = v[0] + v[1] + v[2], squares = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return (sum + std::sqrt(std::max(0.0f, sum * sum - 3 * (squares - cell * cell)))) / 3;
}

/// One side of the surface: the other side is never looked at, so that both can run at once.
class Front {
public:
    Front(const FieldGrid& grid, const FieldOutput& out, std::vector<uint32_t>& heap, std::vector<uint32_t>& place,
          std::span<const uint8_t> outside, uint8_t side)
        : grid_(grid),
          values_(out.values),
          motion_(out.motion),
          heap_(heap),
          place_(place),
          outside_(outside),
          side_(side)
    {
        heap_.clear();
    }

    void run()
    {
        for (size_t n = 0; n < values_.size(); ++n)
            if (place_[n] == kKnown && outside_[n] == side_) for_neighbours(n, [&](size_t m, int) { touch(m); });
        while (!heap_.empty()) {
            const uint32_t node = pop();
            if (!motion_.empty()) average_motion(node);
            place_[node] = kKnown;
            for_neighbours(node, [&](size_t m, int) { touch(m); });
        }
    }

private:
    /// Of the same side; with the axis.
    template <class Call>
    void for_neighbours(size_t node, const Call& call) const
    {
        const auto nx = static_cast<size_t>(grid_.nodes[0]), plane = nx * grid_.nodes[1];
        const size_t i = node % nx, j = node / nx % grid_.nodes[1], k = node / plane;
        const auto visit = [&](size_t m, int axis) {
            if (outside_[m] == side_) call(m, axis);
        };
        if (i > 0) visit(node - 1, 0);
        if (i + 1 < nx) visit(node + 1, 0);
        if (j > 0) visit(node - nx, 1);
        if (j + 1 < static_cast<size_t>(grid_.nodes[1])) visit(node + nx, 1);
        if (k > 0) visit(node - plane, 2);
        if (k + 1 < static_cast<size_t>(grid_.nodes[2])) visit(node + plane, 2);
    }

    void touch(size_t node)
    {
        if (place_[node] == kKnown) return;
        std::array<float, 3> v{NodeBlocks::kNone2, NodeBlocks::kNone2, NodeBlocks::kNone2};
        for_neighbours(node, [&](size_t m, int axis) {
            if (place_[m] == kKnown) v[axis] = std::min(v[axis], values_[m]);
        });
        const float d = solve_eikonal(v, grid_.cell);
        const auto name = static_cast<uint32_t>(node);
        if (place_[node] == kUntouched) {
            values_[node] = d;
            heap_.push_back(name);
            rise(heap_.size() - 1, name);
        } else if (d < values_[node]) {
            values_[node] = d;
            rise(place_[node], name);
        }
    }

    /// The velocity spreads as the distance does: the mean of what is known next to a node.
    void average_motion(size_t node) const
    {
        Vec3f sum{0, 0, 0};
        float count = 0;
        for_neighbours(node, [&](size_t m, int) {
            if (place_[m] != kKnown) return;
            sum += Vec3f{motion_[4 * m], motion_[4 * m + 1], motion_[4 * m + 2]};
            count += 1;
        });
        const Vec3f mean = sum * (1 / std::max(count, 1.0f));
        motion_[4 * node] = mean.x;
        motion_[4 * node + 1] = mean.y;
        motion_[4 * node + 2] = mean.z;
        motion_[4 * node + 3] = 0;
    }

    // A heap of the nodes whose distance is not final, the nearest first; of equal ones the one with the lower number.
    bool before(uint32_t a, uint32_t b) const { return values_[a] != values_[b] ? values_[a] < values_[b] : a < b; }
    void put(size_t at, uint32_t node)
    {
        heap_[at] = node;
        place_[node] = static_cast<uint32_t>(at);
    }
    void rise(size_t at, uint32_t node)
    {
        for (; at > 0 && before(node, heap_[(at - 1) / 2]); at = (at - 1) / 2) put(at, heap_[(at - 1) / 2]);
        put(at, node);
    }
    uint32_t pop()
    {
        const uint32_t first = heap_.front(), last = heap_.back();
        heap_.pop_back();
        if (heap_.empty()) return first;
        size_t at = 0;
        for (size_t child; (child = 2 * at + 1) < heap_.size(); at = child) {
            if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
            if (!before(heap_[child], last)) break;
            put(at, heap_[child]);
        }
        put(at, last);
        return first;
    }

    const FieldGrid& grid_;
    std::span<float> values_, motion_;
    std::vector<uint32_t>&heap_, &place_;
    std::span<const uint8_t> outside_;
    uint8_t side_;
};

}  // namespace

void march(const FieldGrid& grid, const NearestPoints& nearest, const FieldOutput& out, MarchScratch& scratch,
           Executor& executor)
{
    scratch.place.resize(grid.count());
    scratch.outside.resize(grid.count());
    parallel_for(executor, static_cast<size_t>(grid.nodes[2]), 4, [&](size_t begin, size_t end) {
        for (int k = static_cast<int>(begin); k < static_cast<int>(end); ++k)
            for (int j = 0; j < grid.nodes[1]; ++j)
                for (int i = 0; i < grid.nodes[0]; ++i) {
                    const size_t node = grid.row(j, k) + i, from = nearest.row(grid, j, k) + i;
                    const bool known = nearest.triangle[from] >= 0;
                    scratch.place[node] = known ? kKnown : kUntouched;
                    scratch.outside[node] = nearest.side[from] > 0;
                    // Where no front ever comes, a node is as far from the surface as a neighbour could be.
                    out.values[node] = known ? std::abs(out.values[node]) : grid.cell;
                }
    });
    parallel_for(executor, 2, 1, [&](size_t begin, size_t end) {
        for (size_t side = begin; side < end; ++side)
            Front(grid, out, scratch.heaps[side], scratch.place, scratch.outside, static_cast<uint8_t>(side)).run();
    });
    parallel_for(executor, grid.count(), 65536, [&](size_t begin, size_t end) {
        for (size_t n = begin; n < end; ++n)
            if (!scratch.outside[n]) out.values[n] = -out.values[n];
    });
}

}  // namespace tendril
