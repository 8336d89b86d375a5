/// Which grooms are near enough to feel each other. Those form a cluster; what is between clusters costs nothing.
#pragma once

#include "tendril/vec3.h"

#include <cstddef>
#include <vector>

namespace tendril {

/// A box in the world [m].
struct GridBox {
    Vec3d low{0, 0, 0}, high{0, 0, 0};
    bool finite() const { return is_finite(low) && is_finite(high); }
};

GridBox united(const GridBox& a, const GridBox& b);
/// Whether boxes come nearer to each other than `gap`.
bool near(const GridBox& a, const GridBox& b, double gap);

/// A cluster has the number of the first groom in it.
struct Clusters {
    std::vector<GridBox> boxes;  ///< by groom; of a whole cluster where it is called by that number
    std::vector<size_t> of;      ///< the cluster of each groom

    bool exists(size_t number) const { return of[number] == number; }
    void clear();
    /// The next groom, a cluster of its own.
    void add(const GridBox& box);
    /// Makes one cluster of those whose boxes come nearer to each other than `gap`.
    void merge_near(double gap);
};

}  // namespace tendril
