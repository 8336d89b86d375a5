/// The rotation that fits a region of a string best.
#pragma once

#include "tendril/vec3.h"

namespace tendril {

/// Of a matrix.
struct Columns {
    Vec3d x{0, 0, 0}, y{0, 0, 0}, z{0, 0, 0};
};

/// Rotates q towards the rotation that fits A best, which maximises the sum of the dot products of its columns with
/// those of A. Because it starts from the previous rotation, components that A does not determine stay unchanged: the
/// rotation about a line, or any rotation of a point.
Quat best_rotation(const Columns& a, Quat q);

}  // namespace tendril
