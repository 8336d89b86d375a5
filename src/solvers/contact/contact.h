/// Colliders as the solvers see them: prepared once per substep in double precision, evaluated per particle in kernels
/// (collider-inl.h, contact-inl.h).
#pragma once

#include "body/field/field_view.h"
#include "body/moving_tree.h"
#include "strands/rows.h"
#include "tendril/collider.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tendril {

inline constexpr size_t kMaxColliders = 256;

enum class ColliderSubstepKind : uint8_t { kCapsule, kBox, kPlane, kTorus, kField, kBoneField, kTriangles };

/// A collider over one substep. Positions are relative to the origin of the strands at the end of the substep.
struct ColliderSubstep {
    ColliderSubstepKind kind = ColliderSubstepKind::kCapsule;
    Vec3f centre;           ///< of its bounding sphere
    float bounding_radius;  ///< of its bounding sphere [m]
    float detail;           ///< motion by much less than this carries no particle through it [m]
    float min_radius;       ///< smallest radius of its convex parts; longer segments may cut them [m]
    float max_travel;       ///< upper bound on the displacement of its points over the substep [m]
    Vec3f turned[3];        ///< the displacement of its surface over the substep, at a point x, is
    Vec3f moved;            ///< `turned` x + `moved` (rows of a matrix, and metres)

    Vec3f a;  ///< one end of a capsule, or the centre of another collider
    struct {
        Vec3f axis;            ///< from `a` to the other end [m]
        float radius;          ///< at `a` [m]
        float growth;          ///< change of the radius from `a` to the other end [m]
        float per_length2;     ///< one over the squared length of the axis; 0 for a sphere
        float along, slant;    ///< coefficients that give the sphere nearest to a point, see near_capsule
        float widest, spread;  ///< factors on the radius and on the reach in within_reach
    } capsule;
    struct {
        Vec3f axes[3];  ///< its own axes, also those of kBoneField
        Vec3f half;     ///< box: half its size, without the rounding of its edges [m]
        float radius;   ///< box: of that rounding; torus: of its tube [m]
        float ring;     ///< torus: radius of its circle [m]
    } framed;
    struct {
        FieldView view;     ///< its motion is per sample of the bodies
        bool moves;         ///< whether its surface moves
        float stride;       ///< samples of the bodies in the substep
        float time_offset;  ///< time from that of the field to the end of the substep, in substeps
        float max_error;    ///< its distances may be too large by up to this [m]
    } field;
    struct {
        const MovingTree* tree;  ///< as it is at the end of the substep
        const Surface::Triangle* triangles;
        const Vec3f* motion;  ///< of the vertices over the last sample of the bodies in the substep [m]
        Vec3f shift;          ///< is added to a position to convert it to the coordinates of the tree
        float max_depth;      ///< particles that are deeper inside are not found [m]
        float stride;         ///< samples of the bodies in the substep
    } triangles;
};

/// Prepares a collider whose bone moves from one pose to another.
ColliderSubstep collider_substep(const Collider& collider, const Pose& before, const Pose& after, const Vec3d& origin);
/// Sets the motion and `max_travel` of a collider that does not deform; `centre` and `bounding_radius` must be set.
void set_motion(const Pose& before, const Pose& after, const Vec3d& origin, ColliderSubstep& out);

/// A collider at the pose of its bone, in double precision, for measuring.
class PosedCollider {
public:
    PosedCollider(const Collider& collider, const Pose& bone);
    /// The penetration of a point [m]; negative outside.
    double depth(const Vec3d& point) const;
    /// Whether a point is inside the bounding sphere; most points are not.
    bool near(const Vec3d& point) const
    {
        const Vec3d d = point - centre_;
        return dot(d, d) < bounding_radius_ * bounding_radius_;
    }

private:
    ColliderKind kind_;
    Vec3d a_, axis_, centre_;
    double radius_, growth_, per_length2_, slant_, bounding_radius_;
    Vec3d axes_[3], half_;
    double ring_ = 0;
};

/// The colliders and contact settings of one groom over a step.
struct ContactInput {
    std::span<const ColliderSubstep> colliders;  ///< [substep][collider]
    size_t count = 0;                            ///< number of colliders
    // See ContactSettings.
    float friction = 0, static_friction = 0, margin = 0;
    float restitution = 0;
    float bounce_above = 0;                   ///< a slower approach does not bounce [m per substep]
    float retained = 0;                       ///< share of its penetration that a particle may keep over a substep
    float stick = 0;                          ///< strands in contact that move less than this over the step stay [m]
    const StrandRows* layers = nullptr;       ///< additional distance that each strand keeps [m]
    const ParticleRows* thickness = nullptr;  ///< radius of each particle [m], or null
    float thickest = 0;                       ///< the largest of these radii [m]

    std::span<const ColliderSubstep> in(int substep) const
    {
        return colliders.subspan(static_cast<size_t>(substep) * count, count);
    }
};

}  // namespace tendril
