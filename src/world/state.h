/// What a world consists of.
#pragma once

#include "interaction/interaction.h"
#include "tendril/world.h"
#include "world/bodies.h"
#include "world/colliders.h"
#include "world/groom_instance.h"
#include "world/holds.h"
#include "world/movement.h"
#include "world/rigid_bodies.h"
#include "world/slots.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tendril {

/// Settings, a step and its number of substeps as they can be simulated, whatever was asked for; usable_settings.cpp.
WorldSettings usable_settings(WorldSettings settings);
Behaviour usable_behaviour(Behaviour behaviour);
double usable_step(double dt);
int usable_substeps(int substeps);

struct World::State {
    WorldSettings settings;
    std::shared_ptr<Executor> executor;

    Bodies bodies;
    Colliders colliders;
    RigidBodies rigid;
    SlotList<GroomInstance, GroomId> grooms;
    SlotList<ChildrenInstance, ChildrenId> children;
    Holds holds;
    std::vector<std::unique_ptr<Movement>> movements = make_movements();
    uint64_t next_serial = 1;  ///< of the next groom

    std::unique_ptr<Interaction> interaction;  ///< hair against hair; null: none
    InteractionMethod interaction_method = InteractionMethod::kNone;
    std::vector<InteractingGroom> interacting;
    std::vector<ForeignParticle> foreign;
    std::vector<Vec3f> foreign_accelerations;

    double time = 0;        ///< simulated [s]
    double asked_time = 0;  ///< that `advance` was asked for [s]
    double age = 0;         ///< how long strands have moved since they were put at rest, settling included [s]
    double last_dt = 1;     ///< [s]
    uint64_t steps = 0;
    int refinement = 1;        ///< of the substeps, because of fast colliders
    double refined_until = 0;  ///< it is kept up to this time at least [s]
    bool has_history = true;   ///< the last step has remembered where it began
    bool paused = false;
    bool show_newest = true;  ///< stepped by hand: nothing to interpolate
    /// While strands settle, time stands still for bodies, and there is no wind but this.
    std::optional<Vec3f> settling_wind;

    // --- A step, in world.cpp
    StepReport take_step(double dt);
    void interact(double last_dt, double dt, StepReport& report);

    // --- What a step asks for, in state.cpp
    /// Settings may have changed since the last step: so may the methods of grooms.
    void take_over_settings();
    Movement& movement_for(SolverType method) const;
    /// A groom goes on by another movement.
    void hand_over(GroomInstance& groom, Movement& to);
    /// Decides the substeps of all grooms and samples the bodies over them. Returns the span of the step.
    TimeSpan plan_substeps(double dt, double passing, size_t& bad_poses);
    /// Hair against hair asks for history, whatever the settings say.
    bool keeps_history() const { return settings.keep_previous || interaction; }
    std::span<const InteractingGroom> interacting_grooms();
    WindSettings wind_now() const;
    void release_holds();  ///< those whose time is over
    void release(HoldState& hold);

    // --- Building and looking
    /// Takes all things out of a list for which `gone` holds.
    template <class List, class Gone>
    static void remove_where(List& list, const Gone& gone)
    {
        for (size_t i = list.size(); i-- > 0;)
            if (gone(list[i])) list.remove(list[i]);
    }
    /// Carries a groom rigidly from where its roots were to where its body is now.
    bool carry_to_body(GroomInstance& groom);
    /// Where the roots of a groom are at a time.
    bool look_at_roots(const RootAnchors& anchors, WorldBody& body, double at, RootPose& out);
    /// Held roots where their body is at the asked time, free ones `blend` of the way through the last step.
    void roots_for_output(GroomInstance& groom, float blend);
    std::optional<Error> check_springs(const GroomInstance& groom) const;
    /// The instance, strand and particle that an id names; null where there is none.
    GroomInstance* find_particle(const ParticleId& particle) const;
    /// The saved state without its header. False where it does not fit; the world is then in between two states.
    bool load_payload(std::span<const std::byte> bytes, size_t hold_count, double saved_time);
    bool load_holds(std::span<const std::byte> bytes);
};

}  // namespace tendril
