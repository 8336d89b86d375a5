/// Neighbour search: for every particle a list of the others within a radius, and sums over them, which cost almost
/// nothing during the search.
#pragma once

#include "interaction/cell_grid.h"
#include "tendril/parallel.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tendril {

/// A particle in the layout that the kernels load: four floats, which registers of any width can transpose.
struct alignas(16) PointMass {
    float x, y, z, mass;
};

/// Results of the search for one particle: the sums of m u, m u^2 and m u^3 over all particles nearer than h, itself
/// included, with u = 1 - r^2/h^2.
struct alignas(16) Surroundings {
    float u1, u2, u3;
    /// Squared distance, in units of h^2, below which neighbours are listed: 1, or less if the list was cut.
    float reach;
};

struct NeighbourSettings {
    float radius = 0.01f;  ///< h [m], > 0
    /// Maximum length of a list, in [1, kMaxListed]. A particle with more neighbours keeps only those nearer than the
    /// first one beyond the cap. Of neighbours at the same distance, all or none are kept, so that the choice does not
    /// depend on their order.
    uint32_t max_neighbours = 48;
};
inline constexpr uint32_t kMaxListed = 512;

/// Lists of neighbours. Particles are sorted in space, and all indices below are positions in this sorted order. Lists
/// may be cut: a pair counts only if its distance is within the reach of both particles, and then each is in the list
/// of the other.
class Neighbours {
public:
    /// If the masses [kg] are empty, all are 1.
    void find(std::span<const Vec3f> positions, std::span<const float> masses, const NeighbourSettings& settings,
              Executor& executor);

    size_t size() const { return size_; }
    /// The particles in sorted order, as indices into the positions that `find` was given.
    std::span<const uint32_t> order() const { return grid_.order(); }
    std::span<const PointMass> particles() const { return {particles_.data(), size_}; }
    std::span<const Surroundings> surroundings() const { return surroundings_; }
    /// Indices of the neighbours of a particle, without itself, in ascending runs.
    std::span<const uint32_t> list(size_t index) const { return {padded_list(index), counts_[index]}; }
    /// The same, padded with the particle's own index to a multiple of 16.
    const uint32_t* padded_list(size_t index) const { return lists_.data() + index * stride_; }
    /// Number of lists that were cut. If it is 0, every listed pair is mutual.
    size_t cut() const { return cut_; }
    /// Whether two particles are in each other's lists, if one is in the list of the other.
    bool mutual(size_t a, size_t b) const;
    /// Squared distance in units of h^2, rounded as in the kernels; symmetric to the bit.
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
