/// What strands may touch, as the solvers see it: shapes prepared once per substep in double, met per particle in a
/// kernel (collider-inl.h, contact-inl.h).
#pragma once

#include "body/field_view.h"
#include "body/moving_tree.h"
#include "strands/rows.h"
#include "tendril/collider.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tendril {

inline constexpr size_t kMaxColliders = 256;

enum class ColliderSubstepKind : uint8_t { kCapsule, kBox, kPlane, kTorus, kField, kRigidField, kTriangles };

/// A shape over one substep. Places are seen from the origin of the strands at the end of the substep.
struct ColliderSubstep {
    ColliderSubstepKind kind = ColliderSubstepKind::kCapsule;
    Vec3f middle;     ///< of a ball around it
    float reach;      ///< radius of that ball [m]
    float detail;     ///< motion by much less than this carries nothing through it [m]
    float sharpest;   ///< least radius of its convex places: longer segments might cut them [m]
    float travel;     ///< no point of it moves farther in the substep [m]
    Vec3f turned[3];  ///< the surface's displacement at a point x over the substep is
    Vec3f moved;      ///< `turned` x + `moved` (rows of a matrix, and metres)

    Vec3f a;  ///< one end of a capsule, or the middle of another shape
    struct {
        Vec3f axis;            ///< from `a` to the other end [m]
        float radius;          ///< at `a` [m]
        float growth;          ///< of the radius along the axis [m]
        float per_length2;     ///< one over the squared length of the axis; 0 for a sphere
        float along, slant;    ///< which ball is nearest to a point, see near_capsule
        float widest, spread;  ///< how much thicker it is across the axis than its radii, and its bound
    } capsule;
    struct {
        Vec3f axes[3];  ///< its own axes; of a rigid field too
        Vec3f half;     ///< box, without the rounding of its edges [m]
        float radius;   ///< of that rounding, or of the tube [m]
        float ring;     ///< torus: of its circle [m]
    } framed;
    struct {
        FieldView view;  ///< its motion is per sample of the bodies
        bool moves;      ///< else it does nothing
        float stride;    ///< samples of the bodies in the substep
        float later;     ///< the end of the substep after the time of the field, in substeps
        float slack;     ///< by how much its distances may be too large [m]
    } field;
    struct {
        const MovingTree* tree;  ///< as it is at the end of the substep
        const Surface::Triangle* triangles;
        const Vec3f* motion;  ///< of the surface's vertices over the last sample of the bodies in the substep [m]
        Vec3f shift;          ///< from the coordinates of the tree's pose to the strands' origin
        float deepest;        ///< what is deeper inside is not found [m]
        float stride;         ///< samples of the bodies in the substep
    } triangles;
};

/// Of a collider whose bone goes from one pose to another.
ColliderSubstep collider_substep(const Collider& collider, const Pose& before, const Pose& after, const Vec3d& origin);
/// What the surface of a rigid shape does then, and its travel; `middle` and `reach` are known.
void set_motion(const Pose& before, const Pose& after, const Vec3d& origin, ColliderSubstep& out);

/// A collider where its bone has taken it, in double: for measuring.
class PlacedCollider {
public:
    PlacedCollider(const Collider& collider, const Pose& bone);
    /// How deep a point is inside; below 0 outside.
    double depth(const Vec3d& point) const;
    /// Whether a point is in a ball around it: most are not even in that.
    bool near(const Vec3d& point) const
    {
        const Vec3d d = point - middle_;
        return dot(d, d) < reach_ * reach_;
    }

private:
    ColliderKind kind_;
    Vec3d a_, axis_, middle_;
    double radius_, growth_, per_length2_, slant_, reach_;
    Vec3d axes_[3], half_;
    double ring_ = 0;
};

/// What all strands of one groom may touch over a step.
struct ContactInput {
    std::span<const ColliderSubstep> shapes;  ///< [substep][shape]
    size_t count = 0;                         ///< of shapes
    // See ContactSettings.
    float friction = 0, static_friction = 0, margin = 0;
    float restitution = 0;
    float bounce_above = 0;                   ///< approach that is slower is not given back [m per substep]
    float retained = 0;                       ///< share of the depth that what was inside may keep over a substep
    float stick = 0;                          ///< strands that touch and move less than this over the step stay [m]
    const StrandRows* layers = nullptr;       ///< distance that each strand keeps in addition [m]
    const ParticleRows* thickness = nullptr;  ///< radius of each particle [m], or null
    float thickest = 0;                       ///< the largest of those

    std::span<const ColliderSubstep> in(int substep) const
    {
        return shapes.subspan(static_cast<size_t>(substep) * count, count);
    }
};

}  // namespace tendril
