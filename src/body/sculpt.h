/// Shapes modelled from soft blobs, and the closed mesh around them. Bodies that the project makes itself look organic
/// this way, and no file has to come along.
#pragma once

#include "tendril/mesh.h"

namespace tendril {

/// An ellipsoid, or a capsule whose two ends differ in radius.
struct Blob {
    Vec3d a{0, 0, 0}, b{0, 0, 0};  ///< centre of the ellipsoid, or both ends of the capsule [m]
    Vec3d radii{1, 1, 1};          ///< of the ellipsoid; of the capsule x at `a`, y at `b` [m]
    double blend = 0.01;           ///< how softly it joins what came before it, > 0 [m]
    bool capsule = false;
    bool both_sides = false;  ///< also mirrored to -x
    bool carved = false;      ///< taken away instead of added
};

Blob ellipsoid(const Vec3d& centre, const Vec3d& radii, double blend);
Blob capsule(const Vec3d& a, const Vec3d& b, double radius_a, double radius_b, double blend);
Blob both_sides(Blob blob);
Blob carved(Blob blob);

/// Below 0 inside. Close to a distance near the surface.
double distance_to(const std::vector<Blob>& blobs, const Vec3d& p);

/// Where the mesh is looked for: planes across x, y and z [m]. Their spacing is the size of the triangles.
struct SculptGrid {
    std::vector<double> x, y, z;
};
/// Planes from `begin` to `end`, `step(at)` apart.
template <class Step>
std::vector<double> planes(double begin, double end, const Step& step)
{
    std::vector<double> result;
    for (double at = begin; at < end; at += step(at)) result.push_back(at);
    result.push_back(end);
    return result;
}

/// The closed surface where `distance_to` is zero, as vertices and triangles. It must lie inside the grid.
Mesh sculpt(const std::vector<Blob>& blobs, const SculptGrid& grid);

/// Per vertex and bone: a weight. Made smooth over the surface, cut to the four largest and summed up to one.
std::vector<VertexWeights> settle_weights(const Mesh& mesh, std::vector<std::vector<float>> weights, int smoothings);

/// Texture places around an upright or lying axis. Where the picture ends, vertices are doubled, with their weights, so
/// that no triangle runs backwards through it.
struct UvAxis {
    Vec3d centre;
    Vec3d along, seam;  ///< unit vectors: the axis, and across it towards where the picture ends
    double begin, end;  ///< along the axis, where v is 0 and 1
};
void wrap_uvs(Character& character, const UvAxis& axis);

/// From 0 at `begin` to 1 at `end`, without a kink.
inline double smooth_step(double begin, double end, double x)
{
    const double t = x <= begin ? 0 : x >= end ? 1 : (x - begin) / (end - begin);
    return t * t * (3 - 2 * t);
}

}  // namespace tendril
