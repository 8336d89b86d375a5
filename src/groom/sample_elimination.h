/// Evenly spread subsets of points on a surface.
/// [Yuksel15] C. Yuksel: Sample Elimination for Generating Poisson Disk Sample Sets, Eurographics 2015.
#pragma once

#include "tendril/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// Selects `keep` points that are far from each other by repeatedly removing the most crowded one. Returns ascending
/// indices. `area` is the area of the surface.
std::vector<uint32_t> eliminate_samples(std::span<const Vec3d> points, size_t keep, double area);

}  // namespace tendril
