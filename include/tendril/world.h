/// A world of strands: owns grooms, bodies and the solver, and advances them in fixed steps. It has no window, no main
/// loop and no global state; two worlds do not know of each other. One thread at a time uses a world.
///
/// A host does, per frame: push poses of bodies it animates itself, `advance` by the frame's time, read `curves`.
#pragma once

#include "tendril/binding.h"
#include "tendril/body.h"
#include "tendril/collider.h"
#include "tendril/foreign_particle.h"
#include "tendril/groom.h"
#include "tendril/ids.h"
#include "tendril/parallel.h"
#include "tendril/result.h"
#include "tendril/rigid_body.h"
#include "tendril/settings.h"
#include "tendril/string_material.h"
#include "tendril/strings.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tendril {

/// How the strands of one groom behave, where that differs from the world's settings.
struct GroomBehaviour {
    std::optional<SolverSettings> solver = {};
    std::optional<ShapeSettings> shape = {};
    std::optional<AirSettings> air = {};
    std::optional<ContactSettings> contact = {};
};

struct GroomSettings {
    BodyId body;                           ///< that its roots are on; it must be there before the groom
    RootBinding binding = RigidBinding{};  ///< how they are: by one bone, by up to four each, or by triangles
    /// [kg], > 0; for energies, springs and what hair as a fluid weighs, follow-the-leader knows no masses.
    double particle_mass = 1e-6;
    std::vector<float> stiffness = {};  ///< factors on the stiffness of the shape, one per strand, >= 0; empty: all 1
    /// What SolverType::kChainShape takes them for; masses then follow from it and from the widths of the strands,
    /// which are threads of a millimetre where they have none.
    StringMaterial material = {};
    double strength_variation = 0;  ///< stresses at which its segments tear differ by up to this share, [0, 1)
    bool straight = false;          ///< kChainShape: at ease they are straight, whatever their rest pose
    /// kChainShape: ends that are held keep their direction, and twist goes with what holds them.
    bool clamped = false;
    GroomBehaviour behaviour = {};  ///< see World::behaviour
};

/// How a particle of a string is held, besides where.
struct HoldSettings {
    /// The segment at the particle (the one before it, at the tip) keeps its direction as the bone turns, and its
    /// material turns with it. SolverType::kChainShape.
    bool clamped = false;
    /// It may move along this direction of the bone; zero: not at all. kChainShape.
    Vec3d slide{0, 0, 0};
    double until = std::numeric_limits<double>::infinity();  ///< when it is released [s]
};

/// What a step did. Nothing here needs a pass over the particles: see `measure` for that.
struct StepReport {
    int steps = 0;            ///< fixed steps taken
    int substeps = 0;         ///< per step: as the settings say, or more where a collider was fast (the most of all)
    double dropped_time = 0;  ///< time that `advance` skipped because it was more than `longest_frame` [s]
    size_t missed_holds = 0;  ///< strands with a hold out of reach at the end of the last step
    float worst_gap = 0;      ///< the largest such distance [m]
    size_t softened = 0;      ///< grooms whose springs were too stiff for the step and have been softened
    size_t bad_poses = 0;     ///< poses that were not finite and have been replaced by the ones before
    size_t torn = 0;          ///< segments of strings that have torn
    double bend_share = 1;    ///< share of their bending stiffness that strings could have with these substeps
    struct {
        double roots = 0, body = 0, interaction = 0, solve = 0;
    } seconds;  ///< by stage
};

/// Measured over all grooms; energies need `keep_previous`.
struct Metrics {
    size_t nonfinite = 0;     ///< particles with a number that is not finite
    double stretch_max = 0;   ///< largest | length / rest length - 1 |
    double stretch_mean = 0;  ///< its mean
    double kinetic = 0;       ///< from the motion over the last step, not from stored velocities [J]
    double potential = 0;     ///< against gravity, from the height of the world's origin [J]
    double fastest = 0;       ///< largest speed over the last step [m/s]
    /// How deep particles past the first segment of their strand are inside colliders, whatever margin they should
    /// keep. Of those that are inside by more than a micrometre: the deepest, the mean depth, and how many there are.
    double penetration_max = 0, penetration_mean = 0;  ///< [m]
    size_t penetrating = 0;
    /// Strands that are inside, but whose root has less room than their first segment is long, where the skin that they
    /// grow on overlaps or touches itself. They cannot be outside, and do not count above.
    size_t pinched = 0;
    double elastic = 0;  ///< in the stretch and the twist of strings [J]
    double energy() const { return kinetic + potential + elastic; }
};

