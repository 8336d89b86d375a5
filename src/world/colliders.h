/// The colliders of a world over a step, and the penetration of strands into them.
#pragma once

#include "tendril/settings.h"
#include "tendril/world.h"
#include "world/bodies.h"
#include "world/box.h"
#include "world/groom_contacts.h"
#include "world/skins.h"
#include "world/slots.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// The penetration of a groom, summed over its particles.
struct Penetration {
    double deepest = 0, sum = 0;  ///< [m]
    size_t particles = 0;         ///< number of particles inside
    size_t pinched = 0;           ///< strands that cannot be outside; the other members do not count them
    size_t unknown = 0;           ///< particles that may be on either side of an open mesh; they are not counted

    void add(const Penetration& more)
    {
        deepest = std::max(deepest, more.deepest);
        sum += more.sum;
        particles += more.particles;
        pinched += more.pinched;
        unknown += more.unknown;
    }
};

/// The length of a step, and the age of the strands at its start (see WorldStep) [s].
struct StepTime {
    double dt, age;
};

/// One collider of a world: a primitive on a bone, or the skin of a body.
struct WorldCollider {
    ColliderId id;
    Collider description;        ///< if it is a primitive
    std::unique_ptr<Skin> skin;  ///< null if it is a primitive
    WorldBody* body = nullptr;   ///< the body that carries it
    bool enabled = true;
};

class Colliders : public SlotList<WorldCollider, ColliderId> {
public:
    bool has_skin(const WorldBody& body) const;
    /// Updates `active` after colliders were added, removed, or switched on or off.
    void update_active();
    /// Changes whenever `update_active` is called.
    uint64_t version() const { return version_; }
    /// The colliders that are switched on: first primitives, then skins, both in the order of insertion.
    std::span<const WorldCollider* const> active() const { return active_; }

    /// Measures how far the colliders travel in the step. Bodies must be sampled over `span`.
    void begin_step(const TimeSpan& span, Executor& executor);
    /// The factor, a power of two of at most `limit`, by which the substeps must be refined so that no collider that
    /// meets `reach` travels more than a quarter of its thickness per substep. Faster colliders could pass through
    /// strands. A collider that has jumped passes through them with any number of substeps and does not count. Call
    /// `begin_step` first.
    int refinement(const WorldBox& reach, int limit) const;
    /// Whether any collider needs refinement.
    bool any_fast() const;
    /// Prepares skins for the substeps of the step.
    void advance(const TimeSpan& span, Executor& executor);
    /// The fields of all skins in the last step; the sizes of cells are those of the skin with the most enlarged ones.
    FieldSize field_size() const;

    /// Calls `f(ColliderSubstep, WorldCollider)` for every active collider, as it moves from one sample of the bodies
    /// to a later one. Its position is relative to `origin`.
    template <class F>
    void for_each(int from, int to, const Vec3d& origin, const F& f) const
    {
        for (const WorldCollider* c : active_) {
            const size_t bone = c->description.bone;
            f(c->skin ? c->skin->collider_substep(from, to, origin)
                      : collider_substep(c->description, c->body->bone(from, bone), c->body->bone(to, bone), origin),
              *c);
        }
    }
    /// The contact input of a groom for a step. Each of its substeps spans `stride` samples of the bodies. `origins`
    /// has the origin of the strands at the end of every substep.
    ContactInput contacts_of(const Strands& strands, std::span<const Vec3d> origins, int stride,
                             const ContactSettings& settings, const StepTime& step, GroomContacts& own) const;

    /// Moves all colliders to their positions at a time, for the queries that follow.
    void place(double time, Executor& executor);

    /// Writes the positions of the particles of a strand.
    using PositionsOf = std::function<void(size_t strand, std::span<Vec3d> out)>;
    /// Measures the penetration of a groom. The first segment of a held strand does not count. `depths` receives the
    /// penetration of each particle, in the order of the groom's points. Strands whose root has less room than the
    /// length of their first segment, because a body overlaps or touches itself, are only counted as pinched.
    Penetration measure(const Groom& groom, const WorldBody& body, const PositionsOf& positions,
                        std::span<float> depths, Executor& executor);
    /// Computes the distance of every particle from the nearest collider, negative inside, in the order of the groom's
    /// points.
    void clearances(const Groom& groom, const PositionsOf& positions, std::span<float> out, Executor& executor) const;

private:
    bool pinched(const Vec3d& root, double room, const WorldBody& body) const;
    MeshDepth::Sided depth(const Vec3d& point) const;

    /// The travel of an active collider in a step.
    struct Travel {
        WorldBox swept;   // the space that it passes through
        double relative;  // travel per substep, in units of its thickness
    };
    Travel travel_of(const WorldCollider& collider, const TimeSpan& span) const;

    std::vector<const WorldCollider*> active_;
    std::vector<Travel> travels_;  // of active_
    int substeps_ = 1;             // of the step that begin_step was called for
    uint64_t version_ = 1;
    std::vector<PosedCollider> posed_;
    std::vector<Penetration> sums_;  // per group of strands
    BodySample sample_;
};

}  // namespace tendril
