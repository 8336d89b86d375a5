// [Baerentzen05] J. A. Baerentzen, H. Aanaes: Signed Distance Computation Using the Angle Weighted Pseudonormal. IEEE
// TVCG 11(3), 2005.

#include "body/surface.h"

#include "math/vectors.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <unordered_map>

namespace tendril {
namespace {

// Vertices closer to each other than this share of the mesh size are welded: a few rounding errors of a float.
constexpr double kWeldShare = 1e-6;
constexpr size_t kGrain = 2048;  // vertices or triangles, some tens of microseconds of work

/// Welds vertices within a tolerance, with a hash of cells twice its size.
class VertexWelder {
public:
    VertexWelder(std::span<const Vec3f> positions, double tolerance) : positions_(positions), tolerance_(tolerance)
    {
        cells_.reserve(positions.size());
    }

    /// Returns the first earlier vertex within the tolerance of v, or v itself.
    uint32_t weld(uint32_t v)
    {
        const Vec3d p = to_double(positions_[v]);
        const Vec3d reach{tolerance_, tolerance_, tolerance_};
        const Cell low = cell_of(p - reach), high = cell_of(p + reach);
        uint32_t first = v;
        for (int64_t x = low[0]; x <= high[0]; ++x)
            for (int64_t y = low[1]; y <= high[1]; ++y)
                for (int64_t z = low[2]; z <= high[2]; ++z) {
                    const auto [begin, end] = cells_.equal_range(Cell{x, y, z});
                    for (auto at = begin; at != end; ++at)
                        if (length(to_double(positions_[at->second]) - p) <= tolerance_)
                            first = std::min(first, at->second);
                }
        if (first == v) cells_.emplace(cell_of(p), v);
        return first;
    }

private:
    using Cell = std::array<int64_t, 3>;
    struct Hash {
        size_t operator()(const Cell& c) const
        {
            uint64_t h = 0;
            for (int64_t i : c) h = (h ^ static_cast<uint64_t>(i)) * 0x9e3779b97f4a7c15u, h ^= h >> 32;
            return static_cast<size_t>(h);
        }
    };
    Cell cell_of(const Vec3d& p) const
    {
        const double per_cell = 0.5 / tolerance_;
        return {std::llrint(std::floor(p.x * per_cell)), std::llrint(std::floor(p.y * per_cell)),
                std::llrint(std::floor(p.z * per_cell))};
    }

