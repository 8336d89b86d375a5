/// Interaction between strands as a fluid [Sanchez15] 3.2. Gathers the particles of all grooms of a world, and foreign
/// particles, into flat arrays, and adds the accelerations of the fluid to their drift. See docs/sph.md.
#pragma once

#include "interaction/clusters.h"
#include "interaction/interaction.h"
#include "interaction/sph.h"
#include "interaction/sph_gather.h"

#include <vector>

namespace tendril {

class SphInteraction final : public Interaction {
public:
    explicit SphInteraction(const SphSettings& settings, Form form = Form::kStable)
        : settings_(settings), form_(form), sph_(settings, form)
    {
    }

    void configure(const InteractionSettings& settings) override
    {
        settings_ = settings.sph;
        form_ = settings.form;
    }
    void prepare(std::span<const InteractingGroom> grooms, Executor& executor) override;
    void apply(std::span<const InteractingGroom> grooms, const InteractionStep& step, Executor& executor) override;

    double smoothing_length() const { return static_cast<double>(sph_.settings().smoothing_length); }

private:
    bool idle() const { return settings_.stiffness <= 0 && settings_.viscosity <= 0; }
    void list_blocks(std::span<const InteractingGroom> grooms);
    /// Gathers the rest poses of all grooms that share a rest space with the groom `first`, to the front of
    /// `positions_`. `indices` receives the index of each particle in the arrays. Returns the number of particles.
    size_t gather_rest(std::span<const InteractingGroom> grooms, size_t first, std::vector<size_t>& indices);
    double choose_smoothing_length(std::span<const InteractingGroom> grooms, Executor& executor);
    void measure_rest(std::span<const InteractingGroom> grooms, Executor& executor);
    void gather(std::span<const InteractingGroom> grooms, double last_dt, Executor& executor);
    void find_clusters(std::span<const InteractingGroom> grooms);
    void lay_out_clusters();
    void shift_to_clusters(std::span<const InteractingGroom> grooms, Executor& executor);
    /// Returns the first cluster near a foreign particle, or the size of `origins_` if there is none.
    size_t cluster_around(const Vec3d& position) const;
    void gather_foreign(std::span<const ForeignParticle> foreign);

    SphSettings settings_;
    Form form_;
    Sph sph_;
    SphSettings known_settings_;
    KnownGrooms known_grooms_;
    size_t hair_ = 0;  ///< number of particles of grooms; foreign particles follow them in the arrays
    std::vector<FlatBlock> blocks_;
    std::vector<FrameSubstep> frames_;  ///< by groom
    std::vector<GridBox> block_boxes_;  ///< relative to the strands' origin
    /// Positions leave out the space between clusters, so that floats keep their precision.
    Clusters clusters_;
    std::vector<Vec3d> origins_;     ///< by cluster: world position of the origin of `positions_`
    std::vector<uint32_t> foreign_;  ///< indices of the foreign particles that take part
    std::vector<Vec3f> positions_, velocities_, accelerations_;
    std::vector<float> masses_, rest_densities_;
};

}  // namespace tendril
