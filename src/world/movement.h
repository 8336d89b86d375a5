/// How a family of grooms moves. A world has one object per way of moving: strands with a solver, strings of a
/// material; a GPU or rods would be others. The step loop knows this interface and nothing of what is behind it.
#pragma once

#include "interaction/interaction.h"
#include "tendril/world.h"
#include "world/bodies.h"
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

/// A step as movements see it.
struct WorldStep {
    const WorldSettings& settings;
    TimeSpan span;       ///< of the bodies: it has no length while strands settle
    double dt;           ///< that passes for strands [s]
    uint64_t number;     ///< how many steps were before it
    double age;          ///< how long strands have moved since they were put at rest [s]
    bool keep_previous;  ///< remember where the step began
    bool has_history;    ///< the last step did
    WindSettings wind;
    bool settling;  ///< rigid bodies feel no wind

    Bodies& bodies;
    Colliders& colliders;
    RigidBodies& rigid;
    Holds& holds;
    Executor& executor;
    StepReport& report;
};

/// Where the particles of a groom are, strand by strand, and how they got there: what one movement hands to another.
struct GroomMotion {
    std::vector<Vec3d> before, now, velocity;  ///< `before`: at the start of the last step
};

class Movement {
public:
    virtual ~Movement() = default;

    /// Whether this is how grooms of a method move.
    virtual bool moves(SolverType method) const = 0;

    // --- Members
    /// A groom joins, at rest where `groom.roots` has it.
    virtual void add(GroomInstance& groom) = 0;
    virtual void remove(GroomInstance& groom) = 0;
    /// A member as it moves, and how it is to go on: for a change of method.
    virtual GroomMotion motion(const GroomInstance& groom) const = 0;
    virtual void set_motion(GroomInstance& groom, const GroomMotion& motion) = 0;
    virtual bool empty() const = 0;

    // --- A step
    /// In how many substeps a groom should be moved over `dt` seconds, where the settings ask for `wanted`; it is a
    /// multiple of that. Substeps of the world are a common multiple of all.
    virtual int substeps(const GroomInstance& groom, int wanted, double dt, const RigidBodies& rigid) = 0;
    /// Before bodies act on each other: takes over settings and the length of the substeps.
    virtual void begin(WorldStep& step) = 0;
    /// Lists the grooms that take part in the interaction of hair with hair.
    virtual void list_interacting(std::vector<InteractingGroom>&) {}
    virtual void solve(WorldStep& step) = 0;
    /// Whether `solve` moves the rigid bodies along, because its grooms pull at them.
    virtual bool moves_rigid_bodies() const { return false; }
    /// Does now what the first step would do before anything moves.
    virtual void prepare(const WorldSettings&, Executor&) {}

    // --- What the host tells
    using MotionOf = std::function<Pose(size_t strand)>;
    /// Carries every strand of a groom by a rigid motion of its own; `groom.roots` is where its body is afterwards.
    virtual void carry(GroomInstance& groom, const MotionOf& motion, Executor& executor) = 0;
    /// Back to the rest pose, without motion, where `groom.roots` has it.
    virtual void reset(GroomInstance& groom, Executor& executor) = 0;
    /// Something has let go of a particle.
    virtual void released(const HoldState&) {}
    /// Most holds of one strand.
    virtual size_t most_holds() const = 0;
    virtual bool cut(GroomInstance&, size_t, size_t, double) { return false; }
    virtual bool tie(GroomInstance&, size_t, size_t, GroomInstance&, size_t, size_t) { return false; }

    // --- What comes out
    struct CurvesRequest {
        std::span<const Vec3d> roots;  ///< by strand
        Vec3d origin;                  ///< that points are seen from
        float blend;                   ///< share of the way through the last step
        double dt;                     ///< of that step [s]
    };
    /// Writes points and velocities of a groom.
    virtual void write_curves(const GroomInstance& groom, const CurvesRequest& request, std::span<Vec3f> points,
                              std::span<Vec3f> velocities, Executor& executor) const = 0;
    /// Where the root of a strand was at the start of the last step, and is now.
    struct RootStep {
        Vec3d before, now;
    };
    virtual RootStep root_step(const GroomInstance& groom, size_t strand) const = 0;
    /// Where the first particles of a strand are, from the root on.
    virtual void positions(const GroomInstance& groom, size_t strand, std::span<Vec3d> out) const = 0;
    struct Measured {
        Metrics metrics;      ///< all but penetration
        double segments = 0;  ///< that its mean stretch is over
    };
    virtual Measured measure(GroomInstance& groom, const Vec3d& gravity, double dt, Executor& executor) = 0;
    /// Of every segment, see World::tensions; empty where they are not known.
    virtual std::vector<float> tensions(const GroomInstance&) const { return {}; }
    virtual SegmentsView segments(const GroomInstance&) { return {}; }
    virtual void take_events(std::vector<StringEvent>&) {}
    /// Memory of its moving state.
    virtual size_t bytes() const = 0;

    // --- State
    /// Mixes the state of all members into a hash.
    virtual uint64_t hash(uint64_t h, Executor& executor) const = 0;
    virtual void save(std::vector<std::byte>& out) const = 0;
    /// False when the bytes do not fit the members.
    virtual bool load(std::span<const std::byte>& in) = 0;
};

/// All ways of moving, in the order in which a step takes them.
std::vector<std::unique_ptr<Movement>> make_movements();

}  // namespace tendril
