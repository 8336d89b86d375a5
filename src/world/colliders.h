/// The colliders of a world over a step, and how deep strands are inside them.
#pragma once

#include "solvers/contact.h"
#include "strands/strands.h"
#include "tendril/settings.h"
#include "tendril/world.h"
#include "world/bodies.h"
#include "world/skins.h"
#include "world/slots.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// How thick the strands of a groom are; all its instances share it.
struct StrandThickness {
    StrandThickness(const Groom& groom, const StrandLayout& layout);

    ParticleRows radius;  ///< of each particle [m]; empty where the groom has no widths
    float thickest = 0;   ///< the largest of them [m]
};

/// What one instance of a groom keeps for its contacts.
struct GroomContacts {
    std::shared_ptr<const StrandThickness> thickness;
    StrandRows layers;
    float layer = -1;  ///< that they were drawn for
    uint64_t seed = 0;
    std::vector<ShapeSubstep> substeps;
};

/// What the particles of a groom that are inside add up to.
struct Penetration {
    double deepest = 0, sum = 0;  ///< [m]
    size_t particles = 0;
    size_t pinched = 0;  ///< strands that are inside but cannot be outside: they are left out

    void add(const Penetration& more)
    {
        deepest = std::max(deepest, more.deepest);
        sum += more.sum;
        particles += more.particles;
        pinched += more.pinched;
    }
};

/// How long a step is, and for how long strands had been in the world before it [s].
struct StepTime {
    double dt, age;
};

/// One collider of a world: a primitive on a bone, or the skin of a body.
struct WorldCollider {
    ColliderId id;
    Collider description;        ///< of a primitive
    std::unique_ptr<Skin> skin;  ///< or null
    WorldBody* body = nullptr;   ///< that carries it
    bool enabled = true;
};

class Colliders : public SlotList<WorldCollider, ColliderId> {
public:
    bool has_skin(const WorldBody& body) const;
    /// Colliders have come, gone, or been switched on or off.
    void renew();
    /// Changes whenever `renew` is called.
    uint64_t version() const { return version_; }
    /// Those that are switched on: primitives, then skins, each in the order of adding.
    std::span<const WorldCollider* const> active() const { return active_; }

    /// Before a step whose samples of bodies span `span`: by how much its substeps must be refined so that no collider
    /// travels a quarter of its thickness in one. Faster ones jump through strands, whatever is done about their way. A
    /// power of two.
    int refinement(const TimeSpan& span, Executor& executor);
    /// Prepares skins for the substeps of the step.
    void advance(const TimeSpan& span, Executor& executor);

    /// Calls `f(shape, collider)` for all of them from one sample of the bodies to a later one, seen from `origin` at
    /// its end.
    template <class F>
    void for_each(int from, int to, const Vec3d& origin, const F& f) const
    {
        for (const WorldCollider* c : active_) {
            const size_t bone = c->description.bone;
            f(c->skin ? c->skin->shape_in(from, to, origin)
                      : shape_step(c->description, c->body->bone(from, bone), c->body->bone(to, bone), origin),
              *c);
        }
    }
    /// All that strands of a groom may touch over a step. One of its substeps spans `stride` samples of the bodies, and
    /// its origin is at `origins` at the end of every one.
    ContactInput contacts_of(const Strands& strands, std::span<const Vec3d> origins, int stride,
                             const ContactSettings& settings, const StepTime& step, GroomContacts& own) const;

    /// Where all of them are at a time, for the queries that follow.
    void place(double time, Executor& executor);

    /// Writes the positions of the particles of a strand.
    using PositionsOf = std::function<void(size_t strand, std::span<Vec3d> out)>;
    /// How deep the particles of a groom are, past the first segment of what is held. `depths`: of each particle, in
    /// the order of the groom's points. Strands whose root has less room than their first segment, where a body
    /// overlaps or touches itself, are only counted.
    Penetration measure(const Groom& groom, const WorldBody& body, const PositionsOf& positions,
                        std::span<float> depths, Executor& executor);
    /// How far every particle is from the nearest collider; negative inside. In the order of the groom's points.
    void clearances(const Groom& groom, const PositionsOf& positions, std::span<float> out, Executor& executor) const;

private:
    bool pinched(const Vec3d& root, double room, const WorldBody& body) const;
    double depth(const Vec3d& point) const;

    std::vector<const WorldCollider*> active_;
    uint64_t version_ = 1;
    std::vector<PlacedCollider> placed_;
    std::vector<Penetration> sums_;  // per group of strands
    BodySample sample_;
};

}  // namespace tendril
