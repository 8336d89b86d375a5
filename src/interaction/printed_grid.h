/// Friction and repulsion through a grid as printed in [Mueller12] Eq. 13 and 14, to compare with GridInteraction,
/// which departs from them. It visits strands one by one and takes several times as long.
#pragma once

#include "interaction/clusters.h"
#include "interaction/interaction.h"

#include <cstddef>
#include <vector>

namespace tendril {

class PrintedGrid final : public Interaction {
public:
    explicit PrintedGrid(const GridSettings& settings) : settings_(settings) {}

    void configure(const InteractionSettings& settings) override { settings_ = settings.grid; }
    void prepare(std::span<const InteractingGroom> grooms, Executor& executor) override;
    void apply(std::span<const InteractingGroom> grooms, const InteractionStep& step, Executor& executor) override;

    /// Size of a cell of the grid that was laid out last [m].
    double cell() const { return laid_cell_; }

private:
    struct Node {
        float density = 0;
        Vec3f velocity{0, 0, 0};  ///< [m/s]; until `divide`, the sum over particles
    };
    /// Where a particle is on the grid: its cell's lowest node, and its position within the cell, [0, 1].
    struct Cell {
        size_t node;
        float t[3];
    };

    bool idle() const { return settings_.s_friction <= 0 && settings_.s_repulsion == 0; }
    void find_clusters(std::span<const InteractingGroom> grooms);
    void lay_out(const GridBox& box);
    void add(const InteractingGroom& groom);
    void divide();
    void act(const InteractingGroom& groom, double dt, Executor& executor);
    void act_on_strand(const InteractingGroom& groom, size_t strand, double dt) const;

    Cell cell_at(const Vec3d& position) const;
    size_t corner(const Cell& cell, int k) const;

    GridSettings settings_;
    KnownGrooms known_grooms_;
    double cell_ = 0;           ///< before coarsening [m]
    float requested_cell_ = 0;  ///< the setting that `cell_` was chosen for
    Clusters clusters_;
    double laid_cell_ = 0;
    double first_[3]{};   ///< the lowest node, in cells from the origin of the world
    size_t counts_[3]{};  ///< nodes along each axis
    std::vector<Node> nodes_;
};

}  // namespace tendril
