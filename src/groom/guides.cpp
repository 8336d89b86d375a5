// Chooses guides, and finds those of every child. children.cpp makes children follow them.
#include "groom/polyline.h"
#include "groom/sample_elimination.h"
#include "groom/strand_data.h"
#include "math/elementary.h"
#include "math/point_tree.h"
#include "math/random.h"
#include "math/vectors.h"
#include "tendril/hair_style.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace tendril {
namespace {

// Three guides that surround a child are searched among this many nearest ones.
constexpr size_t kNeighbours = 8;

/// A strand without a usable root is placed at the origin: files may contain such strands, but they are never
/// simulated.
std::vector<Vec3d> roots_of(const GroomData& data)
{
    std::vector<Vec3d> roots;
    for (size_t s = 0; s < data.strand_count(); ++s) {
        const auto points = strand_points(data, s);
        roots.push_back(points.empty() || !is_finite(points[0]) ? Vec3d{0, 0, 0} : to_double(points[0]));
    }
    return roots;
}

/// Estimates the area of the surface over which the roots are spread from their distances: random points have a mean
/// nearest-neighbour distance of half of sqrt(area per point).
double area_of(std::span<const Vec3d> roots)
{
    const PointTree tree(roots);
    double sum = 0;
    for (const Vec3d& root : roots) {
        const auto nearest_two = tree.nearest(root, 2);
        sum += length(roots[nearest_two.back()] - root);
    }
    const double mean = sum / static_cast<double>(roots.size());
    return std::max(4 * mean * mean * static_cast<double>(roots.size()), 1e-12);
}

/// Barycentric coordinates of p projected onto the plane of three points; none if the points are collinear.
std::optional<Vec3d> barycentric(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p)
{
    const Vec3d n = cross(b - a, c - a);
    const double n2 = dot(n, n), longest = std::max({length(b - a), length(c - b), length(a - c)});
    if (!(n2 > 1e-6 * longest * longest * longest * longest)) return {};
    return Vec3d{dot(cross(b - p, c - p), n) / n2, dot(cross(c - p, a - p), n) / n2, dot(cross(a - p, b - p), n) / n2};
}

/// The first three guides, in order of distance, that surround the root; else only the nearest one.
ChildGuides surrounding_guides(const std::vector<Vec3d>& guides, const std::vector<uint32_t>& near, const Vec3d& root)
{
    for (size_t k = 2; k < near.size(); ++k)
        for (size_t j = 1; j < k; ++j)
            for (size_t i = 0; i < j; ++i) {
                const auto w = barycentric(guides[near[i]], guides[near[j]], guides[near[k]], root);
                if (!w || w->x < 0 || w->y < 0 || w->z < 0) continue;
                const Vec3f f = to_float(*w);
                return {{near[i], near[j], near[k]}, {f.x, f.y, f.z}};
            }
    return {{near[0], near[0], near[0]}, {1, 0, 0}};
}

}  // namespace

std::vector<uint32_t> choose_guides(const GroomData& data, double share)
{
    const size_t strands = data.strand_count();
    const auto wanted = static_cast<size_t>(std::lround(static_cast<double>(strands) * std::clamp(share, 0.0, 1.0)));
    const size_t keep = std::clamp<size_t>(wanted, 1, strands);
    const std::vector<Vec3d> roots = roots_of(data);
    return eliminate_samples(roots, keep, area_of(roots));
}

std::vector<ChildGuides> find_guides(const GroomData& guides, const GroomData& children, GuideMode mode)
{
    const std::vector<Vec3d> guide_roots = roots_of(guides);
    const PointTree tree(guide_roots);
    std::vector<ChildGuides> found;
    for (const Vec3d& root : roots_of(children)) {
        const auto near = tree.nearest(root, mode == GuideMode::kSingle ? 1 : kNeighbours);
        found.push_back(surrounding_guides(guide_roots, near, root));
    }
    return found;
}

GroomData with_follow_hairs(const GroomData& data, uint32_t per_strand, float radius, uint64_t seed)
{
    GroomData out = data;
    for (size_t s = 0; s < data.strand_count(); ++s) {
        const auto points = strand_points(data, s);
        if (points.size() < 2) continue;
        const Vec3d edge = to_double(points[1]) - to_double(points[0]);
        const Vec3d along = unit_or(edge, {0, 1, 0}), a = any_perpendicular(along), b = cross(along, a);
        for (uint32_t k = 0; k < per_strand; ++k) {
            const uint64_t index = static_cast<uint64_t>(s) * per_strand + k;
            const double r = static_cast<double>(radius) * std::sqrt(uniform(seed, 2 * index));
            const SinCos turn = sin_cos(2 * std::numbers::pi * uniform(seed, 2 * index + 1));
            const Vec3f offset = to_float((a * turn.cos + b * turn.sin) * r);
            const uint32_t strand = static_cast<uint32_t>(s);
            GroomData copy = subset(data, std::span(&strand, 1));
            for (const Vec3f& p : copy.points) out.points.push_back(p + offset);
            out.first_point.push_back(static_cast<uint32_t>(out.points.size()));
            const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
            append(out.ends, copy.ends);
            append(out.root_uvs, copy.root_uvs);
            append(out.groups, copy.groups);
            append(out.widths, copy.widths);
            append(out.colours, copy.colours);
            append(out.transparencies, copy.transparencies);
        }
    }
    return out;
}

}  // namespace tendril
