/// The interface of all methods of interaction between strands. A method sees all grooms of the world before they are
/// solved, and changes the velocities that they start the step with.
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
    Strands* strands;             ///< with the edges at the start of the last step
    uint64_t rest_space;          ///< the rest poses of grooms with equal values are in one frame
    double particle_mass = 1e-6;  ///< [kg]
    double substep = 0;           ///< length of its substeps in the next step, the unit of its drift [s]
    uint64_t instance = 0;        ///< unique among all grooms that the world ever has
};

/// Detects when grooms are added or removed.
class KnownGrooms {
public:
    /// Whether the list has changed since the last call.
    bool changed(std::span<const InteractingGroom> grooms);

private:
    std::vector<uint64_t> instances_;
};

struct InteractionStep {
    double last_dt;  ///< length of the last step [s]
    double dt;       ///< length of the next step [s]
    /// Foreign particles, and the output for their accelerations [m/s^2], of the same size and initially zero.
    std::span<const ForeignParticle> foreign = {};
    std::span<Vec3f> foreign_accelerations = {};
};

class Interaction {
public:
    virtual ~Interaction() = default;
    /// Sets the settings, which may change with every step.
    virtual void configure(const InteractionSettings& settings) = 0;
    /// Measures the rest poses. If this was not called before, `apply` does it.
    virtual void prepare(std::span<const InteractingGroom> grooms, Executor& executor) = 0;
    /// Adds changes of velocity to the drift of all particles except held roots. Velocities are measured from the
    /// motion over the last step, because the drift also carries the weight of the tail, see docs/dftl.md; PrintedGrid
    /// takes them from the drift. Grooms may be added and removed between steps. Does not allocate after the first
    /// steps.
    virtual void apply(std::span<const InteractingGroom> grooms, const InteractionStep& step, Executor& executor) = 0;
};

/// Mean rest length of a segment, over all strands [m].
double mean_segment(const Groom& groom);

/// Moves strands that were made with RootKind::kOnBone to their rest pose, shifted by `offset`.
void place_at_rest(Strands& strands, const Groom& groom, const Vec3d& offset);

/// Whether a groom is the first one with its rest space.
bool is_first_in_rest_space(std::span<const InteractingGroom> grooms, size_t groom);

/// Returns null for kNone and for kContacts, which the solver of strings handles.
std::unique_ptr<Interaction> make_interaction(const InteractionSettings& settings);

}  // namespace tendril
