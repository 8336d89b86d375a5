// Points on a mesh, and quantities interpolated there.
#include "tendril/hair_style.h"

#include <cmath>

namespace tendril {
namespace {

Vec3d blend(const Mesh& mesh, const MeshPoint& point, std::span<const Vec3f> at_vertices)
{
    const auto& t = mesh.triangles[point.triangle];
    const Vec3d w = to_double(point.weights);
    return to_double(at_vertices[t[0]]) * w.x + to_double(at_vertices[t[1]]) * w.y + to_double(at_vertices[t[2]]) * w.z;
}

}  // namespace

float Map::at(Uv uv) const
{
    if (width == 0 || height == 0) return 0;
    const auto wrapped = [](double x) { return x - std::floor(x); };
    const double x = wrapped(static_cast<double>(uv.u)) * width - 0.5;
    const double y = wrapped(1.0 - static_cast<double>(uv.v)) * height - 0.5;
    if (!std::isfinite(x) || !std::isfinite(y)) return 0;
    const auto pixel = [&](double px, double py) {
        const auto column = static_cast<uint32_t>(static_cast<int64_t>(px) + width) % width;
        const auto row = static_cast<uint32_t>(static_cast<int64_t>(py) + height) % height;
        return static_cast<double>(values[static_cast<size_t>(row) * width + column]);
    };
    const double x0 = std::floor(x), y0 = std::floor(y), a = x - x0, b = y - y0;
    return static_cast<float>((pixel(x0, y0) * (1 - a) + pixel(x0 + 1, y0) * a) * (1 - b) +
                              (pixel(x0, y0 + 1) * (1 - a) + pixel(x0 + 1, y0 + 1) * a) * b);
}

Vec3d position_of(const Mesh& mesh, const MeshPoint& point)
{
    return blend(mesh, point, mesh.vertices);
}

Uv uv_of(const Mesh& mesh, const MeshPoint& point)
{
    if (mesh.uvs.empty()) return {};
    const auto& t = mesh.triangles[point.triangle];
    const Vec3f& w = point.weights;
    const Uv &a = mesh.uvs[t[0]], &b = mesh.uvs[t[1]], &c = mesh.uvs[t[2]];
    return {a.u * w.x + b.u * w.y + c.u * w.z, a.v * w.x + b.v * w.y + c.v * w.z};
}

std::vector<Vec3f> vertex_normals(const Mesh& mesh)
{
    std::vector<Vec3d> sums(mesh.vertices.size(), Vec3d{0, 0, 0});
    for (const auto& t : mesh.triangles) {
        const Vec3d a = to_double(mesh.vertices[t[0]]);
        const Vec3d n = cross(to_double(mesh.vertices[t[1]]) - a, to_double(mesh.vertices[t[2]]) - a);
        for (uint32_t v : t) sums[v] += n;
    }
    std::vector<Vec3f> normals;
    normals.reserve(sums.size());
    for (const Vec3d& n : sums) normals.push_back(length(n) > 0 ? to_float(n * (1 / length(n))) : Vec3f{0, 1, 0});
    return normals;
}

Vec3d normal_of(const Mesh& mesh, std::span<const Vec3f> vertex_normals, const MeshPoint& point)
{
    const Vec3d n = blend(mesh, point, vertex_normals);
    return length(n) > 1e-9 ? n * (1 / length(n)) : Vec3d{0, 1, 0};
}

}  // namespace tendril
