// [Baerentzen05] as in surface.cpp. [Boercsoek20] 3.5 tests a particle against the half-space of one triangle, which is
// correct only where the nearest point is inside the triangle. At an edge or a corner, the normal of either face may
// point away from a point that is outside; there the pseudonormal decides.

#include "body/moving_tree.h"

#include "math/vectors.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tendril {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr size_t kLeafGrain = 32;  // leaves, some tens of microseconds of work
// A part whose volume is below this multiple of its area to the power of 3/2 counts as flat; a sphere has 0.094.
constexpr double kFlat = 1e-5;

FlatTriangle<float> take_lane(const TriangleGroup& leaf, uint32_t lane)
{
    const auto at = [&](size_t r) { return leaf.rows[r][lane]; };
    return {{at(0), at(1), at(2)},
            {at(3), at(4), at(5)},
            {at(6), at(7), at(8)},
            {at(9), at(10), at(11)},
            at(12),
            at(13),
            at(14),
            at(15),
            at(16),
            at(17),
            at(18)};
}

void put_lane(const FlatTriangle<float>& t, TriangleGroup& leaf, size_t lane)
{
    const float values[TriangleGroup::kRows] = {t.a.x,      t.a.y,      t.a.z,      t.axis_x.x, t.axis_x.y,
                                                t.axis_x.z, t.axis_y.x, t.axis_y.y, t.axis_y.z, t.normal.x,
                                                t.normal.y, t.normal.z, t.bx,       t.cx,       t.cy,
                                                t.per_bx,   t.per_cy,   t.per_bc2,  t.per_ca2};
    for (size_t r = 0; r < TriangleGroup::kRows; ++r) leaf.rows[r][lane] = values[r];
}

float box_distance2(const Vec3f& low, const Vec3f& high, const Vec3f& p)
{
    const Vec3f d{std::max({low.x - p.x, p.x - high.x, 0.0f}), std::max({low.y - p.y, p.y - high.y, 0.0f}),
                  std::max({low.z - p.z, p.z - high.z, 0.0f})};
    return dot(d, d);
}

}  // namespace

// --- building

/// Recursively halves the triangles of a part along the longest side of their box, such that nodes and leaves are full.
class MovingTree::Builder {
public:
    Builder(MovingTree& tree, const Surface& surface, std::span<const Vec3f> vertices)
        : tree_(tree), sources_(surface.triangle_sources())
    {
        for (const auto& t : surface.triangles())
            corners_.push_back({to_double(vertices[t[0]]), to_double(vertices[t[1]]), to_double(vertices[t[2]])});
    }

    void add_part(std::vector<uint32_t> triangles)
    {
        double volume = 0, area = 0;
        const Vec3d middle = corners_[triangles[0]][0];
        for (uint32_t t : triangles) {
            const Vec3d a = corners_[t][0] - middle, b = corners_[t][1] - middle, c = corners_[t][2] - middle;
            volume += dot(cross(a, b), c) / 6;
            area += length(cross(b - a, c - a)) / 2;
        }
        if (!(std::abs(volume) > kFlat * area * std::sqrt(area))) return;
        const auto root = static_cast<uint32_t>(tree_.nodes_.size());
        tree_.parts_.push_back({root, volume < 0 ? -1.0f : 1.0f, {}, {}, {}});
        for (uint32_t t : triangles)
            if (sources_[t] == Surface::kClosing) tree_.parts_.back().closings.push_back(t);
        order_ = std::move(triangles);
        add_node(0, order_.size(), root, 0);
    }

private:
    uint32_t add_node(size_t begin, size_t end, uint32_t parent, uint32_t lane)
    {
        const auto index = static_cast<uint32_t>(tree_.nodes_.size());
        BoxGroup& node = tree_.nodes_.emplace_back();
        for (int k = 0; k < 3; ++k) {
            std::fill_n(node.low[k], kTreeLanes, kInfinity);
            std::fill_n(node.high[k], kTreeLanes, -kInfinity);
        }
        node.parent = parent;
        node.parent_lane = lane;
        size_t size = kTreeLanes;  // triangles per full child
        while (size * kTreeLanes < end - begin) size *= kTreeLanes;
        uint32_t next = 0;
        add_children(index, begin, end, size, next);
        return index;
    }

    void add_children(uint32_t node, size_t begin, size_t end, size_t size, uint32_t& lane)
    {
        if (end - begin > size) {
            const size_t children = (end - begin + size - 1) / size, middle = begin + children / 2 * size;
            split_at(begin, middle, end);
            add_children(node, begin, middle, size, lane);
            add_children(node, middle, end, size, lane);
            return;
        }
        const uint32_t own = lane++;
        const uint32_t child =
            size > kTreeLanes ? add_node(begin, end, node, own) : BoxGroup::kLeafBit | add_leaf(begin, end, node, own);
        tree_.nodes_[node].children[own] = child;
    }

