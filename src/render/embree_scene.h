/// The stage as Embree sees it, with what shading needs to know where a ray meets it. Everything is seen from the eye
/// of the camera, in floats.
#pragma once

#include "render/embree_geometry.h"
#include "tendril/render.h"

#include <memory>
#include <vector>

namespace tendril {

/// The part of a ray between `near` and `far` counts.
struct Ray {
    Vec3f origin{0, 0, 0}, direction{0, 0, -1};  ///< the direction has length 1
    float near = 0, far = 1e30f;
    float time = 0;  ///< of the shutter, [0, 1]
};

enum class Met : uint8_t { kNothing, kFibre, kMesh, kGround };

struct RayMeeting {
    Met what = Met::kNothing;
    float distance = 1e30f;
    Vec3f place;
    Vec3f along;          ///< fibre: unit, towards the tip. Mesh and ground: the smooth normal
    Vec3f face;           ///< mesh and ground: the normal of the triangle, on the side of the ray
    float h = 0;          ///< fibre: where across its width, [-1, 1], towards cross(to the eye, along)
    float radius = 0;     ///< fibre [m]
    uint32_t strand = 0;  ///< fibre
    const StageStrands* strands = nullptr;
    Vec3f colour;  ///< of the mesh, or of dense hair where the strands have colours
};

/// How finely strands are built.
struct CurveDetail {
    double pixel = 0;  ///< the angle that a pixel covers [rad]: strands are round where they are many pixels wide
    /// With more points strands are not curved between them: they are thin then, and Embree takes twice as long to sort
    /// curves.
    size_t most_curved_points = 1'000'000;
};

class EmbreeScene {
public:
    EmbreeScene(const Stage& stage, const Camera& camera, const CurveDetail& detail, Executor& executor);
    ~EmbreeScene();
    EmbreeScene(const EmbreeScene&) = delete;
    EmbreeScene& operator=(const EmbreeScene&) = delete;

    RayMeeting meet(const Ray& ray) const;
    bool blocked(const Ray& ray) const;

private:
    struct Strands;
    struct Surface;
    void add(const StageStrands& strands, const Camera& camera, const CurveDetail& detail, Executor& executor);
    void add(const StageMesh& mesh, const Camera& camera);
    void fill(Strands& strands, const Camera& camera, Executor& executor) const;
    RayMeeting meet_strand(const Strands& strands, uint32_t segment, float u, const Ray& ray, float t) const;

    EmbreeGeometry embree_;
    Vec3d origin_;
    Ground ground_;
    std::vector<std::unique_ptr<Strands>> strands_;   // numbers 0, 1, ... in Embree
    std::vector<std::unique_ptr<Surface>> surfaces_;  // and those after them
};

}  // namespace tendril
