// Fast marching, the method of [Mueller12] 3.7 for distance and velocity fields.
// [Sethian95] J. A. Sethian: A fast marching level set method for monotonically advancing fronts. PNAS 93(4), 1996.

#include "body/field/field_parts.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

constexpr uint32_t kKnown = UINT32_MAX, kUntouched = UINT32_MAX - 1;

/// The smallest distance d >= the known ones that has slope one against the nearest known node along each axis:
/// sum over axes of max(0, d - v)^2 = cell^2. Axes join in ascending order of v.
float solve_eikonal(std::array<float, 3> v, float cell)
{
    if (v[1] < v[0]) std::swap(v[0], v[1]);
    if (v[2] < v[1]) std::swap(v[1], v[2]);
    if (v[1] < v[0]) std::swap(v[0], v[1]);
    float d = v[0] + cell;
    if (!(d > v[1])) return d;
    const float difference = v[0] - v[1];
    d = 0.5f * (v[0] + v[1] + std::sqrt(std::max(0.0f, 2 * cell * cell - difference * difference)));
    if (!(d > v[2])) return d;
    const float sum = v[0] + v[1] + v[2], squares = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return (sum + std::sqrt(std::max(0.0f, sum * sum - 3 * (squares - cell * cell)))) / 3;
}

constexpr uint8_t kBorder = 2;

/// Node indices of a grid with a border around it.
struct BorderedGrid {
    explicit BorderedGrid(const FieldGrid& grid)
        : nx(static_cast<size_t>(grid.nodes[0]) + 2),
          plane(nx * (static_cast<size_t>(grid.nodes[1]) + 2)),
          count(plane * (static_cast<size_t>(grid.nodes[2]) + 2))
    {
    }
    size_t row(int j, int k) const
    {
        return (static_cast<size_t>(k) + 1) * plane + (static_cast<size_t>(j) + 1) * nx + 1;
    }

    size_t nx, plane, count;
};

/// One side of the surface. It never reads the other side, so that both can run in parallel.
class Front {
public:
    Front(const BorderedGrid& bordered, float cell, bool has_motion, uint8_t side, MarchScratch& scratch)
        : steps_{1, bordered.nx, bordered.plane},
          cell_(cell),
          has_motion_(has_motion),
          side_(side),
          side_of_(scratch.side.data()),
          heap_index_(scratch.heap_index.data()),
          known_(scratch.known[side].data()),
          distance_(scratch.distance.data()),
          motion_(scratch.motion.data()),
          heap_(scratch.heaps[side])
    {
        heap_.clear();
        for (size_t n = 0; n < bordered.count; ++n)
            if (is_known(n)) update_neighbours(n);
    }

    void run()
    {
        while (!heap_.empty()) {
            const uint32_t node = pop();
            if (has_motion_) average_motion(node);
            heap_index_[node] = kKnown;
            known_[node] = distance_[node];
            update_neighbours(node);
        }
    }

private:
    bool is_known(size_t node) const { return known_[node] < NodeBlocks::kNone2; }

    void update_neighbours(size_t node)
    {
        for (size_t step : steps_) {
            update(node - step);
            update(node + step);
        }
    }

    void update(size_t node)
    {
        if (side_of_[node] != side_ || heap_index_[node] == kKnown) return;
        std::array<float, 3> v;
        for (int axis = 0; axis < 3; ++axis) {
            const size_t before = node - steps_[axis], after = node + steps_[axis];
            v[axis] = std::min(known_[before], known_[after]);
        }
        const float d = solve_eikonal(v, cell_);
        if (heap_index_[node] == kUntouched)
            heap_.emplace_back();
        else if (!(d < distance_[node]))
            return;
        const size_t from = heap_index_[node] == kUntouched ? heap_.size() - 1 : heap_index_[node];
        distance_[node] = d;
        sift_up(from, {d, static_cast<uint32_t>(node)});
    }

    /// Motion propagates like distance: a node takes the mean of its known neighbours.
    void average_motion(size_t node)
    {
        Vec3f sum{0, 0, 0};
        float count = 0;
        for (size_t step : steps_)
            for (size_t m : {node - step, node + step}) {
                if (!is_known(m)) continue;
                sum += Vec3f{motion_[4 * m], motion_[4 * m + 1], motion_[4 * m + 2]};
                count += 1;
            }
        sum = sum * (1 / std::max(count, 1.0f));
        motion_[4 * node] = sum.x;
        motion_[4 * node + 1] = sum.y;
        motion_[4 * node + 2] = sum.z;
    }