    uint32_t add_leaf(size_t begin, size_t end, uint32_t parent, uint32_t lane)
    {
        std::sort(order_.begin() + begin, order_.begin() + end);
        TriangleGroup& leaf = tree_.leaves_.emplace_back();
        for (size_t i = 0; i < kTreeLanes; ++i) leaf.triangles[i] = order_[std::min(begin + i, end - 1)];
        leaf.parent = parent;
        leaf.parent_lane = lane;
        return static_cast<uint32_t>(tree_.leaves_.size() - 1);
    }

    void split_at(size_t begin, size_t middle, size_t end)
    {
        const auto sum = [&](uint32_t t) { return corners_[t][0] + corners_[t][1] + corners_[t][2]; };
        Vec3d low = sum(order_[begin]), high = low;
        for (size_t i = begin; i < end; ++i)
            low = component_min(low, sum(order_[i])), high = component_max(high, sum(order_[i]));
        const Vec3d size = high - low;
        const auto along = [&](uint32_t t) {
            const Vec3d s = sum(t);
            return size.x >= size.y && size.x >= size.z ? s.x : size.y >= size.z ? s.y : s.z;
        };
        std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                         [&](uint32_t a, uint32_t b) {
                             const double x = along(a), y = along(b);
                             return x != y ? x < y : a < b;
                         });
    }

    MovingTree& tree_;
    std::span<const uint32_t> sources_;
    std::vector<std::array<Vec3d, 3>> corners_;
    std::vector<uint32_t> order_;
};

MovingTree::MovingTree(const Surface& surface, std::span<const Vec3f> rest_vertices)
{
    std::vector<Vec3f> vertices(surface.vertex_count());
    surface.carry(rest_vertices, vertices, *make_serial_executor());
    const std::vector<uint32_t> part = parts_of(surface);
    std::vector<std::vector<uint32_t>> triangles;
    for (uint32_t t = 0; t < part.size(); ++t) {
        if (part[t] == triangles.size()) triangles.emplace_back();
        triangles[part[t]].push_back(t);
    }
    Builder builder(*this, surface, vertices);
    for (auto& part_triangles : triangles) builder.add_part(std::move(part_triangles));
}

// --- fitting to a pose

void MovingTree::fit_leaf(TriangleGroup& leaf)
{
    Vec3f low{kInfinity, kInfinity, kInfinity}, high = low * -1.0f;
    for (size_t lane = 0; lane < kTreeLanes; ++lane) {
        const auto& t = surface_->triangles()[leaf.triangles[lane]];
        const Vec3f corners[3] = {pose_->vertices[t[0]], pose_->vertices[t[1]], pose_->vertices[t[2]]};
        put_lane(flat_triangle(corners[0], corners[1], corners[2]), leaf, lane);
        for (const Vec3f& c : corners) {
            low = {std::min(low.x, c.x), std::min(low.y, c.y), std::min(low.z, c.z)};
            high = {std::max(high.x, c.x), std::max(high.y, c.y), std::max(high.z, c.z)};
        }
    }
    BoxGroup& node = nodes_[leaf.parent];
    const uint32_t lane = leaf.parent_lane;
    node.low[0][lane] = low.x, node.low[1][lane] = low.y, node.low[2][lane] = low.z;
    node.high[0][lane] = high.x, node.high[1][lane] = high.y, node.high[2][lane] = high.z;
}

/// Children come after their parents, so a backward pass finds every child box ready.
void MovingTree::fit_nodes()
{
    low_ = {kInfinity, kInfinity, kInfinity};
    high_ = low_ * -1.0f;
    size_t part = parts_.size();
    for (size_t n = nodes_.size(); n-- > 0;) {
        BoxGroup& node = nodes_[n];
        float low[3], high[3];
        for (int k = 0; k < 3; ++k) {
            low[k] = *std::min_element(node.low[k], node.low[k] + kTreeLanes);
            high[k] = *std::max_element(node.high[k], node.high[k] + kTreeLanes);
        }
        if (node.parent != n) {
            BoxGroup& parent = nodes_[node.parent];
            for (int k = 0; k < 3; ++k) {
                parent.low[k][node.parent_lane] = low[k];
                parent.high[k][node.parent_lane] = high[k];
            }
            continue;
        }
        Part& own = parts_[--part];
        own.low = {low[0], low[1], low[2]};
        own.high = {high[0], high[1], high[2]};
        low_ = {std::min(low_.x, low[0]), std::min(low_.y, low[1]), std::min(low_.z, low[2])};
        high_ = {std::max(high_.x, high[0]), std::max(high_.y, high[1]), std::max(high_.z, high[2])};
    }
}

void MovingTree::refit(const Surface& surface, const SurfacePose& pose, Executor& executor)
{
    surface_ = &surface;
    pose_ = &pose;
    parallel_for(executor, leaves_.size(), kLeafGrain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) fit_leaf(leaves_[i]);
    });
    fit_nodes();
}

// --- queries

namespace {

constexpr int kFirstEdge = 1, kFirstCorner = 4;  // see NearestOnTriangle::feature

Vec3f convert_to(const Vec3f& v, float)
{
    return v;
}
Vec3d convert_to(const Vec3f& v, double)
{
    return to_double(v);
}

}  // namespace

