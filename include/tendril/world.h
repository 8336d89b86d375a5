/// A world of strands. It owns grooms, bodies, colliders and settings, and advances the simulation in fixed steps. It
/// has no window, no main loop and no global state, and worlds are independent of each other. Use a world from one
/// thread at a time.
///
/// Each frame, the host pushes the poses of the bodies that it animates, calls `advance` with the length of the frame,
/// and reads `curves`.
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

/// Settings of one groom that replace those of the world. The settings of the world apply where a member is empty.
struct GroomBehaviour {
    std::optional<SolverSettings> solver = {};
    std::optional<ShapeSettings> shape = {};
    std::optional<AirSettings> air = {};
    std::optional<ContactSettings> contact = {};
};

struct GroomSettings {
    /// The body that the strands grow on. It must exist, unless the world has no bodies: then `add_groom` adds one.
    BodyId body;
    /// How the roots are attached: to one bone, to weighted bones, or to triangles.
    RootBinding binding = OneBoneBinding{};
    /// Mass of a particle [kg], > 0. Energies, springs and SPH use it; follow-the-leader does not.
    double particle_mass = 1e-6;
    /// Multiplies the stiffness of the shape, one factor per strand, >= 0; empty: all 1.
    std::vector<float> stiffness = {};
    /// The material of strings (SolverType::kChainShape). Masses follow from it and from the widths of the strands. If
    /// the groom has no widths, the width is 1 mm.
    StringMaterial material = {};
    /// kChainShape: the stress at which segments tear varies by up to this fraction, [0, 1).
    double strength_variation = 0;
    bool straight = false;  ///< kChainShape: strings are straight when relaxed, whatever their rest pose
    bool clamped = false;   ///< kChainShape: the direction and twist of held ends are fixed relative to their body
    GroomBehaviour behaviour = {};  ///< see World::behaviour
};

/// How a particle is held.
struct HoldSettings {
    /// kChainShape: the segment that begins at the particle (at the tip, the one that ends there) turns with the bone,
    /// and so does its material.
    bool clamped = false;
    /// kChainShape: unless zero, the direction along which the particle may slide, relative to the bone.
    Vec3d slide{0, 0, 0};
    double until = std::numeric_limits<double>::infinity();  ///< time of release [s]
};

/// The size of the distance fields of a step (SkinMethod::kField and kMarching), which is bounded. If the fields would
/// be larger, as those of a body that grows, their cells are enlarged.
struct FieldSize {
    size_t nodes = 0;   ///< of all fields together
    size_t blocks = 0;  ///< near the skins, of 64 finer nodes each
    float cell = 0;     ///< size of the cells near the skin that had to be enlarged most [m]; 0: there are no fields
    float asked = 0;    ///< size that these cells should have [m]

    double growth() const { return asked > 0 ? static_cast<double>(cell) / static_cast<double>(asked) : 0; }
    /// Takes the larger numbers of both.
    void include(const FieldSize& other)
    {
        nodes = nodes > other.nodes ? nodes : other.nodes;
        blocks = blocks > other.blocks ? blocks : other.blocks;
        if (other.growth() > growth()) cell = other.cell, asked = other.asked;
    }
};

/// Report on one or more steps, collected without an extra pass over the particles; `measure` computes everything else.
struct StepReport {
    int steps = 0;  ///< fixed steps taken
    /// Largest number of substeps in a step; exceeds the settings if a collider was fast, or if springs or strings
    /// needed more.
    int substeps = 0;
    double dropped_time = 0;  ///< time that `advance` skipped because the frame exceeded `longest_frame` [s]
    /// Strands with a hold out of reach after the last step; strands that are solved together count as one.
    size_t missed_holds = 0;
    float worst_gap = 0;  ///< largest distance between a particle and such a hold [m]
    size_t softened = 0;  ///< grooms whose springs were too stiff for the step and were softened
    /// Poses that were not finite, beyond 1e9 m or degenerate; each was replaced by the last valid pose.
    size_t bad_poses = 0;
    size_t torn = 0;  ///< segments of strings that tore
    /// Values that strings with Form::kPaper limited because the equations as printed let them grow without bound.
    size_t bounded = 0;
    FieldSize fields;  ///< the largest of a step
    /// Smallest fraction of its material's bending stiffness that any string reached with these substeps.
    double bend_share = 1;
    struct {
        double roots = 0, body = 0, interaction = 0, solve = 0;
    } seconds;  ///< computing time per stage
};

