/// The stage as an Embree scene, for path tracing: ray intersections with the data that shading needs. All positions
/// are relative to the eye of the camera, so floats suffice.
#pragma once

#include "render/embree_geometry.h"
#include "tendril/render.h"

#include <memory>
#include <vector>

namespace tendril {

/// A ray; only hits at distances between `near` and `far` count.
struct Ray {
    Vec3f origin{0, 0, 0}, direction{0, 0, -1};  ///< `direction` has unit length
    float near = 0, far = 1e30f;
    float time = 0;  ///< within the exposure, [0, 1]
};

enum class HitKind : uint8_t { kNone, kFibre, kMesh, kGround };

struct RayHit {
    HitKind kind = HitKind::kNone;
    float distance = 1e30f;
    Vec3f position;
    Vec3f tangent_or_normal;  ///< fibre: unit tangent towards the tip; mesh and ground: the smooth normal
    Vec3f flat_normal;        ///< mesh and ground: the triangle's normal, facing the origin of the ray
    float h = 0;              ///< fibre: offset across the width, [-1, 1], along cross(-ray direction, tangent)
    float radius = 0;         ///< fibre: [m]
    uint32_t strand = 0;      ///< fibre: index of the strand
    const StageStrands* strands = nullptr;
    Vec3f colour;  ///< of the mesh, or of dense hair if the strands have colours
};

/// Controls the geometry of strands.
struct CurveDetail {
    double pixel = 0;  ///< angle that a pixel covers [rad]; strands that are several pixels wide are round
    /// With more points than this, strands are straight between points: they are thin then, and Embree builds curved
    /// segments at half the speed.
    size_t max_curved_points = 1'000'000;
};

class EmbreeScene {
public:
    EmbreeScene(const Stage& stage, const Camera& camera, const CurveDetail& detail, Executor& executor);
    ~EmbreeScene();
    EmbreeScene(const EmbreeScene&) = delete;
    EmbreeScene& operator=(const EmbreeScene&) = delete;

    RayHit intersect(const Ray& ray) const;
    bool is_occluded(const Ray& ray) const;

private:
    struct Strands;
    struct Surface;
    void add(const StageStrands& strands, const Camera& camera, const CurveDetail& detail, Executor& executor);
    void add(const StageMesh& mesh, const Camera& camera);
    void fill(Strands& strands, const Camera& camera, Executor& executor) const;
    RayHit strand_hit(const Strands& strands, uint32_t segment, float u, const Ray& ray, float t) const;

    EmbreeGeometry embree_;
    Vec3d origin_;
    Ground ground_;
    std::vector<std::unique_ptr<Strands>> strands_;   // Embree's first geometry ids: 0, 1, ...
    std::vector<std::unique_ptr<Surface>> surfaces_;  // the ids after them
};

}  // namespace tendril
