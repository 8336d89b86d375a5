/// Clusters of grooms that are close enough to interact. The space between clusters costs nothing.
#pragma once

#include "tendril/vec3.h"

#include <cstddef>
#include <vector>

namespace tendril {

/// A box in world coordinates [m].
struct GridBox {
    Vec3d low{0, 0, 0}, high{0, 0, 0};
    /// Whether it can be covered with cells. The box of particles that are all not finite encloses nothing.
    bool finite() const
    {
        return is_finite(low) && is_finite(high) && low.x <= high.x && low.y <= high.y && low.z <= high.z;
    }
};

GridBox united(const GridBox& a, const GridBox& b);
/// Whether two boxes are closer than `gap` along every axis [m].
bool near(const GridBox& a, const GridBox& b, double gap);

/// A cluster has the index of its first groom.
struct Clusters {
    std::vector<GridBox> boxes;  ///< by groom; at the index of a cluster, the box of the whole cluster
    std::vector<size_t> of;      ///< the cluster of each groom

    bool exists(size_t number) const { return of[number] == number; }
    void clear();
    /// Adds the next groom as a separate cluster.
    void add(const GridBox& box);
    /// Merges clusters whose boxes are closer than `gap`, until none are.
    void merge_near(double gap);
};

}  // namespace tendril