    std::span<const Vec3f> positions_;
    double tolerance_;
    std::unordered_multimap<Cell, uint32_t, Hash> cells_;
};

/// For each vertex, the first one at its position.
std::vector<uint32_t> weld(std::span<const Vec3f> rest)
{
    std::vector<uint32_t> first(rest.size());
    if (rest.empty()) return first;
    Vec3d low = to_double(rest[0]), high = low;
    for (const Vec3f& v : rest) low = component_min(low, to_double(v)), high = component_max(high, to_double(v));
    // Far from the origin, a float has fewer digits than the mesh size calls for.
    const double tolerance = std::max(kWeldShare * length(high - low), 1e-7 * length(component_max(high, low * -1.0)));
    VertexWelder welder(rest, std::max(tolerance, 1e-30));
    for (uint32_t v = 0; v < rest.size(); ++v) first[v] = welder.weld(v);
    return first;
}

/// The angle between two vectors [rad], within 2e-5. It uses roots and a polynomial so that it has the same bits
/// everywhere; a weight needs no more digits.
float angle_between(const Vec3f& u, const Vec3f& v)
{
    const float y = length(cross(u, v)), x = dot(u, v);
    if (!(y > 0)) return x < 0 ? 3.14159265f : 0.0f;
    const float across = std::abs(x), t = std::min(across, y) / std::max(across, y), t2 = t * t;
    // Minimax polynomial of atan on [0, 1].
    const float a =
        t * (0.99997726f +
             t2 * (-0.33262347f + t2 * (0.19354346f + t2 * (-0.11643287f + t2 * (0.05265332f - t2 * 0.01172120f)))));
    const float acute = y > across ? 1.57079633f - a : a;
    return x < 0 ? 3.14159265f - acute : acute;
}

template <class F>
F inverse_or_zero(F a)
{
    const F r = 1 / a;
    return a > 0 && std::isfinite(r) ? r : F(0);
}

Vec3d as_double(const Vec3f& v)
{
    return to_double(v);
}
Vec3d as_double(const Vec3d& v)
{
    return v;
}

}  // namespace

template <class F>
FlatTriangle<F> flat_triangle(const Vec3<F>& a, const Vec3<F>& b, const Vec3<F>& c)
{
    const Vec3<F> none{0, 0, 0};
    FlatTriangle<F> t;
    const Vec3<F> ab = b - a, ac = c - a, bc = c - b;
    t.a = a;
    t.axis_x = unit_or_zero(ab);
    if (t.axis_x == none) t.axis_x = unit_or_zero(ac);
    if (t.axis_x == none) t.axis_x = {1, 0, 0};
    t.normal = unit_or_zero(cross(ab, ac));
    if (t.normal == none) {
        const Vec3d across = any_perpendicular(as_double(t.axis_x));
        t.normal = {static_cast<F>(across.x), static_cast<F>(across.y), static_cast<F>(across.z)};
    }
    t.axis_y = cross(t.normal, t.axis_x);
    t.bx = length(ab);
    t.cx = dot(ac, t.axis_x);
    t.cy = std::max(F(0), dot(ac, t.axis_y));
    t.per_bx = inverse_or_zero(t.bx);
    t.per_cy = inverse_or_zero(t.cy);
    t.per_bc2 = inverse_or_zero(dot(bc, bc));
    t.per_ca2 = inverse_or_zero(dot(ac, ac));
    return t;
}
template FlatTriangle<float> flat_triangle(const Vec3f&, const Vec3f&, const Vec3f&);
template FlatTriangle<double> flat_triangle(const Vec3d&, const Vec3d&, const Vec3d&);

Surface::Lists Surface::Lists::by_key(std::span<const uint32_t> keys, size_t key_count)
{
    Lists lists;
    lists.first.assign(key_count + 1, 0);
    for (uint32_t key : keys) ++lists.first[key + 1];
    for (size_t k = 0; k < key_count; ++k) lists.first[k + 1] += lists.first[k];
    lists.items.resize(keys.size());
    std::vector<uint32_t> next(lists.first.begin(), lists.first.end() - 1);
    for (uint32_t i = 0; i < keys.size(); ++i) lists.items[next[keys[i]]++] = i;
    return lists;
}

Surface::Surface(std::span<const Vec3f> rest, std::span<const Triangle> triangles)
{
    add_triangles(weld(rest), triangles);
    close_holes();
    orient_outwards(rest);
    list_edges();
}

void Surface::add_triangles(std::span<const uint32_t> weld_of, std::span<const Triangle> triangles)
{
    std::vector<uint32_t> number(weld_of.size(), kClosing);  // only vertices of a triangle get a number
    std::vector<std::pair<Triangle, uint32_t>> kept;
    for (uint32_t i = 0; i < triangles.size(); ++i) {
        Triangle t{weld_of[triangles[i][0]], weld_of[triangles[i][1]], weld_of[triangles[i][2]]};
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
        kept.emplace_back(t, i);
    }
    // A duplicated triangle would count its inside twice.
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
               kept.end());
    std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    for (auto& [t, source] : kept) {
        for (uint32_t& corner : t) {
            if (number[corner] == kClosing) {
                number[corner] = static_cast<uint32_t>(sources_.size());
                sources_.push_back(corner);
            }
            corner = number[corner];
        }
        triangles_.push_back(t);
        triangle_sources_.push_back(source);
    }
}

