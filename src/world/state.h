/// What a world consists of.
#pragma once

#include "body/body.h"
#include "body/rigid_scene.h"
#include "interaction/interaction.h"
#include "solvers/solver.h"
#include "solvers/spring_limit.h"
#include "strands/strands.h"
#include "tendril/hair_style.h"
#include "tendril/world.h"
#include "world/colliders.h"
#include "world/metrics.h"
#include "world/roots.h"
#include "world/string_grooms.h"

#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace tendril {

/// Of one strand, its ends not counted. Strings may have more.
inline constexpr int kMostHolds = kMaxHolds - 2;

/// A particle held at a point of a bone.
struct HoldState {
    bool active = false;
    uint32_t generation = 0;  ///< tells the holds that have used this entry apart
    size_t groom = 0, body = 0, bone = 0, strand = 0, particle = 0;
    Vec3d offset{0, 0, 0};
    Vec3d slide{0, 0, 0};
    /// Of a clamp, in the frame of the bone: where the segment's other particle is seen from this one, and where its
    /// material points; zero until the first step.
    bool clamped = false;
    Vec3d along{0, 0, 0}, across{0, 0, 0};
    double until = std::numeric_limits<double>::infinity();
};

/// The body whose frame the rest pose is in; for roots on a bone of it, the bone.
inline uint64_t rest_space_of(const GroomSettings& settings)
{
    const auto* rigid = std::get_if<RigidBinding>(&settings.binding);
    return static_cast<uint64_t>(settings.body.index) << 32 | (rigid ? rigid->bone : 0);
}

/// One groom in the world.
struct GroomInstance {
    GroomInstance(Groom g, const GroomSettings& settings)
        : groom(std::move(g)),
          strands(groom, std::holds_alternative<RigidBinding>(settings.binding) ? RootKind::kOnBone : RootKind::kSampled),
          roots(groom, strands, settings),
          contacts(groom, strands),
          shape(settings.stiffness),
          body(settings.body.index),
          rest_space(rest_space_of(settings)),
          particle_mass(settings.particle_mass),
          material(settings.material),
          strength_variation(settings.strength_variation),
          straight(settings.straight),
          clamped(settings.clamped)
    {
    }

    Groom groom;
    Strands strands;
    std::unique_ptr<Solver> solver;  ///< null where the strands are strings
    Roots roots;
    Meter meter;
    GroomContacts contacts;
    RestShape shape;
    size_t body;
    uint64_t rest_space;  ///< grooms with equal ones have their rest poses in one frame
    double particle_mass;
    StringMaterial material;
    double strength_variation;
    bool straight, clamped;
    std::vector<const HoldState*> held;  // of this step, sorted by strand and particle
    std::vector<Hold> holds;             // the same, as the solver takes them
    std::vector<Vec3f> hold_targets;     // [hold][substep]
    std::vector<Vec3d> output_roots;     // by strand
    std::vector<Vec3f> points, velocities;
    std::vector<float> depths;  // by point, as last measured
};

/// Strands that follow those of a groom.
struct ChildrenInstance {
    ChildrenInstance(size_t groom_index, const Groom& groom, Groom children, GuideMode mode,
                     const GroomSettings& settings)
        : guides(groom_index), strands(groom, std::move(children), mode), roots(strands.groom(), settings)
    {
    }

    size_t guides;  // index of the groom
    Children strands;
    Roots roots;
    std::vector<Vec3d> places;  // of the roots, by strand
    std::vector<Vec3f> from_origin;
    std::vector<Quat> turns;
    std::vector<Vec3f> points;
};

/// What settings, a step and its number of substeps are taken for, whatever was asked; in usable_settings.cpp.
WorldSettings usable_settings(WorldSettings settings);
double usable_step(double dt);
int usable_substeps(int substeps);

