/// Distance fields of meshes, and exact distances to compare them with.
#pragma once

#include "body/field/distance_field.h"
#include "math/random.h"
#include "support/head.h"
#include "support/solids.h"

namespace tendril::test {

/// A mesh with its surface and its distance field.
struct MeshField {
    Mesh mesh;
    Surface surface{mesh.vertices, mesh.triangles};
    SurfacePose pose;
    DistanceField field;

    MeshField(Mesh m, const FieldSettings& settings, std::span<const Vec3f> motion = {}) : mesh(std::move(m))
    {
        surface.pose(mesh.vertices, pose, *make_serial_executor());
        field.build(surface, settings, mesh.vertices, motion, {0, 0, 0}, *threads(2));
    }
    FieldView view() const { return field.view({0, 0, 0}); }
    /// The exact distance, by brute force; negative inside.
    double signed_distance(const Vec3d& p) const
    {
        const double d = brute_nearest(surface, pose, p).distance;
        return winding_number(surface, pose, p) > 0.5 ? -d : d;
    }
};

inline FieldSettings coarse(float cell, FieldMethod method = FieldMethod::kFast)
{
    FieldSettings settings;
    settings.cell = cell;
    settings.refinement = 1;
    settings.padding = 3 * cell;
    settings.method = method;
    return settings;
}

inline FieldSettings fine(float cell, float band)
{
    FieldSettings settings = coarse(cell);
    settings.refinement = 4;
    settings.band = band;
    return settings;
}

/// Random point i in the cube [-reach, reach]^3.
inline Vec3d random_point(uint64_t i, double reach)
{
    return Vec3d{uniform(3, 3 * i) - 0.5, uniform(3, 3 * i + 1) - 0.5, uniform(3, 3 * i + 2) - 0.5} * (2 * reach);
}

}  // namespace tendril::test
