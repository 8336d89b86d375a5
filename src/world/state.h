/// The internal state of a world.
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

// Replace values that cannot be simulated, such as infinite ones, with values that can; see usable_settings.cpp.
WorldSettings usable_settings(WorldSettings settings);
Behaviour usable_behaviour(Behaviour behaviour);
double usable_step(double dt);

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
    uint64_t next_serial = 1;  ///< serial number of the next groom

    std::unique_ptr<Interaction> interaction;  ///< null if interaction is off
    InteractionMethod interaction_method = InteractionMethod::kNone;
    Form interaction_form = Form::kStable;
    std::vector<InteractingGroom> interacting;
    std::vector<ForeignParticle> foreign;
    std::vector<Vec3f> foreign_accelerations;

    double time = 0;            ///< simulated time [s]
    double requested_time = 0;  ///< the time that `advance` was asked to reach [s]
    double age = 0;             ///< simulated time since the start or the last `reset`, including settling [s]
    double last_dt = 1;         ///< length of the last step [s]
    uint64_t steps = 0;
    bool has_history = true;  ///< whether the last step stored its initial state
    uint64_t changes = 0;     ///< counts what may have moved strands or bodies
    bool paused = false;
    bool show_newest = true;  ///< whether `curves` shows the newest state without interpolation
    /// The wind while strands settle; otherwise empty. While they settle, time stands still for all bodies except
    /// rigid ones.
    std::optional<Vec3f> settling_wind;

    // --- The step, in world.cpp
    StepReport take_step(double dt);
    /// Applies the interaction between strands. `last` is the length of the last step [s].
    void interact(double last, double dt, StepReport& report);

    // --- Parts of the step, in state.cpp
    /// Applies the current settings, which the host may have changed since the last step. Hands over each groom whose
    /// new method belongs to another movement.
    void apply_settings();
    Movement& movement_for(SolverType method) const;
    /// Removes a groom from its movement and adds it to another, which continues its motion.
    void hand_over(GroomInstance& groom, Movement& to);
    /// Chooses the number of substeps of every groom. Returns the number of substeps of the world, a common multiple.
    int plan_substeps(double dt);
    /// Moves the rigid bodies by `dt` and samples them, unless a movement moves them because its grooms pull at them.
    void move_rigid_bodies(const TimeSpan& span, double dt);
    /// Takes more substeps for grooms that fast colliders may touch. Returns whether bodies must be sampled again.
    bool refine_substeps(TimeSpan& span);
    /// The refinement that a groom needs in this step.
    int needed_refinement(GroomInstance& groom) const;
    /// Whether steps store their initial state. Interaction needs that state even if `keep_previous` is false.
    bool keeps_history() const { return settings.keep_previous || interaction; }
    std::span<const InteractingGroom> interacting_grooms();
    WindSettings current_wind() const;
    void release_expired_holds();
    void release(HoldState& hold);

    // --- Used by building.cpp, host.cpp, output.cpp and snapshot.cpp
    /// Removes the elements of a list that match a predicate.
    template <class List, class Predicate>
    static void remove_if(List& list, const Predicate& matches)
    {
        for (size_t i = list.size(); i-- > 0;)
            if (matches(list[i])) list.remove(list[i]);
    }
    /// Carries a groom rigidly from the last pose of its roots to the current pose of its body. Returns false if that
    /// pose is not valid.
    bool carry_to_body(GroomInstance& groom);
    /// Computes the pose of the roots at a time. Returns false if the pose of the body is not valid.
    bool sample_roots(const RootAnchors& anchors, WorldBody& body, double at, RootPose& out);
    /// Computes the roots for `curves`. Held roots follow their body to the requested time. Free roots are interpolated
    /// over the last step: `blend` is 0 at its start and 1 at its end.
    void update_output_roots(GroomInstance& groom, float blend);
    void update_curves(GroomInstance& groom);
    GroomInstance::CurvesKey curves_key(const GroomInstance& groom) const;
    /// The curves that `update_curves` computed last.
    static CurvesView curves_of(const GroomInstance& groom);
    /// Samples the roots of children now and one step earlier. Returns false if the pose of the body is not valid.
    bool update_child_roots(ChildrenInstance& instance);
    std::optional<Error> check_springs(const GroomInstance& groom) const;
    /// Returns the instance that a particle belongs to, or null if there is no such particle.
    GroomInstance* find_particle(const ParticleId& particle) const;
    /// Loads a saved state without its header. If the state does not fit this world, returns false and leaves the world
    /// partly loaded.
    bool load_payload(std::span<const std::byte> bytes, size_t hold_count, double saved_time);
    bool load_holds(std::span<const std::byte> bytes);
    /// Save and load which bodies, colliders and grooms are switched off, and, for grooms that are off, the last pose
    /// of their roots.
    void save_switches(std::vector<std::byte>& out) const;
    bool load_switches(std::span<const std::byte>& in);
};

}  // namespace tendril