class World {
public:
    explicit World(const WorldSettings& settings = {}, std::shared_ptr<Executor> executor = make_thread_executor());
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // --- Building
    BodyId add_body(BodyDescription body);
    /// One that moves by itself from a pose on: it falls, meets the colliders of other bodies, is pulled by strings
    /// that it holds (kChainShape) and pushed by those that it meets. It brings a collider of its shape, and a mesh. An
    /// error where the library was built without Bullet.
    Result<BodyId> add_rigid_body(const RigidBody& body, const Pose& pose, const std::string& name = "rigid");
    /// Strands stay outside. At most 256 altogether, skins included.
    Result<ColliderId> add_collider(const Collider& collider);
    /// The skin of a character itself, one for each body. Penetration is then measured against its triangles.
    Result<ColliderId> add_skin_collider(const SkinCollider& collider);
    /// In a world without bodies the first groom brings one, which stands still at the origin unless poses are pushed.
    /// Instances of one groom share its rest data: the second costs little more than its moving state.
    Result<GroomId> add_groom(Groom groom, GroomSettings settings = {});
    /// Strands that are not simulated but follow the strands of a groom when `curves` is called. They grow on the
    /// groom's body, by a binding of their own.
    Result<ChildrenId> add_children(GroomId guides, Groom children, GuideMode mode, RootBinding binding);

    // --- Removing. What is left goes on as if the rest had never been there. False where there is no such thing.
    /// Its holds and children go with it.
    bool remove_groom(GroomId groom);
    bool remove_children(ChildrenId children);
    bool remove_collider(ColliderId collider);
    /// Its colliders go with it, and what it holds is released. False also while a groom grows on it.
    bool remove_body(BodyId body);
    /// What is switched off costs nothing. A groom stays as it is and is carried along with its body when it is
    /// switched on again; a collider lets strands through; a body switches off its colliders, and a rigid body stays in
    /// place.
    bool set_enabled(GroomId groom, bool enabled);
    bool set_enabled(ColliderId collider, bool enabled);
    bool set_enabled(BodyId body, bool enabled);

    /// Does now what the first step would do before anything moves: shapes and densities of the rest poses. For a host
    /// that has time while it loads; what comes out is the same.
    void prepare();

    // --- What the host tells
    /// Where a body is at the end of the next `advance` or `step`, or at a time. Push the frame's pose, then advance by
    /// the frame. Times rise; a push that goes back replaces the newest. False where a number is not finite, the count
    /// is wrong, or the body moves by itself.
    bool push_poses(BodyId body, std::span<const Pose> poses);
    bool push_poses(BodyId body, std::span<const Pose> poses, double time);
    bool push_vertices(BodyId body, std::span<const Vec3f> vertices, const Vec3d& origin);
    bool push_vertices(BodyId body, std::span<const Vec3f> vertices, const Vec3d& origin, double time);
    /// Holds a particle at a point of a bone, until released. At most 14 holds per strand; any number with
    /// SolverType::kChainShape, of which other methods then meet the first 14 from the root on.
    Result<HoldId> hold(ParticleId particle, BodyId body, size_t bone = 0, Vec3d offset = {0, 0, 0},
                        const HoldSettings& settings = {});
    void release(HoldId hold);
    /// Ties two particles of strings together, for good. SolverType::kChainShape; false where there are none, or they
    /// are the same.
    bool tie(ParticleId particle, ParticleId other);
    /// Cuts the segment of a string that begins at a particle. SolverType::kChainShape; false where there is none.
    bool cut(ParticleId segment);
    /// Particles of another simulation, as they are when the next step begins, in place of those told before. They take
    /// part in hair as a fluid (InteractionMethod::kSph) and are known until set again; the host moves them. Those with
    /// numbers that are not finite, without mass, or faster than 1e6 m/s do nothing.
    void set_foreign_particles(std::span<const ForeignParticle> particles);
    /// Says that the body has not moved but has been put where it is now: shape and velocity of its strands are carried
    /// along rigidly. Where it is now is the newest push, or what its function or clip says for the present time.
    bool teleport(BodyId body);
    /// All strands back to their rest pose, without motion, where the bodies are now.
    void reset();
    void set_paused(bool paused);
    bool paused() const;
    WorldSettings& settings();  ///< changes take effect with the next step
    const WorldSettings& settings() const;
    /// How one groom differs from them; changes take effect with the next step. It must exist.
    GroomBehaviour& behaviour(GroomId groom);
    const GroomBehaviour& behaviour(GroomId groom) const;
    /// What of the settings cannot be simulated as it stands, if anything: springs that are too stiff for the step.
    /// `add_groom` asks the same. A step would soften them, and report it.
    std::optional<Error> check() const;

