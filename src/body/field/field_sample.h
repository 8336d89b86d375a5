/// Queries of a distance field for code outside kernels. One point and a group of points give the same bits.
#pragma once

#include "body/field/field_view.h"
#include "tendril/vec3.h"

#include <cstddef>

namespace tendril {

struct FieldPoint {
    float distance;  ///< signed [m], negative inside
    Vec3f normal;    ///< unit vector away from the surface; zero where the gradient vanishes
};

FieldPoint sample_at(const FieldView& field, const Vec3f& point);
Vec3f motion_at(const FieldView& field, const Vec3f& point);

/// Queries groups of 16 points, each stored as 16 x, then y, then z. Returns per group 16 distances, then x, y and z of
/// 16 normals.
void sample_groups(const FieldView& field, const float* points, float* samples, size_t groups);
/// Likewise; returns per group x, y and z of 16 motions.
void motion_groups(const FieldView& field, const float* points, float* motions, size_t groups);

}  // namespace tendril
