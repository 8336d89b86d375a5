#include "render/surface_scene.h"

#include "render/embree_api.h"
#include "render/embree_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tendril {
struct SurfaceScene::State {
    EmbreeGeometry embree;
    std::vector<EyeSpaceMesh> meshes;
    std::vector<uint32_t> mesh_of_geometry;
    Vec3f low{0, 0, 0}, high{0, 0, 0};
    float thickness = std::numeric_limits<float>::infinity();
    bool empty = true;
};

namespace {

/// The mean chord length of a closed mesh: four times the volume over the area, by Cauchy's formula.
float mean_chord(const EyeSpaceMesh& mesh)
{
    double volume = 0, area = 0;
    Vec3d middle{0, 0, 0};  // measured from here, an open sheet has little or no volume
    for (const auto& t : mesh.triangles) middle += to_double(mesh.vertices[t[0]]);
    middle = middle * (1 / static_cast<double>(std::max<size_t>(mesh.triangles.size(), 1)));
    for (const auto& t : mesh.triangles) {
        const Vec3d a = to_double(mesh.vertices[t[0]]) - middle, b = to_double(mesh.vertices[t[1]]) - middle;
        const Vec3d c = to_double(mesh.vertices[t[2]]) - middle;
        volume += dot(a, cross(b, c)) / 6;
        area += 0.5 * length(cross(b - a, c - a));
    }
    return area > 0 ? static_cast<float>(4 * std::abs(volume) / area) : 0.0f;
}

}  // namespace

SurfaceScene::SurfaceScene(std::span<const StageMesh> meshes, const Vec3d& eye) : state_(std::make_unique<State>())
{
    for (const StageMesh& mesh : meshes) {
        state_->meshes.push_back(to_eye_space(mesh, eye));
        for (const auto& t : state_->meshes.back().triangles)
            for (const uint32_t corner : t) {
                const Vec3f& p = state_->meshes.back().vertices[corner];
                Vec3f &low = state_->low, &high = state_->high;
                if (state_->empty) low = high = p;
                low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
                high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
                state_->empty = false;
            }
    }
    if (state_->empty) return;
    for (uint32_t m = 0; m < state_->meshes.size(); ++m) {
        if (state_->meshes[m].triangles.empty()) continue;
        state_->embree.add(state_->meshes[m]);
        state_->mesh_of_geometry.push_back(m);
        state_->thickness = std::min(state_->thickness, mean_chord(state_->meshes[m]));
    }
    state_->embree.commit();
}

SurfaceScene::~SurfaceScene() = default;

bool SurfaceScene::empty() const
{
    return state_->empty;
}
Vec3f SurfaceScene::low() const
{
    return state_->low;
}
Vec3f SurfaceScene::high() const
{
    return state_->high;
}

float SurfaceScene::thickness() const
{
    return state_->thickness;
}

SurfaceHit SurfaceScene::trace(const Vec3f& origin, const Vec3f& direction, float from) const
{
    SurfaceHit hit;
    if (state_->empty) return hit;
    RTCRayHit query{};
    query.ray = {origin.x,    origin.y,    origin.z,
                 from,        direction.x, direction.y,
                 direction.z, 0,           std::numeric_limits<float>::infinity(),
                 0xffffffffu, 0,           0};
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    embree_intersect(state_->embree.scene(), query, RayOrder::kCoherent);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;

    hit.distance = query.ray.tfar;
    hit.mesh = state_->mesh_of_geometry[query.hit.geomID];
    const EyeSpaceMesh& mesh = state_->meshes[hit.mesh];
    const auto& t = mesh.triangles[query.hit.primID];
    const Vec3f flat = unit_or(Vec3f{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z}, {0, 1, 0});
    hit.colour = mesh.colour_of(query.hit.primID);
    const float u = query.hit.u, v = query.hit.v;
    const Vec3f smooth = mesh.normals[t[0]] * (1 - u - v) + mesh.normals[t[1]] * u + mesh.normals[t[2]] * v;
    hit.from_behind = dot(flat, direction) > 0;
    hit.flat_normal = hit.from_behind ? flat * -1.0f : flat;
    const Vec3f normal = unit_or(smooth, flat);
    hit.normal = hit.from_behind ? normal * -1.0f : normal;
    return hit;
}

int SurfaceScene::count_seen(const Vec3f& origin, const std::array<Vec3f, 4>& targets) const
{
    if (state_->empty) return 4;
    alignas(16) const int valid[4] = {-1, -1, -1, -1};
    RTCRay4 rays{};
    for (int i = 0; i < 4; ++i) {
        const Vec3f d = targets[static_cast<size_t>(i)] - origin;
        rays.org_x[i] = origin.x, rays.org_y[i] = origin.y, rays.org_z[i] = origin.z;
        rays.dir_x[i] = d.x, rays.dir_y[i] = d.y, rays.dir_z[i] = d.z;
        rays.tnear[i] = 0, rays.tfar[i] = 0.999f, rays.mask[i] = 0xffffffffu;
    }
    embree_occluded(state_->embree.scene(), valid, rays, RayOrder::kCoherent);
    int seen = 0;
    for (int i = 0; i < 4; ++i) seen += rays.tfar[i] >= 0 ? 1 : 0;
    return seen;
}

}  // namespace tendril