    // --- Time
    /// One step of `settings().dt`, whether paused or not.
    StepReport step();
    /// One step of another length. Keep steps equal where you can: the stored velocities are rescaled when it changes.
    StepReport step(double dt);
    /// Lets `seconds` pass in fixed steps; what is left over waits for the next call. Does nothing while paused.
    StepReport advance(double seconds);
    /// Lets strands find their place before the world begins: steps in which no time passes and no body moves, without
    /// the wind of the settings but with another one for the first half, to comb the hair. An hour is the most.
    /// `go_on` is asked after every step, with the share that is done, and may end it: then it returns false.
    bool settle(double seconds, const Vec3f& wind = {0, 0, 0}, const std::function<bool(double share)>& go_on = {});
    double time() const;  ///< up to which the world has been simulated [s]
    uint64_t steps() const;

    // --- What comes out: nothing where there is no such groom, body or bone. `position`, `groom`, `children` and
    // `guides_of` do not look: what they are asked for must exist.
    /// Points at the time that was asked for: roots where their body is now, shapes interpolated between the last two
    /// steps and so one step behind, every segment at its rest length.
    CurvesView curves(GroomId groom);
    CurvesView curves(ChildrenId children);  ///< without velocities
    /// The mesh of a body's character at a time [s]; empty where it has none. Valid until the next call for that body.
    MeshView mesh(BodyId body, double time);
    /// Where a bone of a body is at `time()`.
    Pose pose(BodyId body, size_t bone = 0);
    /// Where a particle is at `time()`, without interpolation.
    Vec3d position(ParticleId particle) const;
    Metrics measure();
    /// How deep every particle was inside of colliders when `measure` was called last [m]: 0 outside, and in the first
    /// segment of what grows on a body. Empty without colliders.
    std::span<const float> depths(GroomId groom) const;
    /// How far every particle of a groom is from the nearest collider at `time()` [m]: negative inside, huge where
    /// there is none.
    std::vector<float> clearances(GroomId groom);
    /// The tension of every segment over the last substep [N], at the place of the particle at its end, below 0 where
    /// it is pressed; roots have 0. For SolverType::kDirect with DirectSettings::keep_tensions, and for kChainShape,
    /// else empty.
    std::vector<float> tensions(GroomId groom) const;
    /// What the segments of strings have besides their points; empty for other methods.
    SegmentsView segments(GroomId groom);
    /// What has happened to strings since this was called last, in order of time. Of more than 100,000 that nobody has
    /// taken, the newest are lost; `load` drops them all.
    std::vector<StringEvent> take_events();
    /// What the last step did to foreign particles [m/s^2], in their order: to be added to their velocities over that
    /// step, before they move. Momentum is kept: what they gain, particles of the hair lose, but where a body holds
    /// them. Zero while settling, without hair as a fluid, and farther from all hair than it reaches.
    std::span<const Vec3f> foreign_accelerations() const;
    uint64_t state_hash();
    const Groom& groom(GroomId groom) const;
    /// The settings that a groom was added with, but for its binding.
    const GroomSettings& settings(GroomId groom) const;
    std::vector<GroomId> grooms() const;  ///< in the order in which they were added
    std::vector<BodyId> bodies() const;
    size_t groom_count() const;
    size_t body_count() const;
    const Groom& children(ChildrenId children) const;
    GroomId guides_of(ChildrenId children) const;
    size_t children_count() const;
    size_t collider_count() const;
    size_t strand_count() const;
    size_t particle_count() const;
    size_t bytes() const;  ///< memory of the particle stores

    /// The whole moving state. Loading needs a world built from the same grooms and bodies.
    std::vector<std::byte> save() const;
    Result<uint64_t> load(std::span<const std::byte> bytes);  ///< the number of steps the state is at

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The instruction set that the kernels run with on this machine, such as "AVX2".
std::string simd_name();

}  // namespace tendril