    // A 4-ary heap of the nodes whose distance is not final, nearest first; among equal distances the lower index
    // first.
    using HeapEntry = MarchScratch::HeapEntry;
    static bool before(const HeapEntry& a, const HeapEntry& b)
    {
        return a.distance != b.distance ? a.distance < b.distance : a.node < b.node;
    }
    void put(size_t at, const HeapEntry& w)
    {
        heap_[at] = w;
        heap_index_[w.node] = static_cast<uint32_t>(at);
    }
    void sift_up(size_t at, const HeapEntry& w)
    {
        for (; at > 0 && before(w, heap_[(at - 1) / 4]); at = (at - 1) / 4) put(at, heap_[(at - 1) / 4]);
        put(at, w);
    }
    uint32_t pop()
    {
        const uint32_t first = heap_.front().node;
        const HeapEntry last = heap_.back();
        heap_.pop_back();
        if (heap_.empty()) return first;
        size_t at = 0;
        for (size_t child; (child = 4 * at + 1) < heap_.size(); at = child) {
            const size_t end = std::min(child + 4, heap_.size());
            for (size_t other = child + 1; other < end; ++other)
                if (before(heap_[other], heap_[child])) child = other;
            if (!before(heap_[child], last)) break;
            put(at, heap_[child]);
        }
        put(at, last);
        return first;
    }

    std::array<size_t, 3> steps_;
    float cell_;
    bool has_motion_;
    uint8_t side_;
    const uint8_t* side_of_;
    uint32_t* heap_index_;
    float *known_, *distance_, *motion_;
    std::vector<HeapEntry>& heap_;
};

/// Calls `call(in_grid, in_bordered, in_nearest)` for the first node of every row.
template <class Call>
void for_rows(const FieldGrid& grid, const BorderedGrid& bordered, const NearestPoints& nearest, Executor& executor,
              const Call& call)
{
    parallel_for(executor, static_cast<size_t>(grid.nodes[2]), 4, [&](size_t begin, size_t end) {
        for (int k = static_cast<int>(begin); k < static_cast<int>(end); ++k)
            for (int j = 0; j < grid.nodes[1]; ++j) call(grid.row(j, k), bordered.row(j, k), nearest.row(grid, j, k));
    });
}

}  // namespace

void march(const FieldGrid& grid, const NearestPoints& nearest, const FieldOutput& out, MarchScratch& scratch,
           Executor& executor)
{
    const BorderedGrid bordered(grid);
    const bool has_motion = !out.motion.empty();
    scratch.side.assign(bordered.count, kBorder);
    scratch.heap_index.resize(bordered.count);
    scratch.distance.resize(bordered.count);
    for (std::vector<float>& known : scratch.known) known.assign(bordered.count, NodeBlocks::kNone2);
    scratch.motion.resize(has_motion ? 4 * bordered.count : 0);
    for_rows(grid, bordered, nearest, executor, [&](size_t node, size_t inner, size_t from) {
        for (int i = 0; i < grid.nodes[0]; ++i, ++node, ++inner, ++from) {
            const bool known = nearest.triangle[from] >= 0;
            scratch.side[inner] = nearest.side[from] > 0;
            scratch.heap_index[inner] = known ? kKnown : kUntouched;
            // A node that no front reaches keeps the distance of one cell.
            scratch.distance[inner] = known ? std::abs(out.values[node]) : grid.cell;
            if (known) scratch.known[scratch.side[inner]][inner] = scratch.distance[inner];
            for (size_t c = 0; c < 4 && has_motion; ++c)
                scratch.motion[4 * inner + c] = known ? out.motion[4 * node + c] : 0.0f;
        }
    });
    parallel_for(executor, 2, 1, [&](size_t begin, size_t end) {
        for (size_t side = begin; side < end; ++side)
            Front(bordered, grid.cell, has_motion, static_cast<uint8_t>(side), scratch).run();
    });
    for_rows(grid, bordered, nearest, executor, [&](size_t node, size_t inner, size_t) {
        const auto count = static_cast<size_t>(grid.nodes[0]);
        for (size_t i = 0; i < count; ++i)
            out.values[node + i] =
                scratch.side[inner + i] == 0 ? -scratch.distance[inner + i] : scratch.distance[inner + i];
        if (has_motion) std::copy_n(scratch.motion.begin() + 4 * inner, 4 * count, out.motion.begin() + 4 * node);
    });
}

}  // namespace tendril