/// Metrics over all grooms. The kinetic energy and the speed of strands other than strings need `keep_previous`;
/// grooms that are switched off contribute to neither.
struct Metrics {
    size_t nonfinite = 0;    ///< particles with a value that is not finite
    double stretch_max = 0;  ///< largest | length / rest length - 1 | of a segment
    double kept_stretch_max =
        0;                    ///< the same among grooms whose method guarantees lengths (SolverSettings::keeps_lengths)
    double stretch_mean = 0;  ///< mean over all segments
    double kinetic = 0;  ///< kinetic energy [J], from the motion over the last step; for strings, from their velocities
    double potential = 0;  ///< potential energy relative to the world's origin [J]
    double fastest = 0;    ///< largest speed, as for the kinetic energy [m/s]
    /// Penetration of particles into colliders, ignoring margins and the first segment of held strands.
    /// Particles that are inside by less than a micrometre count as outside. The mean is over the particles inside.
    double penetration_max = 0, penetration_mean = 0;  ///< [m]
    size_t penetrating = 0;                            ///< number of particles inside
    /// Strands that are inside because the skin overlaps or touches itself where they grow, so that their root has less
    /// room than the length of their first segment. They are not counted above.
    size_t pinched = 0;
    /// Particles that may be on either side of a skin that has holes where they are. They are not counted above.
    size_t unknown_side = 0;
    double elastic = 0;  ///< elastic energy in the stretch and twist of strings [J]
    double energy() const { return kinetic + potential + elastic; }
};

class World {
public:
    explicit World(const WorldSettings& settings = {}, std::shared_ptr<Executor> executor = make_thread_executor());
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // --- Adding
    BodyId add_body(BodyDescription body);
    /// Adds a body that moves by itself: it falls, collides with the colliders of other bodies, is pulled by strings
    /// that it holds (kChainShape) and pushed by strings that touch it. It comes with its own collider and mesh. Fails
    /// if the library was built without Bullet.
    Result<BodyId> add_rigid_body(const RigidBody& body, const Pose& pose, const std::string& name = "rigid");
    /// Adds a collider. A world can have at most 256, including skin colliders.
    Result<ColliderId> add_collider(const Collider& collider);
    /// Adds the skin of a character as a collider, at most one per body. Penetration is measured against the triangles
    /// of the skin, whatever the method.
    Result<ColliderId> add_skin_collider(const SkinCollider& collider);
    /// Adds an instance of a groom. If the world has no bodies, this also adds one, which stays at the origin unless
    /// poses are pushed. Instances of a groom share its rest data, so a second one costs little more than its moving
    /// state.
    Result<GroomId> add_groom(Groom groom, GroomSettings settings = {});
    /// Adds children: strands that are not simulated but follow the strands of a groom when `curves` is called. They
    /// grow on the body of the groom, with their own root binding.
    Result<ChildrenId> add_children(GroomId guides, Groom children, GuideMode mode, RootBinding binding);

    // --- Removing and switching off. The rest of the world keeps its state and continues without the removed object.
    // These functions return false if the id does not exist.
    bool remove_groom(GroomId groom);  ///< also removes its holds and children
    bool remove_children(ChildrenId children);
    bool remove_collider(ColliderId collider);
    bool remove_body(BodyId body);  ///< also removes its colliders and holds; returns false while a groom grows on it
    /// Switches a groom, collider or body off, or back on. A groom that is off is not simulated; when it is switched
    /// back on, it moves rigidly to the current pose of its body. A collider that is off lets strands pass. The
    /// colliders of a body that is off are off as well, and a rigid body that is off does not move.
    bool set_enabled(GroomId groom, bool enabled);
    bool set_enabled(ColliderId collider, bool enabled);
    bool set_enabled(BodyId body, bool enabled);

