/// Asking a distance field about places, for code that is no kernel. One place and a group of them give the same bits.
#pragma once

#include "body/field_view.h"
#include "tendril/vec3.h"

#include <cstddef>

namespace tendril {

struct FieldPoint {
    float distance;  ///< signed [m], negative inside
    Vec3f normal;    ///< unit, away from the surface; zero where there is no direction
};

FieldPoint sample_at(const FieldView& field, const Vec3f& place);
Vec3f motion_at(const FieldView& field, const Vec3f& place);

/// Groups of 16 places: 16 times x, then y, then z. Out come 16 distances, then x, y and z of 16 normals.
void sample_groups(const FieldView& field, const float* places, float* samples, size_t groups);
/// Likewise; out come x, y and z of 16 motions.
void motion_groups(const FieldView& field, const float* places, float* motions, size_t groups);

}  // namespace tendril