/// After opposite directed edges cancel, the remaining ones enter every vertex as often as they leave it, for any set
/// of triangles, so they decompose into loops. Filling each loop with triangles that traverse it the other way leaves a
/// surface without a border, for which every point has a whole winding number.
void Surface::close_holes()
{
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (const Triangle& t : triangles_)
        for (int k = 0; k < 3; ++k) edges.emplace_back(t[k], t[(k + 1) % 3]);
    std::sort(edges.begin(), edges.end());
    std::vector<uint32_t> from, to;  // the edges without an opposite one, reversed
    const auto count = [&](const std::pair<uint32_t, uint32_t>& e) {
        const auto [begin, end] = std::equal_range(edges.begin(), edges.end(), e);
        return end - begin;
    };
    for (size_t i = 0, next; i < edges.size(); i = next) {
        for (next = i; next < edges.size() && edges[next] == edges[i];) ++next;
        const auto missing = static_cast<ptrdiff_t>(next - i) - count({edges[i].second, edges[i].first});
        for (ptrdiff_t m = 0; m < missing; ++m) from.push_back(edges[i].second), to.push_back(edges[i].first);
    }

    // Follow the edges; whenever the path returns to one of its vertices, the part in between is a loop.
    const Lists out = Lists::by_key(from, sources_.size());
    std::vector<uint32_t> used(sources_.size(), 0), walk_index(sources_.size(), kClosing), walk;
    for (uint32_t start = 0; start < sources_.size(); ++start) {
        uint32_t at = start;
        while (used[at] < out.of(at).size() || !walk.empty()) {
            if (walk_index[at] != kClosing) {
                const size_t begin = walk_index[at];
                for (size_t i = begin; i < walk.size(); ++i) walk_index[walk[i]] = kClosing;
                close_loop(std::span(walk).subspan(begin));
                walk.resize(begin);
                continue;
            }
            assert(used[at] < out.of(at).size());
            walk_index[at] = static_cast<uint32_t>(walk.size());
            walk.push_back(at);
            at = to[out.of(at)[used[at]++]];
        }
    }
}

void Surface::close_loop(std::span<const uint32_t> loop)
{
    ++closed_holes_;
    const auto add = [&](const Triangle& t) {
        triangles_.push_back(t);
        triangle_sources_.push_back(kClosing);
    };
    if (loop.size() == 3) return add({loop[0], loop[1], loop[2]});
    const auto middle = static_cast<uint32_t>(vertex_count());
    closings_.emplace_back(loop.begin(), loop.end());
    for (size_t i = 0; i < loop.size(); ++i) add({loop[i], loop[(i + 1) % loop.size()], middle});
}

void Surface::orient_outwards(std::span<const Vec3f> rest)
{
    if (empty()) return;
    std::vector<Vec3f> positions(vertex_count());
    carry(rest, positions, *make_serial_executor());
    const Vec3d middle = to_double(positions[0]);
    double volume = 0;
    for (const Triangle& t : triangles_) {
        const Vec3d a = to_double(positions[t[0]]) - middle, b = to_double(positions[t[1]]) - middle;
        volume += dot(cross(a, b), to_double(positions[t[2]]) - middle);
    }
    flipped_ = volume < 0;
    if (flipped_)
        for (Triangle& t : triangles_) std::swap(t[1], t[2]);
}

void Surface::list_edges()
{
    struct Side {
        uint32_t low, high, slot;  // slot: 3 * triangle + edge
        bool operator<(const Side& o) const
        {
            return low != o.low ? low < o.low : high != o.high ? high < o.high : slot < o.slot;
        }
    };
    std::vector<Side> sides;
    std::vector<uint32_t> corners;
    for (uint32_t t = 0; t < triangles_.size(); ++t)
        for (uint32_t k = 0; k < 3; ++k) {
            const auto [low, high] = std::minmax(triangles_[t][k], triangles_[t][(k + 1) % 3]);
            sides.push_back({low, high, 3 * t + k});
            corners.push_back(triangles_[t][k]);
        }
    vertex_corners_ = Lists::by_key(corners, vertex_count());
    std::sort(sides.begin(), sides.end());
    triangle_edges_.resize(triangles_.size());
    for (size_t i = 0; i < sides.size(); ++i) {
        if (i == 0 || sides[i].low != sides[i - 1].low || sides[i].high != sides[i - 1].high)
            edge_faces_.first.push_back(static_cast<uint32_t>(i));
        edge_faces_.items.push_back(sides[i].slot / 3);
        triangle_edges_[sides[i].slot / 3][sides[i].slot % 3] = static_cast<uint32_t>(edge_faces_.first.size() - 1);
    }
    edge_faces_.first.push_back(static_cast<uint32_t>(sides.size()));
}

