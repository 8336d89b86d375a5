/// A movement is the part of a world that simulates a family of grooms. A world has two, see strand_movement.h and
/// string_movement.h. Simulation on a GPU, or of rods, would be another. The world uses movements only through this
/// interface.
#pragma once

#include "interaction/interaction.h"
#include "tendril/world.h"
#include "world/bodies.h"
#include "world/box.h"
#include "world/colliders.h"
#include "world/groom_instance.h"
#include "world/holds.h"
#include "world/rigid_bodies.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// The input of a step, and its report.
struct WorldStep {
    const WorldSettings& settings;
    TimeSpan span;       ///< time span of the bodies; its length is 0 while strands settle
    double dt;           ///< time that passes for strands [s]
    uint64_t number;     ///< number of steps before this one
    double age;          ///< simulated time since the start or the last `reset`, including settling [s]
    bool keep_previous;  ///< whether this step must store its initial state
    bool has_history;    ///< whether the last step did so
    WindSettings wind;
    bool settling;  ///< strands are settling; rigid bodies feel no wind

    Bodies& bodies;
    Colliders& colliders;
    RigidBodies& rigid;
    Holds& holds;
    Executor& executor;
    StepReport& report;
};

/// The motion of a groom's particles, strand by strand, as one movement hands it to another.
struct GroomMotion {
    std::vector<Vec3d> before, now;  ///< positions at the start of the last step, and now [m]
    std::vector<Vec3d> velocity;     ///< [m/s]
};

class Movement {
public:
    virtual ~Movement() = default;

    /// Whether this movement moves the grooms of a method.
    virtual bool moves(SolverType method) const = 0;

    // --- Members
    /// Adds a groom, at rest at `groom.roots`.
    virtual void add(GroomInstance& groom) = 0;
    virtual void remove(GroomInstance& groom) = 0;
    /// Read and set the motion of a member when a groom changes to another movement.
    virtual GroomMotion motion(const GroomInstance& groom) const = 0;
    virtual void set_motion(GroomInstance& groom, const GroomMotion& motion) = 0;

    // --- A step
    /// Whether its grooms act on each other within a step, so that all of them need the same number of substeps.
    virtual bool couples_grooms() const { return false; }
    /// A box that contains all positions that strands of a groom can reach in the step that follows.
    virtual WorldBox reach(const GroomInstance&) const { return WorldBox::everything(); }
    /// The number of substeps that a groom needs over `dt` seconds, at least `wanted`, the number in the settings.
    /// The world takes a common multiple of the substeps of all grooms.
    virtual int substeps(const GroomInstance& groom, int wanted, double dt, const RigidBodies& rigid) = 0;
    /// Applies the settings and the length of the substeps. Called before the interaction.
    virtual void begin(WorldStep& step) = 0;
    /// Appends the grooms that take part in the interaction.
    virtual void list_interacting(std::vector<InteractingGroom>&) {}
    virtual void solve(WorldStep& step) = 0;
    /// Whether `solve` also moves the rigid bodies, because its grooms pull at them.
    virtual bool moves_rigid_bodies() const { return false; }
    /// Computes now what the first step would otherwise compute before anything moves.
    virtual void prepare(const WorldSettings&, Executor&) {}

    // --- Input from the host
    using MotionOf = std::function<Pose(size_t strand)>;
    /// Carries every strand of a groom by its own rigid motion; `groom.roots` has the roots after it.
    virtual void carry(GroomInstance& groom, const MotionOf& motion, Executor& executor) = 0;
    /// Returns a groom to its rest pose at `groom.roots`, without motion.
    virtual void reset(GroomInstance& groom, Executor& executor) = 0;
    /// Called when a hold is released.
    virtual void released(const HoldState&) {}
    /// Largest number of holds of one strand.
    virtual size_t max_holds() const = 0;
    /// See World::cut.
    virtual bool cut(GroomInstance& /*groom*/, size_t /*strand*/, size_t /*segment*/, double /*time*/) { return false; }
    /// See World::tie.
    virtual bool tie(GroomInstance& /*a*/, size_t /*a_strand*/, size_t /*a_particle*/, GroomInstance& /*b*/,
                     size_t /*b_strand*/, size_t /*b_particle*/)
    {
        return false;
    }

    // --- Output
    struct CurvesRequest {
        std::span<const Vec3d> roots;  ///< by strand
        Vec3d origin;                  ///< points are written relative to it
        float blend;                   ///< interpolates over the last step: 0 is its start, 1 its end
        double dt;                     ///< length of that step [s]
    };
    virtual void write_curves(const GroomInstance& groom, const CurvesRequest& request, std::span<Vec3f> points,
                              std::span<Vec3f> velocities, Executor& executor) const = 0;
    /// The root of a strand at the start of the last step, and now.
    struct RootStep {
        Vec3d before, now;
    };
    virtual RootStep root_step(const GroomInstance& groom, size_t strand) const = 0;
    /// Writes the positions of the first particles of a strand, beginning at its root.
    virtual void positions(const GroomInstance& groom, size_t strand, std::span<Vec3d> out) const = 0;
    struct Measured {
        Metrics metrics;      ///< without penetration
        double segments = 0;  ///< number of segments in the mean stretch
    };
    virtual Measured measure(GroomInstance& groom, const Vec3d& gravity, double dt, Executor& executor) = 0;
    /// See World::tensions. Empty if the tensions are not known.
    virtual std::vector<float> tensions(const GroomInstance&) const { return {}; }
    virtual SegmentsView segments(const GroomInstance&) { return {}; }
    virtual void take_events(std::vector<StringEvent>&) {}
    virtual size_t bytes() const = 0;  ///< memory of the moving state and of the strand layouts

    // --- State
    /// Mixes the state of all members into a hash.
    virtual uint64_t hash(uint64_t h, Executor& executor) const = 0;
    virtual void save(std::vector<std::byte>& out) const = 0;
    /// Returns false if the bytes do not fit the members.
    virtual bool load(std::span<const std::byte>& in) = 0;
};

/// Makes all movements, in the order in which a step solves them.
std::vector<std::unique_ptr<Movement>> make_movements();

}  // namespace tendril
