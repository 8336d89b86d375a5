/// What every use of Embree shares: a device with one scene, meshes placed before the eye, and errors that are not
/// lost.
#pragma once

#include "tendril/render.h"

#include <array>
#include <cstdint>
#include <vector>

struct RTCDeviceTy;
struct RTCSceneTy;
struct RTCGeometryTy;

namespace tendril {

/// A mesh seen from the eye, without triangles of vertices that do not exist or are not finite.
struct PlacedMesh {
    std::vector<Vec3f> vertices;  ///< one more than there are: Embree reads 16 bytes for the last one
    std::vector<std::array<uint32_t, 3>> triangles;
    std::vector<Vec3f> normals;  ///< per vertex, of length 1
    std::vector<Vec3f> colours;  ///< per triangle, in [0, 1]; empty: `colour`
    Vec3f colour;

    const Vec3f& colour_of(uint32_t triangle) const { return colours.empty() ? colour : colours[triangle]; }
};
PlacedMesh placed(const StageMesh& mesh, const Vec3d& eye);

/// Throws std::runtime_error where Embree refuses, which it does when memory runs out.
class EmbreeGeometry {
public:
    EmbreeGeometry();
    ~EmbreeGeometry();
    EmbreeGeometry(const EmbreeGeometry&) = delete;
    EmbreeGeometry& operator=(const EmbreeGeometry&) = delete;

    RTCDeviceTy* device() const { return device_; }
    RTCSceneTy* scene() const { return scene_; }
    /// Takes it over and gives it a number: 0, 1, ...
    uint32_t attach(RTCGeometryTy* geometry);
    /// `later`: the vertices when the shutter closes; empty where nothing moves. The arrays must stay.
    uint32_t add(const PlacedMesh& mesh, const std::vector<Vec3f>& later = {});
    /// After the last one.
    void commit();

private:
    RTCDeviceTy* device_;
    RTCSceneTy* scene_;
};

}  // namespace tendril
