/// Even subsets of points on a surface.
/// [Yuksel15] C. Yuksel: Sample Elimination for Generating Poisson Disk Sample Sets, Eurographics 2015.
#pragma once

#include "tendril/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// The `keep` of the points that are farthest from each other, by taking away the most crowded one again and again.
/// Indices, rising. `area` is that of the surface.
std::vector<uint32_t> eliminate_samples(std::span<const Vec3d> points, size_t keep, double area);

}  // namespace tendril