void Surface::carry(std::span<const Vec3f> of_mesh, std::span<Vec3f> out, Executor& executor) const
{
    assert(out.size() == vertex_count());
    parallel_for(executor, sources_.size(), kGrain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) out[i] = of_mesh[sources_[i]];
    });
    for (size_t c = 0; c < closings_.size(); ++c) {
        // Relative to one of them, so that a body far from the origin keeps its digits.
        const Vec3f& first = out[closings_[c][0]];
        Vec3f sum{0, 0, 0};
        for (uint32_t v : closings_[c]) sum += out[v] - first;
        out[sources_.size() + c] = first + sum * (1.0f / static_cast<float>(closings_[c].size()));
    }
}

void Surface::pose(std::span<const Vec3f> mesh_vertices, SurfacePose& out, Executor& executor) const
{
    out.vertices.resize(vertex_count());
    carry(mesh_vertices, out.vertices, executor);
    update_normals(out, executor);
}

void Surface::update_normals(SurfacePose& pose, Executor& executor) const
{
    pose.face_normals.resize(triangles_.size());
    pose.corner_angles.resize(triangles_.size());
    parallel_for(executor, triangles_.size(), kGrain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            const Triangle& t = triangles_[i];
            const Vec3f &a = pose.vertices[t[0]], &b = pose.vertices[t[1]], &c = pose.vertices[t[2]];
            pose.face_normals[i] = unit_or_zero(cross(b - a, c - a));
            pose.corner_angles[i] = {angle_between(b - a, c - a), angle_between(c - b, a - b), 0};
            pose.corner_angles[i].z = std::max(0.0f, 3.14159265f - pose.corner_angles[i].x - pose.corner_angles[i].y);
        }
    });
    pose.edge_normals.resize(edge_count());
    parallel_for(executor, edge_count(), kGrain, [&](size_t begin, size_t end) {
        for (size_t e = begin; e < end; ++e) {
            Vec3f sum{0, 0, 0};
            for (uint32_t face : edge_faces_.of(e)) sum += pose.face_normals[face];
            pose.edge_normals[e] = sum;
        }
    });
    pose.vertex_normals.resize(vertex_count());
    parallel_for(executor, vertex_count(), kGrain, [&](size_t begin, size_t end) {
        for (size_t v = begin; v < end; ++v) {
            Vec3f sum{0, 0, 0};
            for (uint32_t corner : vertex_corners_.of(v)) {
                const Vec3f& angles = pose.corner_angles[corner / 3];
                sum += pose.face_normals[corner / 3] * (corner % 3 == 0   ? angles.x
                                                        : corner % 3 == 1 ? angles.y
                                                                          : angles.z);
            }
            pose.vertex_normals[v] = sum;
        }
    });
}

std::vector<uint32_t> parts_of(const Surface& surface)
{
    std::vector<uint32_t> parent(surface.vertex_count());
    for (uint32_t v = 0; v < parent.size(); ++v) parent[v] = v;
    const auto root_of = [&](uint32_t v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const auto& t : surface.triangles()) {
        parent[root_of(t[1])] = root_of(t[0]);
        parent[root_of(t[2])] = root_of(t[0]);
    }
    std::vector<uint32_t> number(surface.vertex_count(), UINT32_MAX), part;
    uint32_t count = 0;
    for (const auto& t : surface.triangles()) {
        uint32_t& n = number[root_of(t[0])];
        if (n == UINT32_MAX) n = count++;
        part.push_back(n);
    }
    return part;
}

// The half angle is atan2 of a triple product and of a sum [van Oosterom and Strackee 83].
double solid_angle_share(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p)
{
    const Vec3d u = a - p, v = b - p, w = c - p;
    const double lu = length(u), lv = length(v), lw = length(w);
    return std::atan2(dot(u, cross(v, w)), lu * lv * lw + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv) /
           (2 * std::numbers::pi);
}

FeatureNormals<float> Surface::feature_normals(const SurfacePose& pose, size_t triangle) const
{
    FeatureNormals<float> n;
    n.face = pose.face_normals[triangle];
    for (int k = 0; k < 3; ++k) {
        n.edge[k] = pose.edge_normals[triangle_edges_[triangle][k]];
        n.corner[k] = pose.vertex_normals[triangles_[triangle][k]];
    }
    return n;
}

}  // namespace tendril
