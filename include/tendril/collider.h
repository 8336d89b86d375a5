/// Colliders: primitives that bones carry and strands cannot pass through. For the skin of a character see
/// World::add_skin_collider.
#pragma once

#include "tendril/body.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tendril {

enum class ColliderKind : uint8_t {
    /// The union of all spheres whose centre moves from `a` to `b` while the radius changes from `radius_a` to
    /// `radius_b`. If a == b it is the larger of the two spheres; with equal radii it is a plain capsule.
    kCapsule,
    kBox,    ///< centred at `a`, with half extents `half`; edges are rounded with `radius_a`, inside `half`
    kPlane,  ///< the half-space below a plane through `a`; its own y axis points outwards
    kTorus,  ///< a tube of radius `radius_b` around a circle of radius `radius_a` at `a`, normal to its own y axis
};

struct Collider {
    BodyId body = {};
    size_t bone = 0;  ///< of the body; the bones of a character come after those of the body, see BodyDescription
    Vec3d a{0, 0, 0}, b{0, 0, 0};      ///< in the frame of the bone [m]
    float radius_a = 0, radius_b = 0;  ///< [m], >= 0
    ColliderKind kind = ColliderKind::kCapsule;
    Quat turn = {};          ///< rotation from the collider's own axes to those of the bone; unused for capsules
    Vec3d half = {0, 0, 0};  ///< half extents of a box [m], >= 0
};

/// How closely fitted colliders follow the skin of a character.
struct ColliderFit {
    size_t most = 64;  ///< maximum number of colliders, >= 1; every particle tests each collider near it
    /// Acceptable distance between skin and colliders, relative to the diagonal of the character's bounding
    /// box. A bone gets more capsules until 97 % of its skin is within this distance.
    double tolerance = 0.006;
    /// The fit uses the pose of this clip at time 0, which matters if the clip scales bones.
    ClipPlay play = {};
};

/// Fits tapered capsules to the skin of any character, for a body with one bone of its own, which carries the
/// character. Colliders keep their size even if a clip changes the scale of bones; a mesh without bones gets colliders
/// on the body's bone.
std::vector<Collider> fit_colliders(const Character& character, BodyId body = {}, const ColliderFit& fit = {});

/// How strands are kept outside a mesh.
enum class SkinMethod : uint8_t {
    kField,      ///< a distance field, refined near the skin
    kMarching,   ///< the same, built by fast marching as in [Mueller12] 3.7; slower and less accurate
    kTriangles,  ///< the triangles themselves; most accurate, at five to ten times the cost
};

/// The moving skin of a body's character. Holes in the mesh are closed.
struct SkinCollider {
    BodyId body = {};
    SkinMethod method = SkinMethod::kField;
    /// Size of the fine field cells near the skin [m]: a thousandth to a tenth of the mesh size; 0 selects a 200th.
    /// Features smaller than this are rounded off.
    float cell = 0;
};

}  // namespace tendril
