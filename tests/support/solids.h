/// Closed meshes with a known inside, and brute-force queries over all triangles in double precision.
#pragma once

#include "body/surface.h"
#include "tendril/mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::test {

inline constexpr double kPi = 3.14159265358979323846;

/// A box around the origin with n x n squares per side. Sides share no vertices, as at UV seams.
inline Mesh make_box_mesh(const Vec3f& half, uint32_t n)
{
    Mesh mesh;
    for (int side = 0; side < 6; ++side) {
        const int axis = side / 2;
        const float sign = side % 2 == 0 ? -1.0f : 1.0f;
        const auto first = static_cast<uint32_t>(mesh.vertices.size());
        for (uint32_t i = 0; i <= n; ++i)
            for (uint32_t k = 0; k <= n; ++k) {
                float p[3];
                p[axis] = sign;
                p[(axis + 1) % 3] = 2.0f * static_cast<float>(i) / static_cast<float>(n) - 1;
                p[(axis + 2) % 3] = 2.0f * static_cast<float>(k) / static_cast<float>(n) - 1;
                mesh.vertices.push_back({half.x * p[0], half.y * p[1], half.z * p[2]});
            }
        for (uint32_t i = 0; i < n; ++i)
            for (uint32_t k = 0; k < n; ++k) {
                uint32_t a = first + i * (n + 1) + k, b = a + n + 1, c = b + 1, d = a + 1;
                if (sign < 0) std::swap(b, d);
                mesh.triangles.push_back({a, b, c});
                mesh.triangles.push_back({a, c, d});
            }
    }
    return mesh;
}

/// A torus around the y axis.
inline Mesh make_torus_mesh(double ring, double tube, uint32_t around, uint32_t across)
{
    Mesh mesh;
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t k = 0; k < across; ++k) {
            const double u = 2 * kPi * i / around, v = 2 * kPi * k / across, r = ring + tube * std::cos(v);
            mesh.vertices.push_back(to_float(Vec3d{r * std::cos(u), tube * std::sin(v), r * std::sin(u)}));
        }
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t k = 0; k < across; ++k) {
            const uint32_t j = (i + 1) % around, l = (k + 1) % across;
            const uint32_t a = i * across + k, b = i * across + l, c = j * across + l, d = j * across + k;
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
        }
    return mesh;
}

/// Joins two meshes, the second translated by `shift`.
inline Mesh join(Mesh a, const Mesh& b, const Vec3f& shift)
{
    const auto first = static_cast<uint32_t>(a.vertices.size());
    for (const Vec3f& v : b.vertices) a.vertices.push_back(v + shift);
    for (const auto& t : b.triangles) a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    return a;
}

/// Removes the triangles that have a corner above `height`.
inline Mesh cut_above(Mesh mesh, float height)
{
    std::erase_if(mesh.triangles, [&](const auto& t) {
        return std::any_of(t.begin(), t.end(), [&](uint32_t v) { return mesh.vertices[v].y > height; });
    });
    return mesh;
}

/// The winding number of a surface around a point, from the solid angles of its triangles.
inline double winding_number(const Surface& surface, const SurfacePose& pose, const Vec3d& p)
{
    double sum = 0;
    for (const auto& t : surface.triangles())
        sum += solid_angle_share(to_double(pose.vertices[t[0]]), to_double(pose.vertices[t[1]]),
                                 to_double(pose.vertices[t[2]]), p);
    return sum;
}

struct BruteNearest {
    double distance = std::numeric_limits<double>::infinity();
    size_t triangle = 0;
    Vec3d point{0, 0, 0};
};

/// The nearest point on any triangle, by [Ericson05] 5.1.5, independent of the code under test.
inline BruteNearest brute_nearest(const Surface& surface, const SurfacePose& pose, const Vec3d& p)
{
    BruteNearest best;
    for (size_t i = 0; i < surface.triangles().size(); ++i) {
        const auto& t = surface.triangles()[i];
        const Vec3d a = to_double(pose.vertices[t[0]]), b = to_double(pose.vertices[t[1]]);
        const Vec3d c = to_double(pose.vertices[t[2]]);
        const Vec3d ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
        const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
                     d6 = dot(ac, cp);
        const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
        Vec3d q;
        if (d1 <= 0 && d2 <= 0)
            q = a;
        else if (d3 >= 0 && d4 <= d3)
            q = b;
        else if (d6 >= 0 && d5 <= d6)
            q = c;
        else if (vc <= 0 && d1 >= 0 && d3 <= 0)
            q = a + ab * (d1 / (d1 - d3));
        else if (vb <= 0 && d2 >= 0 && d6 <= 0)
            q = a + ac * (d2 / (d2 - d6));
        else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
            q = b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
        else
            q = a + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc));
        const double d = length(p - q);
        if (d < best.distance) best = {d, i, q};
    }
    return best;
}

}  // namespace tendril::test
