#include "body/sculpt.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tendril {
namespace {

// --- distances

double ellipsoid_distance(const Vec3d& p, const Vec3d& centre, const Vec3d& radii)
{
    const Vec3d q = p - centre;
    const Vec3d once{q.x / radii.x, q.y / radii.y, q.z / radii.z};
    const Vec3d twice{once.x / radii.x, once.y / radii.y, once.z / radii.z};
    const double k = length(once), gradient = length(twice);
    // First-order distance: the implicit function divided by the length of its gradient. Exact on the surface.
    return gradient > 0 ? k * (k - 1) / gradient : -std::min({radii.x, radii.y, radii.z});
}

double capsule_distance(const Vec3d& p, const Blob& blob)
{
    const Vec3d axis = blob.b - blob.a;
    const double along = std::clamp(dot(p - blob.a, axis) / dot(axis, axis), 0.0, 1.0);
    const double radius = blob.radii.x + along * (blob.radii.y - blob.radii.x);
    return length(p - blob.a - axis * along) - radius;
}

double blob_distance(const Blob& blob, Vec3d p)
{
    if (blob.both_sides) p.x = std::abs(p.x);
    return blob.capsule ? capsule_distance(p, blob) : ellipsoid_distance(p, blob.a, blob.radii);
}

double soft_min(double a, double b, double blend)
{
    const double h = std::max(blend - std::abs(a - b), 0.0) / blend;
    return std::min(a, b) - h * h * blend / 4;
}

Vec3d gradient(const std::vector<Blob>& blobs, const Vec3d& p)
{
    constexpr double e = 1e-5;
    return Vec3d{distance_to(blobs, p + Vec3d{e, 0, 0}) - distance_to(blobs, p - Vec3d{e, 0, 0}),
                 distance_to(blobs, p + Vec3d{0, e, 0}) - distance_to(blobs, p - Vec3d{0, e, 0}),
                 distance_to(blobs, p + Vec3d{0, 0, e}) - distance_to(blobs, p - Vec3d{0, 0, e})} *
           (1 / (2 * e));
}

void pull_to_surface(const std::vector<Blob>& blobs, std::vector<Vec3d>& points)
{
    for (Vec3d& p : points)
        for (int i = 0; i < 2; ++i) {
            const Vec3d g = gradient(blobs, p);
            p = p - g * (distance_to(blobs, p) / std::max(dot(g, g), 0.1));
        }
}

// --- surface nets [Gibson98]: one vertex per cell that contains the surface, one quad per edge that crosses it

class SurfaceNets {
public:
    SurfaceNets(const std::vector<Blob>& blobs, const SculptGrid& grid)
        : grid_(grid), nx_(grid.x.size()), ny_(grid.y.size()), nz_(grid.z.size())
    {
        for (size_t k = 0; k < nz_; ++k)
            for (size_t j = 0; j < ny_; ++j)
                for (size_t i = 0; i < nx_; ++i) values_.push_back(distance_to(blobs, position(i, j, k)));
        vertex_.assign(values_.size(), kNone);
        for (size_t k = 0; k + 1 < nz_; ++k)
            for (size_t j = 0; j + 1 < ny_; ++j)
                for (size_t i = 0; i + 1 < nx_; ++i) add_vertex(i, j, k);
        for (size_t k = 1; k + 1 < nz_; ++k)
            for (size_t j = 1; j + 1 < ny_; ++j)
                for (size_t i = 1; i + 1 < nx_; ++i) add_quads(i, j, k);
    }

    std::vector<Vec3d> points;
    std::vector<std::array<uint32_t, 4>> quads;

private:
    static constexpr uint32_t kNone = UINT32_MAX;

    size_t index(size_t i, size_t j, size_t k) const { return (k * ny_ + j) * nx_ + i; }
    Vec3d position(size_t i, size_t j, size_t k) const { return {grid_.x[i], grid_.y[j], grid_.z[k]}; }

