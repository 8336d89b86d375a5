/// What every method of hair against hair shares. It looks at all grooms of the world together before they are solved,
/// and changes the velocities that they start the step with.
#pragma once

#include "strands/strands.h"
#include "tendril/foreign_particle.h"
#include "tendril/groom.h"
#include "tendril/parallel.h"
#include "tendril/settings.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

struct InteractingGroom {
    const Groom* groom;
    Strands* strands;             ///< with the edges that the last step began with
    uint64_t rest_space;          ///< grooms with equal ones have their rest poses in one frame
    double particle_mass = 1e-6;  ///< [kg]
    double substep = 0;           ///< the unit of time of its stored velocities in the step that begins [s]
    uint64_t instance = 0;        ///< a number that no other groom of the world ever has
};

/// Notices when grooms come or go.
class KnownGrooms {
public:
    /// Whether the list has changed since the last call.
    bool changed(std::span<const InteractingGroom> grooms);

private:
    std::vector<uint64_t> instances_;
};

struct InteractionStep {
    double last_dt;  ///< the step that led here [s]
    double dt;       ///< the one that begins [s]
    /// Particles of other simulations, and room for as many accelerations, which are zero.
    std::span<const ForeignParticle> foreign = {};
    std::span<Vec3f> foreign_accelerations = {};
};

class Interaction {
public:
    virtual ~Interaction() = default;
    /// Settings may change from step to step.
    virtual void configure(const InteractionSettings& settings) = 0;
    /// Sees the rest poses, which `apply` does where it was not done before.
    virtual void prepare(std::span<const InteractingGroom> grooms, Executor& executor) = 0;
    /// Adds changes of velocity to the drift of all particles but held roots. Velocities are taken from the motion over
    /// the last step: what is stored also carries the weight of the tail, see docs/dftl.md. Grooms may come and go from
    /// step to step. Never allocates once warm.
    virtual void apply(std::span<const InteractingGroom> grooms, const InteractionStep& step, Executor& executor) = 0;
};

/// Of all strands [m].
double mean_segment(const Groom& groom);

/// Puts strands that were made as if roots were rigid into their rest pose, `away` from where that was made.
void place_at_rest(Strands& strands, const Groom& groom, const Vec3d& offset);

/// Whether a groom is the first of those that have their rest poses in one frame.
bool is_first_in_rest_space(std::span<const InteractingGroom> grooms, size_t groom);

/// Null for InteractionMethod::kNone.
std::unique_ptr<Interaction> make_interaction(const InteractionSettings& settings);

}  // namespace tendril
