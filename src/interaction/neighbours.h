/// Who is near whom: for every particle the others within a radius, and sums over them that cost nothing more while
/// they are being looked for.
#pragma once

#include "interaction/cell_grid.h"
#include "tendril/parallel.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// A particle as the kernels load it: four floats that a register of any width can take apart.
struct alignas(16) PointMass {
    float x, y, z, mass;
};

/// What the search knows of a particle's surroundings. With u = 1 - r^2/h^2 for each particle nearer than h, itself
/// included: the sums of m u, m u^2 and m u^3.
struct alignas(16) Surroundings {
    float u1, u2, u3;
    /// Squared distance, in units of h^2, below which neighbours are listed: 1, or less where the list is full.
    float reach;
};

/// How the lists are made.
struct NeighbourSettings {
    float radius = 0.01f;  ///< h [m], above 0
    /// A list is as long as this at most, in [1, kMaxListed]. A particle with more neighbours keeps the nearest ones:
    /// those nearer than the first that would be too many. Of equally near ones all are kept or none, so that the
    /// choice does not depend on an order.
    uint32_t max_neighbours = 48;
};
inline constexpr uint32_t kMaxListed = 512;

/// Lists of neighbours, by places in an order that is sorted in space. A particle's own list may have been cut; a pair
/// is a pair only where its distance is within the reach of both, and then each is in the list of the other.
class Neighbours {
public:
    /// Masses [kg] may be empty: all are 1 then.
    void find(std::span<const Vec3f> positions, std::span<const float> masses, const NeighbourSettings& settings,
              Executor& executor);

    size_t size() const { return size_; }
    /// Which particle is at a place.
    std::span<const uint32_t> order() const { return grid_.order(); }
    std::span<const PointMass> particles() const { return {particles_.data(), size_}; }
    std::span<const Surroundings> surroundings() const { return surroundings_; }
    /// The places of those near the one at a place, without itself, in ascending runs.
    std::span<const uint32_t> list(size_t index) const { return {padded_list(index), counts_[index]}; }
    /// The same, filled up with the place itself to a multiple of 16.
    const uint32_t* padded_list(size_t index) const { return lists_.data() + index * stride_; }
    /// How many lists were cut. Where none was, every listed pair is mutual.
    size_t cut() const { return cut_; }
    /// Whether two places, one in the list of the other, are in each other's lists.
    bool mutual(size_t a, size_t b) const;
    /// The squared distance in units of h^2, as the kernels round it: the same both ways.
    float scaled_distance2(size_t a, size_t b) const;
    float per_radius2() const { return per_radius2_; }
    size_t bytes() const;

private:
    CellGrid grid_;
    std::vector<PointMass> particles_;
    std::vector<Surroundings> surroundings_;
    std::vector<uint32_t> lists_, counts_;
    size_t size_ = 0, stride_ = 0, cut_ = 0;
    float per_radius2_ = 1;
};

}  // namespace tendril
