/// Hair against hair through density and velocity on a grid [Mueller12] 3.6: friction draws particles towards the mean
/// velocity around them, repulsion pushes crowded ones to where there is less hair. See docs/interaction.md.
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

    // What `apply` consists of, for those who want to time it: `gather_clusters`, then for each cluster `lay`, and the
    // passes of the grid.
    /// How many clusters there may be; `lay` is empty for some.
    size_t gather_clusters(std::span<const InteractingGroom> grooms, Executor& executor);
    /// The grooms of a cluster, on the grid.
    std::span<const GriddedGroom> lay(std::span<const InteractingGroom> grooms, size_t cluster,
                                      const InteractionStep& step, Executor& executor);
    DensityGrid& grid() { return grid_; }

    double cell() const { return cell_; }
    /// Density of the rest pose around a particle [particles per cell].
    float rest_density(size_t groom, size_t strand, int level) const;

private:
    /// Densities of the rest pose by groom, for one size of cells.
    struct Rest {
        int coarsening = 0;
        std::vector<ParticleRows> density;
    };

    /// How the grid acts on a groom.
    GridForces forces(const InteractionStep& step, const InteractingGroom& groom) const;
    bool idle() const { return settings_.friction <= 0 && settings_.repulsion <= 0; }
    void update_grooms(std::span<const InteractingGroom> grooms);
    bool has_grid(size_t cluster) const { return clusters_.exists(cluster) && clusters_.boxes[cluster].finite(); }
    Rest& rest_for(std::span<const InteractingGroom> grooms, int coarsening, Executor& executor);
    void measure_rest(std::span<const InteractingGroom> grooms, size_t first, int coarsening, Rest& rest,
                      Executor& executor);

    GridSettings settings_;
    DensityGrid grid_;
    double cell_ = 0;            ///< in use [m]
    float requested_cell_ = -1;  ///< for which `cell_` was chosen
    KnownGrooms known_grooms_;
    std::vector<int> least_coarsening_;  ///< by groom: its rest pose needs it
    std::vector<Rest> rests_;
    Clusters clusters_;            ///< grooms that share a grid
    std::vector<int> coarsening_;  ///< by cluster: its cells are larger by this power of two
    std::vector<GriddedGroom> started_, gridded_;
    double laid_cell_ = 0;
};

/// Cells that fit a groom: four times the mean distance of a root to the next, within 1.5 and 4 segments [m].
double cell_for(const Groom& groom);

}  // namespace tendril
