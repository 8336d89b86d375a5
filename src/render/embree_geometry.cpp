#include "render/embree_geometry.h"

#include "render/embree_api.h"
#include "render/light_math.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tendril {

namespace {

/// Clamps a reflectance to [0, 1]: above 1, light would grow with every bounce.
Vec3f reflectance_or(const Vec3f& c, const Vec3f& fallback)
{
    if (!is_finite(c)) return fallback;
    return {std::clamp(c.x, 0.0f, 1.0f), std::clamp(c.y, 0.0f, 1.0f), std::clamp(c.z, 0.0f, 1.0f)};
}

}  // namespace

EyeSpaceMesh to_eye_space(const StageMesh& mesh, const Vec3d& eye)
{
    EyeSpaceMesh result;
    const Vec3d shift = mesh.origin - eye;
    result.vertices.reserve(mesh.vertices.size() + 1);
    for (const Vec3f& v : mesh.vertices) result.vertices.push_back(to_float(to_double(v) + shift));
    result.colour = reflectance_or(mesh.colour, {0, 0, 0});
    const bool has_colours = !mesh.colours.empty() && mesh.colours.size() == mesh.triangles.size();
    for (size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto& t = mesh.triangles[i];
        const bool exists = std::max({t[0], t[1], t[2]}) < mesh.vertices.size();
        if (!exists || !is_usable(result.vertices[t[0]]) || !is_usable(result.vertices[t[1]]) ||
            !is_usable(result.vertices[t[2]]))
            continue;
        result.triangles.push_back(t);
        if (has_colours) result.colours.push_back(reflectance_or(mesh.colours[i], result.colour));
    }
    result.normals.assign(mesh.vertices.size(), Vec3f{0, 0, 0});
    for (const auto& t : result.triangles) {
        const Vec3f& a = result.vertices[t[0]];
        const Vec3f n = cross(result.vertices[t[1]] - a, result.vertices[t[2]] - a);  // weighted by the area
        for (const uint32_t corner : t) result.normals[corner] += n;
    }
    for (Vec3f& n : result.normals) n = unit_or(n, {0, 1, 0});
    result.vertices.push_back({0, 0, 0});
    return result;
}

EmbreeGeometry::EmbreeGeometry() : device_(rtcNewDevice(nullptr)), scene_(device_ ? rtcNewScene(device_) : nullptr)
{
    if (!scene_) {
        if (device_) rtcReleaseDevice(device_);
        throw std::runtime_error("Embree could not be initialized");
    }
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
}

EmbreeGeometry::~EmbreeGeometry()
{
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
}

uint32_t EmbreeGeometry::attach(RTCGeometryTy* geometry)
{
    rtcCommitGeometry(geometry);
    const unsigned id = rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    return id;
}

uint32_t EmbreeGeometry::add(const EyeSpaceMesh& mesh, const std::vector<Vec3f>& later)
{
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryTimeStepCount(geometry, later.empty() ? 1 : 2);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, mesh.vertices.data(), 0,
                               sizeof(Vec3f), mesh.vertices.size() - 1);
    if (!later.empty())
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 1, RTC_FORMAT_FLOAT3, later.data(), 0,
                                   sizeof(Vec3f), mesh.vertices.size() - 1);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh.triangles.data(), 0,
                               sizeof(mesh.triangles[0]), mesh.triangles.size());
    return attach(geometry);
}

void EmbreeGeometry::commit()
{
    rtcCommitScene(scene_);
    const RTCError error = rtcGetDeviceError(device_);
    if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::runtime_error("not enough memory for the picture");
    if (error != RTC_ERROR_NONE) throw std::runtime_error("Embree could not build the scene");
}

}  // namespace tendril
