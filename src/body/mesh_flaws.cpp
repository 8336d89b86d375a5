// What is wrong with a mesh whose inside must be told from its outside.

#include "body/surface.h"
#include "math/vectors.h"
#include "tendril/mesh.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// A part that is closed, or whose closed holes are at most this share of its area, has an inside. A hemisphere has a
// third, a sheet a half.
constexpr double kMaxClosing = 0.4;
// The sign of a volume counts if the volume is at least this multiple of the area to the power of 3/2. A sphere has
// 0.094, a thin limb 0.04.
constexpr double kMinVolume = 0.005;

/// How often the triangles of a mesh traverse an edge in each direction.
struct EdgeUse {
    uint32_t up = 0, down = 0;  // from the vertex with the lower index to the other, and back
};

void count_edges(const Surface& surface, MeshFlaws& flaws)
{
    std::vector<EdgeUse> uses(surface.edge_count());
    for (size_t t = 0; t < surface.triangles().size(); ++t) {
        if (surface.triangle_sources()[t] == Surface::kClosing) continue;
        const auto& corners = surface.triangles()[t];
        for (size_t k = 0; k < 3; ++k) {
            EdgeUse& use = uses[surface.triangle_edges()[t][k]];
            ++(corners[k] < corners[(k + 1) % 3] ? use.up : use.down);
        }
    }
    for (const EdgeUse& use : uses) {
        if (use.up == use.down) continue;
        if ((use.up + use.down) % 2 == 1)
            ++flaws.open_edges;
        else
            ++flaws.twisted_edges;
    }
}

/// A connected part of the surface with its holes closed.
struct Part {
    Vec3d low, high, middle;
    double volume = 0, area = 0, closing = 0;  // closing: area of the triangles that close holes
    size_t triangles = 0;                      // of the mesh

    double sided_volume() const { return volume / (area * std::sqrt(area)); }
    bool encloses(const Part& other) const
    {
        return low.x <= other.low.x && low.y <= other.low.y && low.z <= other.low.z && high.x >= other.high.x &&
               high.y >= other.high.y && high.z >= other.high.z;
    }
};

std::vector<Part> measure_parts(const Surface& surface, std::span<const Vec3f> mesh_vertices)
{
    std::vector<Vec3f> vertices(surface.vertex_count());
    surface.carry(mesh_vertices, vertices, *make_serial_executor());
    const std::vector<uint32_t> part_of = parts_of(surface);
    std::vector<Part> parts;
    for (size_t t = 0; t < part_of.size(); ++t) {
        const auto& corners = surface.triangles()[t];
        const Vec3d a = to_double(vertices[corners[0]]), b = to_double(vertices[corners[1]]);
        const Vec3d c = to_double(vertices[corners[2]]);
        if (part_of[t] == parts.size()) parts.push_back({a, a, a});
        Part& part = parts[part_of[t]];
        part.low = component_min(part.low, component_min(a, component_min(b, c)));
        part.high = component_max(part.high, component_max(a, component_max(b, c)));
        const double area = length(cross(b - a, c - a)) / 2;
        const Vec3d from = a - part.middle;
        part.volume += dot(cross(from, b - part.middle), c - part.middle) / 6;
        part.area += area;
        const bool closing = surface.triangle_sources()[t] == Surface::kClosing;
        part.closing += closing ? area : 0;
        part.triangles += !closing;
    }
    return parts;
}

/// Counts the triangles of parts that face inwards, except those of cavities, which another part encloses.
void count_inside_out(const Surface& surface, std::span<const Vec3f> vertices, MeshFlaws& flaws)
{
    const std::vector<Part> parts = measure_parts(surface, vertices);
    const double sign = surface.flipped() ? -1 : 1;  // the mesh itself faces the other way then
    const auto faces = [&](const Part& part, double way) {
        return part.closing <= kMaxClosing * part.area && way * sign * part.sided_volume() > kMinVolume;
    };
    for (const Part& part : parts) {
        if (!faces(part, -1)) continue;
        const auto is_cavity = [&](const Part& other) { return faces(other, 1) && other.encloses(part); };
        if (!std::any_of(parts.begin(), parts.end(), is_cavity)) flaws.inside_out += part.triangles;
    }
}

}  // namespace

MeshFlaws find_flaws(std::span<const Vec3f> vertices, std::span<const std::array<uint32_t, 3>> triangles)
{
    const Surface surface(vertices, triangles);
    MeshFlaws flaws;
    for (uint32_t source : surface.triangle_sources()) flaws.triangles += source != Surface::kClosing;
    count_edges(surface, flaws);
    count_inside_out(surface, vertices, flaws);
    return flaws;
}

}  // namespace tendril
