/// Wraps Embree for both renderers: a device with one scene, meshes relative to the eye, and error reporting.
#pragma once

#include "tendril/render.h"

#include <array>
#include <cstdint>
#include <vector>

struct RTCDeviceTy;
struct RTCSceneTy;
struct RTCGeometryTy;

namespace tendril {

/// A mesh relative to the eye, without the triangles whose vertices are missing or unusable.
struct EyeSpaceMesh {
    std::vector<Vec3f> vertices;  ///< with one extra at the end, because Embree reads 16 bytes per vertex
    std::vector<std::array<uint32_t, 3>> triangles;
    std::vector<Vec3f> normals;  ///< per vertex, unit length
    std::vector<Vec3f> colours;  ///< per triangle, in [0, 1]; empty: `colour`
    Vec3f colour;

    const Vec3f& colour_of(uint32_t triangle) const { return colours.empty() ? colour : colours[triangle]; }
};
EyeSpaceMesh to_eye_space(const StageMesh& mesh, const Vec3d& eye);

/// Owns an Embree device and scene. Throws std::runtime_error if Embree fails, for example when memory runs out.
class EmbreeGeometry {
public:
    EmbreeGeometry();
    ~EmbreeGeometry();
    EmbreeGeometry(const EmbreeGeometry&) = delete;
    EmbreeGeometry& operator=(const EmbreeGeometry&) = delete;

    RTCDeviceTy* device() const { return device_; }
    RTCSceneTy* scene() const { return scene_; }
    /// Takes ownership and returns the geometry's id: 0, 1, ...
    uint32_t attach(RTCGeometryTy* geometry);
    /// `later` holds the vertices at shutter close; it is empty if nothing moves. Both arrays must outlive this object.
    uint32_t add(const EyeSpaceMesh& mesh, const std::vector<Vec3f>& later = {});
    /// Builds the scene. Call it after adding all geometry.
    void commit();

private:
    RTCDeviceTy* device_;
    RTCSceneTy* scene_;
};

}  // namespace tendril
