/// A triangle mesh made fit for asking what is inside: vertices at the same place are one, every hole is closed, and
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

/// A surface where it is at some time. Filled by Surface::pose; one that is filled again allocates nothing.
struct SurfacePose {
    std::vector<Vec3f> vertices;        ///< welded, then those that close holes
    std::vector<Vec3f> face_normals;    ///< unit; zero for a triangle without an area
    std::vector<Vec3f> edge_normals;    ///< sum of the unit normals of the faces that meet there
    std::vector<Vec3f> vertex_normals;  ///< sum of the unit normals of the faces, weighted by their angle
    std::vector<Vec3f> corner_angles;   ///< of each triangle [rad]
};

/// What never changes: which triangles there are and how they hang together.
class Surface {
public:
    using Triangle = std::array<uint32_t, 3>;
    /// In triangle_sources(): a triangle that closes a hole.
    static constexpr uint32_t kClosing = UINT32_MAX;

    Surface() = default;
    /// The vertices at rest are finite; triangles are counterclockwise seen from outside. A mesh that is inside out as
    /// a whole is turned. Triangles with two corners at the same place are dropped, and so are repeated ones.
    Surface(std::span<const Vec3f> rest, std::span<const Triangle> triangles);

    size_t vertex_count() const { return sources_.size() + closings_.size(); }
    size_t edge_count() const { return edge_faces_.empty() ? 0 : edge_faces_.first.size() - 1; }
    bool empty() const { return triangles_.empty(); }

    /// Corners are welded vertices. Every edge is run through equally often in both directions.
    std::span<const Triangle> triangles() const { return triangles_; }
    /// Edge k of a triangle runs from its corner k to the next.
    std::span<const Triangle> triangle_edges() const { return triangle_edges_; }
    /// Which triangle of the mesh it is, or kClosing.
    std::span<const uint32_t> triangle_sources() const { return triangle_sources_; }
    /// How many loops of edges without a neighbour were closed.
    size_t closed_holes() const { return closed_holes_; }

    /// Takes what each vertex of the mesh has to the vertices of the surface: a welded one takes it from the first of
    /// the vertices it is made of, one that closes a hole has the mean of its rim. `out` has vertex_count() elements.
    void carry(std::span<const Vec3f> of_mesh, std::span<Vec3f> out, Executor& executor) const;

    /// Vertices and normals of the mesh where it is now. Normals are right for vertices relative to any origin.
    void pose(std::span<const Vec3f> mesh_vertices, SurfacePose& out, Executor& executor) const;
    /// The same for a pose whose vertices are there already.
    void update_normals(SurfacePose& pose, Executor& executor) const;

    PartNormals<float> part_normals(const SurfacePose& pose, size_t triangle) const;

private:
    /// For each of many things a list of others.
    struct Lists {
        std::vector<uint32_t> first, items;  // those of i: items[first[i]] to items[first[i + 1]]
        bool empty() const { return first.empty(); }
        std::span<const uint32_t> of(size_t i) const
        {
            return std::span(items).subspan(first[i], first[i + 1] - first[i]);
        }
        /// keys[i] owns the item i.
        static Lists by_key(std::span<const uint32_t> keys, size_t key_count);
    };
    void add_triangles(std::span<const uint32_t> weld_of, std::span<const Triangle> triangles);
    void close_holes();
    void close_loop(std::span<const uint32_t> loop);
    void turn_outwards(std::span<const Vec3f> rest);
    void list_edges();

    std::vector<uint32_t> sources_;                // per welded vertex, one of the mesh
    std::vector<std::vector<uint32_t>> closings_;  // rims of the holes: welded vertices
    std::vector<Triangle> triangles_, triangle_edges_;
    std::vector<uint32_t> triangle_sources_;
    Lists vertex_corners_;  // per vertex: 3 * triangle + corner
    Lists edge_faces_;      // per edge: triangles
    size_t closed_holes_ = 0;
};

/// Of three corners. Works for triangles without an area, too.
template <class F>
FlatTriangle<F> flat_triangle(const Vec3<F>& a, const Vec3<F>& b, const Vec3<F>& c);

/// Of length one; zero where it has no direction.
template <class F>
Vec3<F> unit_or_zero(const Vec3<F>& v)
{
    const F l = length(v);
    return l > 0 && std::isfinite(l) ? v * (1 / l) : Vec3<F>{0, 0, 0};
}

}  // namespace tendril
