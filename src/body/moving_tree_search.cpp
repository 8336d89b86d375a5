// The searches of a MovingTree, which test 16 boxes or triangles at a time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "body/moving_tree_search.cpp"
#include <hwy/foreach_target.h>

#include "body/moving_tree.h"

#include "body/triangle-inl.h"
#include "math/simd-inl.h"

#include <bit>
#include <utility>

#ifndef TENDRIL_BODY_MOVING_TREE_SEARCH_ONCE
#define TENDRIL_BODY_MOVING_TREE_SEARCH_ONCE
namespace tendril {

/// Nodes still to be visited, with the nearest child of the last node on top. Sorting all of them would cost more than
/// it saves: the first leaf sets a limit that excludes most others.
class TreeStack {
public:
    struct Entry {
        float distance2;
        uint32_t child;
    };

    explicit TreeStack(uint32_t root) { entries_[top_++] = {0, root}; }
    bool empty() const { return top_ == 0; }
    Entry pop() { return entries_[--top_]; }
    void begin_node() { first_ = nearest_ = top_; }
    void push(const Entry& entry)
    {
        if (top_ == first_ || entry.distance2 < entries_[nearest_].distance2) nearest_ = top_;
        entries_[top_++] = entry;
    }
    void end_node()
    {
        if (top_ > first_) std::swap(entries_[nearest_], entries_[top_ - 1]);
    }

private:
    // Every level leaves at most 15 nodes behind; 2^32 triangles need eight levels.
    static constexpr int kDeepest = 128;
    Entry entries_[kDeepest];
    int top_ = 0, first_ = 0, nearest_ = 0;
};

/// Distances to boxes and to triangles round differently; this factor keeps a box that is as near except for rounding.
inline constexpr float kBoxSlack = 1 - 1e-5f;

}  // namespace tendril
#endif

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

using F = Lanes<1>;
static_assert(kTreeLanes == kBlockLanes);

HWY_INLINE F row(const float (&values)[kTreeLanes])
{
    return LaneTraits<F>::load(values, 0);
}

HWY_INLINE F box_distance2(const BoxGroup& node, const Vec3<F>& p)
{
    const F zero = splat<F>(0.0f);
    const F x = max(max(row(node.low[0]) - p.x, p.x - row(node.high[0])), zero);
    const F y = max(max(row(node.low[1]) - p.y, p.y - row(node.high[1])), zero);
    const F z = max(max(row(node.low[2]) - p.z, p.z - row(node.high[2])), zero);
    return x * x + y * y + z * z;
}

HWY_INLINE F triangle_distance2(const TriangleGroup& leaf, const Vec3<F>& p)
{
    FlatTriangle<F> t;
    const auto rows = [&](size_t first) {
        return Vec3<F>{row(leaf.rows[first]), row(leaf.rows[first + 1]), row(leaf.rows[first + 2])};
    };
    t.a = rows(0);
    t.axis_x = rows(3);
    t.axis_y = rows(6);
    t.normal = rows(9);
    t.bx = row(leaf.rows[12]);
    t.cx = row(leaf.rows[13]);
    t.cy = row(leaf.rows[14]);
    t.per_bx = t.per_cy = splat<F>(0.0f);  // needed only for barycentrics
    t.per_bc2 = row(leaf.rows[17]);
    t.per_ca2 = row(leaf.rows[18]);
    return nearest_on(t, p).distance2;
}

/// Calls `act(lane, value)` for each lane whose value is at most `limit`.
template <class Act>
HWY_INLINE void for_lanes_within(const F& values, float limit, const Act& act)
{
    alignas(64) float stored[kTreeLanes];
    LaneTraits<F>::store(values, stored, 0);
    uint32_t bits = 0;
    for (int i = 0; i < F::kRegisters; ++i) {
        uint8_t bytes[8] = {};
        hn::StoreMaskBits(LaneTag(), hn::Le(values.v[i], hn::Set(LaneTag(), limit)), bytes);
        bits |= (bytes[0] | static_cast<uint32_t>(bytes[1]) << 8) << (i * kRegisterLanes);
    }
    for (; bits != 0; bits &= bits - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(bits));
        act(lane, stored[lane]);
    }
}

/// Visits all leaves that may contain a triangle within `limit`, which `at_leaf` may lower.
template <class AtLeaf>
HWY_INLINE void descend(const TreeView& tree, uint32_t root, const Vec3<F>& p, const float& limit,
                        const AtLeaf& at_leaf)
{
    TreeStack stack(root);
    while (!stack.empty()) {
        const TreeStack::Entry entry = stack.pop();
        if (entry.distance2 > limit) continue;
        if (entry.child & BoxGroup::kLeafBit) {
            at_leaf(entry.child & ~BoxGroup::kLeafBit);
            continue;
        }
        const BoxGroup& node = tree.nodes[entry.child];
        stack.begin_node();
        for_lanes_within(box_distance2(node, p) * splat<F>(kBoxSlack), limit, [&](uint32_t lane, float d2) {
            stack.push({d2, node.children[lane]});
        });
        stack.end_node();
    }
}

void search_nearest(const TreeView& tree, uint32_t root, const Vec3f& p, NearestTriangle& found)
{
    const Vec3<F> q = splat<F>(p);
    descend(tree, root, q, found.distance2, [&](uint32_t leaf) {
        const TriangleGroup& group = tree.leaves[leaf];
        for_lanes_within(triangle_distance2(group, q), found.distance2, [&](uint32_t lane, float d2) {
            const uint32_t triangle = group.triangles[lane];
            if (d2 < found.distance2 || (d2 == found.distance2 && triangle < found.triangle))
                found = {d2, triangle, leaf, lane};
        });
    });
}

void search_exact(const TreeView& tree, uint32_t root, const Vec3d& p, float distance2, NearestExact& found)
{
    const Vec3<F> q = splat<F>(to_float(p));
    descend(tree, root, q, distance2, [&](uint32_t leaf) {
        const TriangleGroup& group = tree.leaves[leaf];
        for_lanes_within(triangle_distance2(group, q), distance2, [&](uint32_t lane, float) {
            const uint32_t triangle = group.triangles[lane];
            const auto& corners = tree.triangles[triangle];
            const auto at = ::tendril::nearest_on(
                flat_triangle(to_double(tree.vertices[corners[0]]), to_double(tree.vertices[corners[1]]),
                              to_double(tree.vertices[corners[2]])),
                p);
            if (at.distance2 < found.distance2 || (at.distance2 == found.distance2 && triangle < found.triangle))
                found = {at.distance2, triangle, at};
        });
    });
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tendril {

HWY_EXPORT(search_nearest);
HWY_EXPORT(search_exact);

void find_nearest(const TreeView& tree, uint32_t root, const Vec3f& p, NearestTriangle& found)
{
    HWY_DYNAMIC_DISPATCH(search_nearest)(tree, root, p, found);
}

void find_exact(const TreeView& tree, uint32_t root, const Vec3d& p, float distance2, NearestExact& found)
{
    HWY_DYNAMIC_DISPATCH(search_exact)(tree, root, p, distance2, found);
}

}  // namespace tendril
#endif