struct World::State {
    WorldSettings settings;
    std::shared_ptr<Executor> executor;
    SolverType solver_type = SolverType::kDftl;
    std::unique_ptr<StringGrooms> strings;     ///< for SolverType::kChainShape, else null
    std::unique_ptr<Interaction> interaction;  ///< null: none
    InteractionMethod interaction_method = InteractionMethod::kNone;
    std::vector<InteractingGroom> interacting;  ///< room for `interacting_grooms`
    std::vector<ForeignParticle> foreign;
    std::vector<Vec3f> foreign_accelerations;
    std::vector<Body> bodies;
    std::unique_ptr<RigidScene> rigid;  ///< null: no body moves by itself
    std::vector<size_t> rigid_bodies;   ///< which bodies do, in its order
    std::vector<Pose> rigid_starts;
    std::vector<size_t> obstacles;  ///< which colliders it knows as such, in its order
    std::vector<StringTie> ties;
    Colliders colliders;
    std::vector<GroomInstance> grooms;
    std::vector<ChildrenInstance> children;
    std::vector<HoldState> holds;
    double time = 0;        ///< simulated
    double asked_time = 0;  ///< that `advance` was asked for
    double age = 0;         ///< how long strands have moved since they were put at rest, settling included
    double last_dt = 1;
    int last_substeps = 1;
    int refinement = 1;        ///< of the substeps, because of fast colliders
    double refined_until = 0;  ///< it is kept up to this time at least
    uint64_t steps = 0;
    bool paused = false;
    bool has_history = true;  ///< the last step has remembered where it began
    bool settling = false;    ///< time stands still for bodies, and there is no wind but `settling_wind`
    Vec3f settling_wind{0, 0, 0};
    bool show_newest = true;  ///< stepped by hand: nothing to interpolate
    std::vector<AirSubstep> air;
    std::vector<Pose> poses;

    StepReport take_step(double dt);
    /// All grooms one by one, by the solver.
    void solve_strands(double dt, const Roots::Span& span, StepReport& report);
    /// All grooms as strings, in string_solve.cpp.
    void solve_strings(double dt, const Roots::Span& span, StepReport& report);
    void hold_strings(double at, double h, size_t& bad_poses);
    void hold_roots(size_t groom, double at, double h, size_t& bad_poses);
    void meet_colliders(int substep, const Vec3d& origin, double h);
    void add_to_strings(GroomInstance& groom);
    /// A hold has gone: where strings do not flick, so has the tension of what it held.
    void let_go_at(const HoldState& hold);
    /// Bodies that move by themselves, in rigid_step.cpp.
    std::optional<size_t> rigid_index(size_t body) const;
    Pose pose_after(size_t rigid_body, double h) const;  ///< if nothing but gravity acts on it
    void give_way(double h);                             ///< to what strings pull at, within a substep
    void pull_rigid_bodies(double h);                    ///< what strings have done to them besides
    /// How light a rigid body is to a string that it holds at a place, one of several.
    double lightness_for(size_t rigid_body, size_t particle, const Vec3d& place) const;
    void blow_rigid_bodies(double at, double h);
    void step_rigid_bodies(double time, double passing, double h);
    void tell_rigid_poses(double at);
    /// Leads the roots and holds of a groom over the substeps, and says what else acts on it: shape, air, contacts.
    /// `dt` passes for the strands, the time of the span for the bodies.
    SolveInput lead(GroomInstance& groom, double dt, const Roots::Span& span, size_t& bad_poses);
    /// Settings may have changed since the last step.
    void take_over_settings();
    /// What is wrong with the springs of strands, if anything.
    std::optional<Error> check_springs(const Strands& strands, double mass) const;
    /// How many substeps the next step takes: as the settings say, or more where colliders are fast.
    int substeps_over(double dt, double passing);
    /// Makes the stored velocities those of another step, where it changes.
    void rescale_to(double dt, int substeps);
    /// Hair against hair asks for history, whatever the settings say.
    bool keeps_history() const { return settings.keep_previous || interaction; }
    /// All grooms, as hair against hair sees them.
    std::span<const InteractingGroom> interacting_grooms();
    /// Hair against hair: changes the velocities that the step begins with.
    void interact(InteractionStep step);
    WindSettings wind_now() const;
    std::span<const AirSubstep> air_over_step(const Strands& strands, double dt, int substeps);
    /// Where the held particles of a groom should be over the next step, seen from their roots. Before the roots move.
    std::span<const Hold> hold_targets(GroomInstance& groom, double dt, int substeps, size_t& bad_poses);
    void place_at_rest(GroomInstance& groom);
    /// The saved state without its header. False where it does not fit; the world is then in between two states.
    bool load_payload(std::span<const std::byte> bytes, size_t hold_count);
    void release_holds();  ///< those whose time is over
    /// Whether what a hold names exists.
    bool fits(const HoldState& hold) const;
    /// Held roots where their body is at the asked time, free ones `blend` of the way through the last step.
    void roots_for_output(GroomInstance& groom, float blend);
};

}  // namespace tendril