    void add_vertex(size_t i, size_t j, size_t k)
    {
        Vec3d sum{0, 0, 0};
        int crossings = 0;
        const auto cross_edge = [&](size_t from, size_t to) {
            const size_t fi = i + (from & 1), fj = j + (from >> 1 & 1), fk = k + (from >> 2);
            const size_t ti = i + (to & 1), tj = j + (to >> 1 & 1), tk = k + (to >> 2);
            const double a = values_[index(fi, fj, fk)], b = values_[index(ti, tj, tk)];
            if ((a < 0) == (b < 0)) return;
            sum += position(fi, fj, fk) + (position(ti, tj, tk) - position(fi, fj, fk)) * (a / (a - b));
            ++crossings;
        };
        for (size_t corner = 0; corner < 8; ++corner)
            for (size_t axis : {1u, 2u, 4u})
                if (!(corner & axis)) cross_edge(corner, corner | axis);
        if (crossings == 0) return;
        vertex_[index(i, j, k)] = static_cast<uint32_t>(points.size());
        points.push_back(sum * (1.0 / crossings));
    }

    void add_quads(size_t i, size_t j, size_t k)
    {
        const double here = values_[index(i, j, k)];
        const size_t sx = 1, sy = nx_, sz = nx_ * ny_, at = index(i, j, k);
        add_quad(here, values_[at + sx], {at - sy - sz, at - sz, at, at - sy});
        add_quad(here, values_[at + sy], {at - sz - sx, at - sx, at, at - sz});
        add_quad(here, values_[at + sz], {at - sx - sy, at - sy, at, at - sx});
    }

    void add_quad(double from, double to, const std::array<size_t, 4>& cells)
    {
        if ((from < 0) == (to < 0)) return;
        std::array<uint32_t, 4> quad;
        for (size_t c = 0; c < 4; ++c) quad[c] = vertex_[cells[from < 0 ? c : 3 - c]];
        quads.push_back(quad);
    }

    const SculptGrid& grid_;
    size_t nx_, ny_, nz_;
    std::vector<double> values_;
    std::vector<uint32_t> vertex_;  ///< per cell
};

std::vector<std::array<uint32_t, 3>> split_quads(const std::vector<Vec3d>& points,
                                                 const std::vector<std::array<uint32_t, 4>>& quads)
{
    std::vector<std::array<uint32_t, 3>> triangles;
    for (const auto& [a, b, c, d] : quads) {
        const bool short_ac = length(points[a] - points[c]) <= length(points[b] - points[d]);
        triangles.push_back(short_ac ? std::array{a, b, c} : std::array{a, b, d});
        triangles.push_back(short_ac ? std::array{a, c, d} : std::array{b, c, d});
    }
    return triangles;
}

/// Moves each point towards the mean of its neighbours to make the triangles more regular.
void smooth_points(std::vector<Vec3d>& points, const std::vector<std::array<uint32_t, 4>>& quads)
{
    struct Sum {
        Vec3d points{0, 0, 0};
        double count = 0;
    };
    std::vector<Sum> sums(points.size());
    for (const auto& quad : quads)
        for (size_t c = 0; c < 4; ++c) {
            sums[quad[c]].points += points[quad[(c + 1) % 4]];
            sums[quad[c]].count += 1;
        }
    for (size_t i = 0; i < points.size(); ++i)
        if (sums[i].count > 0) points[i] = points[i] * 0.5 + sums[i].points * (0.5 / sums[i].count);
}

// --- weights and texture coordinates

/// Lists each neighbour once, because a closed mesh traverses each edge once in each direction.
std::vector<std::vector<uint32_t>> vertex_neighbours(const Mesh& mesh)
{
    std::vector<std::vector<uint32_t>> neighbours(mesh.vertices.size());
    for (const auto& t : mesh.triangles)
        for (size_t c = 0; c < 3; ++c) neighbours[t[c]].push_back(t[(c + 1) % 3]);
    return neighbours;
}

/// The angle of the direction (x, y) in turns, in [0, 1).
double angle_in_turns(double x, double y)
{
    const double size = std::abs(x) + std::abs(y);
    if (!(size > 0)) return 0;
    // The diamond angle increases with the true angle but needs no transcendental function; it distorts textures by
    // less than a third.
    const double quarter = y / size;
    const double turn = x >= 0 ? quarter / 4 : 0.5 - quarter / 4;
    return turn < 0 ? turn + 1 : turn;
}

}  // namespace

Blob ellipsoid(const Vec3d& centre, const Vec3d& radii, double blend)
{
    Blob blob;
    blob.a = blob.b = centre;
    blob.radii = radii;
    blob.blend = blend;
    return blob;
}

