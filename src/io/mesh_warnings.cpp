// Says what is wrong with the meshes of a scene that hair grows on or collides with.
#include "io/scene_check.h"
#include "io/scene_groom.h"
#include "tendril/mesh.h"
#include "tendril/scene.h"

#include <fmt/format.h>

#include <algorithm>

namespace tendril {
namespace {

/// What a body is used for.
struct BodyUse {
    bool skin;   // its skin is a collider
    bool grows;  // hair grows along its normals
};

BodyUse use_of(const Scene& whole, size_t body)
{
    const BodyCollide collide = whole.bodies[body].collide;
    const auto grows = [&](const SceneGroom& groom) {
        return groom.file.empty() && groom.style != StyleType::kRope && groom.style != StyleType::kSphere &&
               body_index(whole, groom.body) == body;
    };
    return {collide == BodyCollide::kField || collide == BodyCollide::kMarching || collide == BodyCollide::kTriangles,
            std::any_of(whole.grooms.begin(), whole.grooms.end(), grows)};
}

void add_warnings(const std::string& body, BodyUse use, const MeshFlaws& flaws, std::vector<std::string>& out)
{
    const auto add = [&](const std::string& text) { out.push_back(fmt::format("body '{}': {}", body, text)); };
    if (flaws.inside_out > 0)
        add(
            fmt::format("{} of the {} triangles of its mesh face inwards, so hair grows into the body; recalculate the "
                        "normals in the program that made the mesh",
                        flaws.inside_out, flaws.triangles));
    if (flaws.twisted_edges > 0)
        add(
            fmt::format("at {} edges of its mesh, a triangle that faces outwards meets one that faces inwards; "
                        "recalculate the normals in the program that made the mesh",
                        flaws.twisted_edges));
    if (use.skin && flaws.open_edges > 0)
        add(fmt::format(
            "its mesh has holes: {} edges have triangles on one side only. A skin collider closes them with "
            "flat covers, and near them the penetration of strands is not measured, because inside and "
            "outside are unknown; close the holes, or use body.collide = \"shapes\"",
            flaws.open_edges));
}

}  // namespace

std::vector<std::string> mesh_warnings(const Scene& scene, World& world)
{
    const Scene whole = with_copies(scene);
    std::vector<std::string> out;
    for (size_t b = 0, first = 0; first < whole.bodies.size(); first += static_cast<size_t>(scene.bodies[b++].copies)) {
        const BodyUse use = use_of(whole, first);  // copies have the same mesh
        if (!use.skin && !use.grows) continue;
        const MeshView mesh = world.mesh({static_cast<uint32_t>(first)}, 0);
        if (mesh.triangles.empty()) continue;
        add_warnings(whole.bodies[first].name, use, find_flaws(mesh.vertices, mesh.triangles), out);
    }
    return out;
}

Result<std::vector<std::string>> mesh_warnings(const Scene& scene)
{
    const Scene whole = with_copies(scene);
    std::vector<std::string> out;
    for (size_t b = 0; b < whole.bodies.size(); ++b) {
        const BodyUse use = use_of(whole, b);
        if (!use.skin && !use.grows) continue;
        const auto mesh = load_body(whole, whole.bodies[b]);
        if (!mesh) return Error{mesh.error()};
        add_warnings(whole.bodies[b].name, use, find_flaws(mesh->rest.vertices, mesh->rest.triangles), out);
    }
    return out;
}

}  // namespace tendril
