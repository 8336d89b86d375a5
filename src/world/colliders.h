/// The colliders of a world over a step, and how deep strands are inside them.
#pragma once

#include "body/body.h"
#include "solvers/contact.h"
#include "strands/strands.h"
#include "tendril/settings.h"
#include "tendril/world.h"
#include "world/skins.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tendril {

/// What one groom keeps for its contacts.
struct GroomContacts {
    GroomContacts(const Groom& groom, const Strands& strands);

    StrandRows layers;
    float layer = -1;      ///< that they were drawn for
    uint64_t seed = 0;
    std::vector<ShapeSubstep> substeps;
    ParticleRows thickness;  ///< empty where the groom has no widths
    float thickest = 0;
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

class Colliders {
public:
    void add(const Collider& collider) { list_.push_back(collider); }
    /// False, and nothing is added, where the mesh encloses nothing. `rigid`: see Skin.
    bool add(const SkinCollider& skin, const MeshView& rest, const std::vector<Vec3f>* rigid);
    size_t size() const { return list_.size() + skins_.size(); }
    bool has_skin(size_t body) const;

    /// Before a step from `time` to `time + dt`: by how much its substeps must be refined so that no shape travels a
    /// quarter of its thickness in one. Faster ones jump through strands, whatever is done about their way. A power of
    /// two.
    int begin_step(std::span<Body> bodies, double time, double dt, int substeps, Executor& executor);
    /// Samples bones and skins over the step that was begun. Poses that are not finite are counted.
    void advance(std::span<Body> bodies, double time, double dt, int substeps, Executor& executor, size_t& bad_poses);
    /// The same as seen by a groom whose origin is at `origins` at the end of every substep.
    ContactInput contacts_of(const Strands& strands, std::span<const Vec3d> origins, const ContactSettings& settings,
                             const StepTime& step, GroomContacts& own) const;

    size_t shape_count() const { return list_.size(); }
    const Collider& shape(size_t i) const { return list_[i]; }
    /// A body is somewhere else at the end of a substep than it was thought to be.
    void set_pose(size_t body, int substep, const Pose& pose);

    /// Calls `f(shape, body)` for all of them over a substep, seen from `origin` at its end.
    template <class F>
    void for_shapes(int substep, const Vec3d& origin, const F& f) const
    {
        const Pose* now = poses_.data() + static_cast<size_t>(substep) * list_.size();
        for (size_t i = 0; i < list_.size(); ++i)
            f(shape_step(list_[i], now[i], now[list_.size() + i], origin), list_[i].body.index);
        for (const auto& skin : skins_) f(skin->shape_in(substep, origin), skin->body());
    }

    /// Where all of them are at a time: for what follows.
    void place(std::span<Body> bodies, double time, Executor& executor);

    struct Measured {
        size_t body;  ///< that the strands grow on
        std::span<const uint32_t> first_point;
        std::span<float> depths;  ///< of each particle, in the order of the groom's points
    };
    /// Of all particles past the first segment of what is held. Strands whose root has less room than their first
    /// segment, where a body overlaps or touches itself, are only counted.
    Penetration measure(const Strands& strands, const Measured& what, Executor& executor);

    /// How far every particle is from the nearest collider; negative inside. In the order of the groom's points.
    void clearances(const Strands& strands, std::span<const uint32_t> first_point, std::span<float> out,
                    Executor& executor) const;

private:
    bool pinched(const Vec3d& root, double room, size_t body) const;
    /// Of a particle that is at p.
    double depth(const Vec3d& p) const;
    void advance_bones(std::span<Body> bodies, double time, double dt, int substeps, size_t& bad_poses);
    void sample(std::span<Body> bodies, double time, Pose* out, size_t& bad_poses);

    std::vector<Collider> list_;
    std::vector<std::unique_ptr<Skin>> skins_;
    std::vector<Pose> poses_;  // [start, then end of every substep][collider]
    std::vector<Pose> bones_;  // of one body
    std::vector<Pose> now_;
    std::vector<PlacedCollider> placed_;
    std::vector<Penetration> sums_;  // per group of strands
};

}  // namespace tendril