    /// Computes the shapes and densities of the rest poses now instead of in the first step. Results do not change.
    /// Call this while loading.
    void prepare();

    // --- Input from the host
    /// Sets the pose that a body will have at the end of the next `advance` or `step`, or at `time` [s]. Push the pose
    /// of a frame, then advance by the frame. A push whose time is not later than that of the newest push replaces the
    /// newest pose but keeps the newest time. Returns false if a value is not finite, if the count is wrong, or if a
    /// function, a clip or the simulation moves the body.
    bool push_poses(BodyId body, std::span<const Pose> poses);
    bool push_poses(BodyId body, std::span<const Pose> poses, double time);
    /// The same for the vertices of a body, relative to `origin`.
    bool push_vertices(BodyId body, std::span<const Vec3f> vertices, const Vec3d& origin);
    bool push_vertices(BodyId body, std::span<const Vec3f> vertices, const Vec3d& origin, double time);
    /// Holds a particle at a point of a bone until it is released. A strand can have at most 14 holds, a string
    /// (kChainShape) any number. If the method of a string changes, the first 14 from the root stay in effect.
    Result<HoldId> hold(ParticleId particle, BodyId body, size_t bone = 0, Vec3d offset = {0, 0, 0},
                        const HoldSettings& settings = {});
    void release(HoldId hold);
    /// Ties two particles of strings (SolverType::kChainShape) together permanently. Returns false if one of them does
    /// not exist or does not belong to a string, or if they are the same.
    bool tie(ParticleId particle, ParticleId other);
    /// Cuts the segment that begins at a particle of a string. Returns false if there is no such segment.
    bool cut(ParticleId segment);
    /// Sets the foreign particles, in their state at the start of the next step, replacing those set earlier. They take
    /// part in SPH (InteractionMethod::kSph) until they are set again; the host moves them. Particles with a mass
    /// outside of [1e-15, 1e6] kg, a negative rest density, a value that is not finite, or a speed above 1e6 m/s are
    /// ignored.
    void set_foreign_particles(std::span<const ForeignParticle> particles);
    /// Declares that a body jumped to its current pose instead of moving there. Its strands are carried along rigidly,
    /// with their shape and velocity. The current pose is that of the newest push, or of the body's function or clip.
    bool teleport(BodyId body);
    /// Returns all strands to their rest pose on their bodies, with zero velocity, and all rigid bodies to their
    /// initial pose and velocity. Torn strings are whole again. Time is not reset.
    void reset();
    void set_paused(bool paused);
    bool paused() const;
    /// Changes take effect at the next step, or earlier if a call needs them, such as `measure` or `hold`.
    WorldSettings& settings();
    const WorldSettings& settings() const;
    /// The settings of a groom that replace those of the world. Changes take effect as those of `settings`. The groom
    /// must exist.
    GroomBehaviour& behaviour(GroomId groom);
    const GroomBehaviour& behaviour(GroomId groom) const;
    /// Returns an error if springs are too stiff for the step. `add_groom` makes the same check. A step softens such
    /// springs and counts their grooms in `softened`.
    std::optional<Error> check() const;

    // --- Time
    /// Takes one step of `settings().dt`, even while paused.
    StepReport step();
    /// Takes one step of another length. Prefer equal steps: stored velocities are rescaled whenever the length
    /// changes.
    StepReport step(double dt);
    /// Advances by `seconds` in fixed steps; the remainder carries over to the next call. Does nothing while paused.
    StepReport advance(double seconds);
    /// Lets strands settle for `seconds`, at most an hour, while time and all bodies except rigid ones stand still.
    /// `wind` combs the hair during the first half; the wind in the settings is off. `go_on` is called after every step
    /// with the fraction completed; if it returns false, `settle` stops and returns false.
    bool settle(double seconds, const Vec3f& wind = {0, 0, 0}, const std::function<bool(double share)>& go_on = {});
    double time() const;  ///< simulated time [s]
    uint64_t steps() const;

