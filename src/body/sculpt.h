/// Models organic shapes from smoothly blended primitives and meshes their closed surface, so that the built-in bodies
/// need no files.
#pragma once

#include "tendril/mesh.h"

namespace tendril {

/// An ellipsoid, or a capsule whose two ends differ in radius.
struct Blob {
    Vec3d a{0, 0, 0}, b{0, 0, 0};  ///< centre of the ellipsoid, or both ends of the capsule [m]
    Vec3d radii{1, 1, 1};          ///< of the ellipsoid; for a capsule x is the radius at `a`, y that at `b` [m]
    double blend = 0.01;           ///< width over which it blends with the blobs before it [m], > 0
    bool capsule = false;
    bool both_sides = false;  ///< also mirrored to -x
    bool carved = false;      ///< subtracted instead of added
};

Blob ellipsoid(const Vec3d& centre, const Vec3d& radii, double blend);
Blob capsule(const Vec3d& a, const Vec3d& b, double radius_a, double radius_b, double blend);
Blob both_sides(Blob blob);
Blob carved(Blob blob);

/// Negative inside. Near the surface the value is close to the distance.
double distance_to(const std::vector<Blob>& blobs, const Vec3d& p);

/// Planes across x, y and z between which the surface is meshed [m]. Their spacing sets the size of the triangles.
struct SculptGrid {
    std::vector<double> x, y, z;
};
/// Returns planes from `begin` to `end`, spaced by `step(at)`.
template <class Step>
std::vector<double> planes(double begin, double end, const Step& step)
{
    std::vector<double> result;
    for (double at = begin; at < end; at += step(at)) result.push_back(at);
    result.push_back(end);
    return result;
}

/// Returns the closed surface where `distance_to` is zero, as vertices and triangles. It must lie inside the grid.
Mesh sculpt(const std::vector<Blob>& blobs, const SculptGrid& grid);

/// Smooths weights per vertex and bone over the surface, keeps the four largest and normalizes their sum to one.
std::vector<VertexWeights> smooth_weights(const Mesh& mesh, std::vector<std::vector<float>> weights, int smoothings);

/// Texture coordinates around an axis. Vertices at the seam are duplicated, with their weights, so that no triangle
/// spans the texture backwards.
struct UvAxis {
    Vec3d centre;
    Vec3d along, seam;  ///< unit vectors: the axis, and the direction across it to the seam
    double begin, end;  ///< positions along the axis where v is 0 and 1
};
void wrap_uvs(Character& character, const UvAxis& axis);

/// Rises smoothly from 0 at `begin` to 1 at `end`, with zero slope at both.
inline double smooth_step(double begin, double end, double x)
{
    const double t = x <= begin ? 0 : x >= end ? 1 : (x - begin) / (end - begin);
    return t * t * (3 - 2 * t);
}

}  // namespace tendril