Blob capsule(const Vec3d& a, const Vec3d& b, double radius_a, double radius_b, double blend)
{
    Blob blob;
    blob.a = a;
    blob.b = b;
    blob.radii = {radius_a, radius_b, 0};
    blob.blend = blend;
    blob.capsule = true;
    return blob;
}

Blob both_sides(Blob blob)
{
    blob.both_sides = true;
    return blob;
}

Blob carved(Blob blob)
{
    blob.carved = true;
    return blob;
}

double distance_to(const std::vector<Blob>& blobs, const Vec3d& p)
{
    double d = 1e3;
    for (const Blob& blob : blobs) {
        const double to_blob = blob_distance(blob, p);
        d = blob.carved ? -soft_min(-d, to_blob, blob.blend) : soft_min(d, to_blob, blob.blend);
    }
    return d;
}

Mesh sculpt(const std::vector<Blob>& blobs, const SculptGrid& grid)
{
    SurfaceNets nets(blobs, grid);
    for (int i = 0; i < 3; ++i) {
        smooth_points(nets.points, nets.quads);
        pull_to_surface(blobs, nets.points);
    }
    Mesh mesh;
    for (const Vec3d& p : nets.points) mesh.vertices.push_back(to_float(p));
    mesh.triangles = split_quads(nets.points, nets.quads);
    return mesh;
}

std::vector<VertexWeights> smooth_weights(const Mesh& mesh, std::vector<std::vector<float>> weights, int smoothings)
{
    const auto neighbours = vertex_neighbours(mesh);
    for (int pass = 0; pass < smoothings; ++pass) {
        const auto before = weights;
        for (size_t v = 0; v < weights.size(); ++v)
            for (size_t b = 0; b < weights[v].size(); ++b) {
                float sum = 0;
                for (uint32_t n : neighbours[v]) sum += before[n][b];
                const float mean =
                    neighbours[v].empty() ? before[v][b] : sum / static_cast<float>(neighbours[v].size());
                weights[v][b] = (before[v][b] + mean) / 2;
            }
    }
    std::vector<VertexWeights> result(weights.size());
    std::vector<uint32_t> order(weights.empty() ? 0 : weights[0].size());
    for (size_t v = 0; v < weights.size(); ++v) {
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(),
                         [&](uint32_t a, uint32_t b) { return weights[v][a] > weights[v][b]; });
        float sum = 0;
        for (size_t i = 0; i < std::min<size_t>(4, order.size()); ++i) sum += weights[v][order[i]];
        for (size_t i = 0; i < std::min<size_t>(4, order.size()); ++i) {
            const float w = weights[v][order[i]] / sum;
            if (w > 0) result[v].bones[i] = order[i];
            result[v].weights[i] = w;
        }
    }
    return result;
}

void wrap_uvs(Character& character, const UvAxis& axis)
{
    Mesh& mesh = character.mesh;
    const Vec3d side = cross(axis.along, axis.seam);
    for (const Vec3f& v : mesh.vertices) {
        const Vec3d p = to_double(v) - axis.centre;
        const double along = (dot(p, axis.along) - axis.begin) / (axis.end - axis.begin);
        mesh.uvs.push_back({static_cast<float>(angle_in_turns(dot(p, axis.seam), dot(p, side))),
                            static_cast<float>(std::clamp(along, 0.0, 1.0))});
    }
    std::vector<uint32_t> copy(mesh.vertices.size(), 0);
    for (auto& triangle : mesh.triangles) {
        float highest = 0;
        for (uint32_t corner : triangle) highest = std::max(highest, mesh.uvs[corner].u);
        for (uint32_t& corner : triangle) {
            if (highest - mesh.uvs[corner].u < 0.5f) continue;
            if (copy[corner] == 0) {
                copy[corner] = static_cast<uint32_t>(mesh.vertices.size());
                mesh.vertices.push_back(mesh.vertices[corner]);
                mesh.uvs.push_back({mesh.uvs[corner].u + 1, mesh.uvs[corner].v});
                if (!character.weights.empty()) character.weights.push_back(character.weights[corner]);
            }
            corner = copy[corner];
        }
    }
}

}  // namespace tendril