    // --- Output. These functions return an empty result (`pose`: the identity) if there is no such groom, body or
    // bone, except `position`, `groom`, `settings`, `children` and `guides_of`, whose argument must exist.
    /// The points of a groom at the time that `advance` was asked to reach. Held roots follow their body to that time.
    /// The strands are interpolated between the last two steps, so they lag by one step. Interpolation keeps the
    /// lengths of segments if the method guarantees them. After `step`, or without `keep_previous`, `curves` returns
    /// the newest state.
    CurvesView curves(GroomId groom);
    CurvesView curves(ChildrenId children);
    /// The mesh of a body's character at a time [s]; empty if it has none. Valid until the next call of `mesh`
    /// for this body, or the next call that advances, measures or changes the world, or computes clearances.
    MeshView mesh(BodyId body, double time);
    /// The pose of a bone at `time()`.
    Pose pose(BodyId body, size_t bone = 0);
    /// The position of a particle at `time()`, without interpolation.
    Vec3d position(ParticleId particle) const;
    Metrics measure();
    /// The penetration of every particle as of the last call to `measure` [m]; 0 outside, in the first segment of held
    /// strands, and for pinched strands. Empty without colliders.
    std::span<const float> depths(GroomId groom) const;
    /// The distance of every particle from the nearest collider at `time()` [m]: negative inside; the largest float if
    /// there are no colliders, or if all colliders are skins and none is within 5 cm.
    std::vector<float> clearances(GroomId groom);
    /// The tension of every segment over the last substep [N], stored at the particle where the segment ends; negative
    /// under compression, 0 at roots. Available for SolverType::kDirect with DirectSettings::keep_tensions, and for
    /// kChainShape; otherwise empty.
    std::vector<float> tensions(GroomId groom) const;
    /// Widths, twist and tension of the segments of strings; empty for other methods.
    SegmentsView segments(GroomId groom);
    /// Returns the events of strings since the last call, in chronological order. At most 100,000 are kept; later ones
    /// are lost. `load` and `reset` drop all of them.
    std::vector<StringEvent> take_events();
    /// The accelerations of foreign particles in the last step [m/s^2], in their order. Integrate them over that step
    /// before the particles move. Momentum is conserved: hair loses the momentum that foreign particles gain, except
    /// where a body holds the hair. The accelerations are zero while strands settle, without SPH, and for particles out
    /// of reach of the hair.
    std::span<const Vec3f> foreign_accelerations() const;
    uint64_t state_hash();  ///< equal states have equal hashes
    const Groom& groom(GroomId groom) const;
    /// The settings that a groom was added with, without its binding and with its current behaviour.
    const GroomSettings& settings(GroomId groom) const;
    std::vector<GroomId> grooms() const;  ///< in the order in which they were added
    std::vector<BodyId> bodies() const;   ///< in the order in which they were added
    size_t groom_count() const;
    size_t body_count() const;
    const Groom& children(ChildrenId children) const;
    GroomId guides_of(ChildrenId children) const;
    /// The guides of every child, as strands of `guides_of(children)`, and their weights, for hosts that compute
    /// children themselves, such as in a shader; see docs/embedding.md.
    std::span<const ChildGuides> child_guides(ChildrenId children) const;
    size_t children_count() const;
    size_t collider_count() const;
    size_t strand_count() const;
    size_t particle_count() const;
    size_t bytes() const;  ///< memory of the moving state and of the strand layouts

    /// Saves the whole moving state. Load it into a world that was built from the same grooms, bodies and colliders; if
    /// that fails, the world stays as it is.
    std::vector<std::byte> save() const;
    Result<uint64_t> load(std::span<const std::byte> bytes);  ///< returns the step count of the loaded state

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tendril
