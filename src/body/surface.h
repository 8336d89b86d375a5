/// A triangle mesh prepared for inside tests: vertices at the same position are welded, every hole is closed, and the
/// normals of faces, edges and vertices tell the two sides apart [Baerentzen05].
#pragma once

#include "math/scalar.h"
#include "tendril/parallel.h"
#include "tendril/vec3.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

#define TENDRIL_INLINE inline
#include "body/triangle.inl"
#undef TENDRIL_INLINE

/// A surface at some time, filled by Surface::pose; filling it again allocates nothing.
struct SurfacePose {
    std::vector<Vec3f> vertices;        ///< welded vertices, then those that close holes
    std::vector<Vec3f> face_normals;    ///< unit vectors; zero for a triangle without area
    std::vector<Vec3f> edge_normals;    ///< per edge: sum of the unit normals of its faces
    std::vector<Vec3f> vertex_normals;  ///< per vertex: sum of the unit normals of its faces, weighted by their angle
    std::vector<Vec3f> corner_angles;   ///< per triangle [rad]
};

/// The topology, which never changes: the triangles and how they are connected.
class Surface {
public:
    using Triangle = std::array<uint32_t, 3>;
    /// Marks a triangle that closes a hole in triangle_sources().
    static constexpr uint32_t kClosing = UINT32_MAX;

    Surface() = default;
    /// The rest vertices must be finite; triangles are counterclockwise seen from outside. A mesh that is inside out as
    /// a whole is flipped. Triangles with two corners at the same position are dropped, and so are duplicates.
    Surface(std::span<const Vec3f> rest, std::span<const Triangle> triangles);

    size_t vertex_count() const { return sources_.size() + closings_.size(); }
    size_t edge_count() const { return edge_faces_.empty() ? 0 : edge_faces_.first.size() - 1; }
    bool empty() const { return triangles_.empty(); }

    /// Corners are welded vertices. Every edge is traversed equally often in both directions.
    std::span<const Triangle> triangles() const { return triangles_; }
    /// Edge k of a triangle runs from its corner k to the next corner.
    std::span<const Triangle> triangle_edges() const { return triangle_edges_; }
    /// Per triangle: its index in the mesh, or kClosing.
    std::span<const uint32_t> triangle_sources() const { return triangle_sources_; }
    /// Number of boundary loops that were closed.
    size_t closed_holes() const { return closed_holes_; }
    /// Whether the mesh was inside out as a whole.
    bool flipped() const { return flipped_; }

    /// Transfers a per-vertex quantity of the mesh to the surface: a welded vertex takes that of the first mesh vertex
    /// it was made from, a vertex that closes a hole takes the mean of its rim. `out` has vertex_count() elements.
    void carry(std::span<const Vec3f> of_mesh, std::span<Vec3f> out, Executor& executor) const;

    /// Computes vertices and normals from the current mesh vertices, which may be relative to any origin.
    void pose(std::span<const Vec3f> mesh_vertices, SurfacePose& out, Executor& executor) const;
    /// Computes the normals of a pose whose vertices are already set.
    void update_normals(SurfacePose& pose, Executor& executor) const;

    FeatureNormals<float> feature_normals(const SurfacePose& pose, size_t triangle) const;

private:
    /// One list of indices per key.
    struct Lists {
        std::vector<uint32_t> first, items;  // the list of key i: items[first[i]] to items[first[i + 1]], exclusive
        bool empty() const { return first.empty(); }
        std::span<const uint32_t> of(size_t i) const
        {
            return std::span(items).subspan(first[i], first[i + 1] - first[i]);
        }
        /// Item i goes to the list of keys[i].
        static Lists by_key(std::span<const uint32_t> keys, size_t key_count);
    };
    void add_triangles(std::span<const uint32_t> weld_of, std::span<const Triangle> triangles);
    void close_holes();
    void close_loop(std::span<const uint32_t> loop);
    void orient_outwards(std::span<const Vec3f> rest);
    void list_edges();

    std::vector<uint32_t> sources_;                // per welded vertex: a vertex of the mesh
    std::vector<std::vector<uint32_t>> closings_;  // rims of the holes, as welded vertices
    std::vector<Triangle> triangles_, triangle_edges_;
    std::vector<uint32_t> triangle_sources_;
    Lists vertex_corners_;  // per vertex: 3 * triangle + corner
    Lists edge_faces_;      // per edge: triangles
    size_t closed_holes_ = 0;
    bool flipped_ = false;
};

/// The connected part to which each triangle belongs; triangles that share a vertex are connected. Parts are numbered
/// in the order of their first triangles.
std::vector<uint32_t> parts_of(const Surface& surface);

/// The winding number that a triangle, seen from p, contributes to: its solid angle over that of a sphere.
double solid_angle_share(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p);

/// Works for triangles without area, too.
template <class F>
FlatTriangle<F> flat_triangle(const Vec3<F>& a, const Vec3<F>& b, const Vec3<F>& c);

/// Returns `v` scaled to unit length, or zero if it has no direction.
template <class F>
Vec3<F> unit_or_zero(const Vec3<F>& v)
{
    const F l = length(v);
    return l > 0 && std::isfinite(l) ? v * (1 / l) : Vec3<F>{0, 0, 0};
}

}  // namespace tendril