/// Signed distance and normal. The normal is the direction from the nearest point or, if that is lost to rounding, the
/// pseudonormal of the feature on which the nearest point lies.
template <class F>
SurfacePoint<F> MovingTree::point_on(const Part& part, uint32_t triangle, const FlatTriangle<F>& flat,
                                     const NearestOnTriangle<F>& at, const Vec3<F>& p) const
{
    const int k = static_cast<int>(at.feature);
    Vec3<F> normal = flat.normal;
    if (k >= kFirstCorner)
        normal = convert_to(pose_->vertex_normals[surface_->triangles()[triangle][k - kFirstCorner]], F{});
    else if (k >= kFirstEdge)
        normal = convert_to(pose_->edge_normals[surface_->triangle_edges()[triangle][k - kFirstEdge]], F{});
    const Vec3<F> away = p - flat.a - flat.axis_x * at.x - flat.axis_y * at.y;
    const F sign = static_cast<F>(part.sign), side = dot(away, normal) * sign;
    const F distance = std::sqrt(at.distance2);
    // The rounding error grows with the coordinates.
    const F rounding =
        8 * std::numeric_limits<F>::epsilon() * (std::abs(p.x) + std::abs(p.y) + std::abs(p.z) + flat.bx + flat.cy);
    Vec3<F> outwards = away * (side < 0 ? F(-1) : F(1));
    if (distance <= rounding) outwards = normal * sign;
    outwards = unit_or_zero(outwards);
    if (outwards == Vec3<F>{0, 0, 0}) outwards = flat.normal * sign;
    return {side < 0 ? -distance : distance, outwards, triangle, barycentrics(flat, at.x, at.y)};
}

/// The smallest signed distance over all parts whose bounding box is near enough.
template <class F, class FindInPart>
std::optional<SurfacePoint<F>> MovingTree::best_of_parts(const Vec3<F>& p, F within,
                                                         const FindInPart& find_in_part) const
{
    std::optional<SurfacePoint<F>> best;
    const Vec3f q{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    for (const Part& part : parts_) {
        const F box2 = static_cast<F>(box_distance2(part.low, part.high, q) * (1 - 1e-5f));
        const F limit = best ? std::max(best->distance, F(0)) : within;
        if (!(box2 <= limit * limit)) continue;
        // Inside the box, the nearest point may be far and still count, if p is inside the part.
        const std::optional<SurfacePoint<F>> found = find_in_part(part, box2 > 0 ? limit : within);
        if (found && (!best || found->distance < best->distance)) best = found;
    }
    return best;
}

std::optional<SurfacePoint<float>> MovingTree::nearest(const Vec3f& p, float within) const
{
    const auto in_part = [&](const Part& part, float limit) -> std::optional<SurfacePoint<float>> {
        NearestTriangle found;
        found.distance2 = limit * limit;
        find_nearest(view(), part.root, p, found);
        if (found.triangle == kNoTriangle) return std::nullopt;
        const FlatTriangle<float> flat = take_lane(leaves_[found.leaf], found.lane);
        return point_on(part, found.triangle, flat, nearest_on(flat, p), p);
    };
    return best_of_parts<float>(p, within, in_part);
}

float MovingTree::largest_coordinate() const
{
    return std::max({-low_.x, -low_.y, -low_.z, high_.x, high_.y, high_.z});
}

std::optional<SurfacePoint<double>> MovingTree::nearest_exact_in(const Part& part, const Vec3d& p, double limit) const
{
    const Vec3f q = to_float(p);
    // A generous bound on how much rounding the coordinates to float changes a distance.
    const float slack = 1e-6f * (std::abs(q.x) + std::abs(q.y) + std::abs(q.z) + largest_coordinate());
    const float reach = std::nextafter(static_cast<float>(limit), kInfinity) + slack;
    NearestTriangle rough;
    rough.distance2 = reach * reach;
    find_nearest(view(), part.root, q, rough);
    if (rough.triangle == kNoTriangle) return std::nullopt;
    const float far = std::sqrt(rough.distance2) + slack;
    NearestExact found;
    find_exact(view(), part.root, p, far * far, found);
    if (found.triangle == kNoTriangle || !(found.distance2 <= limit * limit)) return std::nullopt;
    const auto& t = surface_->triangles()[found.triangle];
    const FlatTriangle<double> flat = flat_triangle(to_double(pose_->vertices[t[0]]), to_double(pose_->vertices[t[1]]),
                                                    to_double(pose_->vertices[t[2]]));
    return point_on(part, found.triangle, flat, found.at, p);
}

std::optional<SurfacePoint<double>> MovingTree::nearest_exact(const Vec3d& p, double within) const
{
    return best_of_parts<double>(p, within,
                                 [&](const Part& part, double limit) { return nearest_exact_in(part, p, limit); });
}

std::optional<SurfacePoint<double>> MovingTree::nearest_exact(size_t part, const Vec3d& p, double within) const
{
    return nearest_exact_in(parts_[part], p, within);
}

}  // namespace tendril
