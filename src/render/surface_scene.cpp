#include "render/surface_scene.h"

#include <embree3/rtcore.h>

#include <limits>
#include <vector>

namespace tendril {
namespace {

constexpr float kFar = 1e12f;  // [m]: squares of it are still floats

struct PlacedMesh {
    std::vector<Vec3f> vertices, normals;
    std::vector<std::array<uint32_t, 3>> triangles;
};

bool is_usable(const Vec3f& p)
{
    return std::abs(p.x) < kFar && std::abs(p.y) < kFar && std::abs(p.z) < kFar;
}

/// Seen from the eye, without triangles that name vertices that are not there or not finite.
PlacedMesh placed(const StageMesh& mesh, const Vec3d& eye)
{
    PlacedMesh result;
    const Vec3d shift = mesh.origin - eye;
    result.vertices.reserve(mesh.vertices.size() + 1);
    for (const Vec3f& v : mesh.vertices) result.vertices.push_back(to_float(to_double(v) + shift));
    for (const auto& t : mesh.triangles) {
        const bool exists = std::max({t[0], t[1], t[2]}) < mesh.vertices.size();
        if (exists && is_usable(result.vertices[t[0]]) && is_usable(result.vertices[t[1]]) &&
            is_usable(result.vertices[t[2]]))
            result.triangles.push_back(t);
    }
    result.normals.assign(result.vertices.size(), Vec3f{0, 0, 0});
    for (const auto& t : result.triangles) {
        const Vec3f& a = result.vertices[t[0]];
        const Vec3f n = cross(result.vertices[t[1]] - a, result.vertices[t[2]] - a);  // as long as the area is large
        for (const uint32_t corner : t) result.normals[corner] += n;
    }
    return result;
}

}  // namespace

struct SurfaceScene::State {
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    std::vector<PlacedMesh> meshes;
    std::vector<uint32_t> mesh_of_geometry;
    Vec3f low{0, 0, 0}, high{0, 0, 0};
    bool empty = true;

    ~State()
    {
        if (scene) rtcReleaseScene(scene);
        if (device) rtcReleaseDevice(device);
    }

    void add(const PlacedMesh& mesh, uint32_t index)
    {
        RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        // One vertex more than there are: Embree reads 16 bytes for the last one.
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, mesh.vertices.data(), 0,
                                   sizeof(Vec3f), mesh.vertices.size() - 1);
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh.triangles.data(), 0,
                                   sizeof(mesh.triangles[0]), mesh.triangles.size());
        rtcCommitGeometry(geometry);
        const unsigned id = rtcAttachGeometry(scene, geometry);
        rtcReleaseGeometry(geometry);
        mesh_of_geometry.resize(std::max<size_t>(mesh_of_geometry.size(), id + 1));
        mesh_of_geometry[id] = index;
    }
};

SurfaceScene::SurfaceScene(std::span<const StageMesh> meshes, const Vec3d& eye) : state_(std::make_unique<State>())
{
    for (const StageMesh& mesh : meshes) {
        state_->meshes.push_back(placed(mesh, eye));
        state_->meshes.back().vertices.push_back({0, 0, 0});
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
    state_->device = rtcNewDevice(nullptr);
    if (!state_->device) {
        state_->empty = true;
        return;
    }
    state_->scene = rtcNewScene(state_->device);
    rtcSetSceneFlags(state_->scene, RTC_SCENE_FLAG_ROBUST);
    for (uint32_t m = 0; m < state_->meshes.size(); ++m)
        if (!state_->meshes[m].triangles.empty()) state_->add(state_->meshes[m], m);
    rtcCommitScene(state_->scene);
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
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    rtcIntersect1(state_->scene, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;

    hit.distance = query.ray.tfar;
    hit.mesh = state_->mesh_of_geometry[query.hit.geomID];
    const PlacedMesh& mesh = state_->meshes[hit.mesh];
    const auto& t = mesh.triangles[query.hit.primID];
    const Vec3f flat = unit_or(Vec3f{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z}, {0, 1, 0});
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
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    rtcOccluded4(valid, state_->scene, &context, &rays);
    int seen = 0;
    for (int i = 0; i < 4; ++i) seen += rays.tfar[i] >= 0 ? 1 : 0;
    return seen;
}

}  // namespace tendril
