/// Interaction between strands through density and velocity on a grid [Mueller12] 3.6: friction pulls particles towards
/// the mean velocity around them, and repulsion pushes crowded particles towards lower density. See
/// docs/interaction.md.
#pragma once

#include "interaction/clusters.h"
#include "interaction/density_grid.h"
#include "interaction/interaction.h"

#include <vector>

namespace tendril {

class GridInteraction final : public Interaction {
public:
    explicit GridInteraction(const GridSettings& settings) : settings_(settings) {}

    void configure(const InteractionSettings& settings) override { settings_ = settings.grid; }
    void prepare(std::span<const InteractingGroom> grooms, Executor& executor) override;
    void apply(std::span<const InteractingGroom> grooms, const InteractionStep& step, Executor& executor) override;

    // The parts of `apply`, public for benchmarks: `gather_clusters`, then for each cluster `lay_out` and the passes of
    // the grid.
    /// Returns an upper bound on the indices of clusters; `lay_out` returns nothing for unused ones.
    size_t gather_clusters(std::span<const InteractingGroom> grooms, Executor& executor);
    /// Lays out the grid around a cluster and returns its grooms.
    std::span<const GriddedGroom> lay_out(std::span<const InteractingGroom> grooms, size_t cluster,
                                          const InteractionStep& step, Executor& executor);
    DensityGrid& grid() { return grid_; }

    double cell() const { return cell_; }
    /// Density around a particle in the rest pose [particles per cell].
    float rest_density(size_t groom, size_t strand, int level) const;

private:
    /// Rest densities by groom, for one cell size.
    struct Rest {
        int coarsening = 0;
        std::vector<ParticleRows> density;
    };

    GridForces forces(const InteractionStep& step, const InteractingGroom& groom) const;
    bool idle() const { return settings_.friction <= 0 && settings_.repulsion <= 0; }
    void update_grooms(std::span<const InteractingGroom> grooms);
    bool has_grid(size_t cluster) const { return clusters_.exists(cluster) && clusters_.boxes[cluster].finite(); }
    Rest& rest_for(std::span<const InteractingGroom> grooms, int coarsening, Executor& executor);
    void measure_rest(std::span<const InteractingGroom> grooms, size_t first, int coarsening, Rest& rest,
                      Executor& executor);

    GridSettings settings_;
    DensityGrid grid_;
    double cell_ = 0;            ///< cell size before coarsening [m]
    float requested_cell_ = -1;  ///< the setting that `cell_` was chosen for
    KnownGrooms known_grooms_;
    std::vector<int> least_coarsening_;  ///< by groom: minimum for its rest pose to fit on a grid
    std::vector<Rest> rests_;
    Clusters clusters_;            ///< the grooms of a cluster share a grid
    std::vector<int> coarsening_;  ///< by cluster: binary logarithm of its cell size over `cell_`
    std::vector<GriddedGroom> started_, gridded_;
    double laid_cell_ = 0;  ///< cell size of the current grid [m]
};

/// Default cell size for a groom: four times the mean distance between neighbouring roots, limited to between 1.5 and 4
/// segments [m].
double cell_for(const Groom& groom);
/// The same for several grooms: the mean, weighted by their particles.
double cell_for(std::span<const InteractingGroom> grooms);

}  // namespace tendril
