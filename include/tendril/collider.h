/// What hair cannot go through: simple shapes that bones carry. For the skin of a character itself see
/// World::add_skin_collider.
#pragma once

#include "tendril/body.h"
#include "tendril/vec3.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tendril {

enum class ColliderShape : uint8_t {
    /// All points within the spheres whose centre goes from `a` to `b` while their radius goes from `radius_a` to
    /// `radius_b`. With a == b it is the larger of two spheres, with equal radii a capsule.
    kCapsule,
    kBox,    ///< around `a`, reaching `half` along its own axes; `radius_a` of that rounds its edges
    kPlane,  ///< everything below: through `a`, its own y axis points out
    kTorus,  ///< a tube of radius `radius_b` along a circle of radius `radius_a` around `a`, across its own y axis
};

struct Collider {
    BodyId body = {};
    size_t bone = 0;               ///< of the body; those of its character come after its frames, see BodyDescription
    Vec3d a{0, 0, 0}, b{0, 0, 0};  ///< in the frame of the bone [m]
    float radius_a = 0, radius_b = 0;  ///< [m], >= 0
    ColliderShape shape = ColliderShape::kCapsule;
    Quat turn = {};          ///< from the shape's own axes to those of the bone; not for capsules
    Vec3d half = {0, 0, 0};  ///< of a box [m], >= 0
};

/// How closely colliders follow the skin of a character.
struct ColliderFit {
    size_t most = 64;  ///< colliders, >= 1; every one is looked at by every particle near it
    /// Distance from skin to colliders that is close enough, in units of the diagonal of the character's box. Bones get
    /// more capsules until 97 % of their skin is within.
    double tolerance = 0.006;
    /// The pose to fit in is that at time 0. It matters where a clip holds bones at a scale of their own.
    ClipPlay play = {};
};

/// Tapered capsules that follow the skin of any character, for a body whose only frame carries it. Bones whose scale
/// changes while a clip plays keep colliders of one size; a mesh without bones gets colliders that the frame carries.
std::vector<Collider> fit_colliders(const Character& character, BodyId body = {}, const ColliderFit& fit = {});

/// How strands are kept outside of a mesh.
enum class SkinMethod : uint8_t {
    kField,      ///< a distance field, refined near the skin
    kMarching,   ///< the same, by fast marching as in [Mueller12] 3.7: slower and less exact
    kTriangles,  ///< the triangles themselves: most exact, some ten times the cost
};

/// The skin of a body's character, as it moves. Holes in the mesh are closed.
struct SkinCollider {
    BodyId body = {};
    SkinMethod method = SkinMethod::kField;
    /// Fine cells of the field, near the skin [m]: a thousandth to a tenth of the mesh's size; 0: a 200th. Features
    /// smaller than this are rounded off.
    float cell = 0;
};

}  // namespace tendril
