// Distance from a point to a collider, for one strand or a group of strands in SIMD lanes. See contact.h.

#if defined(TENDRIL_SOLVERS_COLLIDER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_SOLVERS_COLLIDER_INL_H_
#undef TENDRIL_SOLVERS_COLLIDER_INL_H_
#else
#define TENDRIL_SOLVERS_COLLIDER_INL_H_
#endif

#include "body/field/field-inl.h"
#include "math/simd-inl.h"
#include "solvers/contact/contact.h"
#include "strands/frame-inl.h"
#include "strands/strands.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

// Upper limit on the curvature of a hit [1/m].
inline constexpr float kMaxCurvature = 1e4f;

/// The surface nearest to a point, approximated by a ball (or a plane, of curvature 0) that touches it there.
template <class F>
struct Hit {
    F distance;      ///< from the surface; negative inside [m]
    Vec3<F> normal;  ///< unit vector, outwards
    F curvature;     ///< one over the radius of the ball [1/m]
    Vec3<F> motion;  ///< displacement of the surface there over the substep [m]
};

template <class F>
HWY_INLINE Hit<F> nothing_within(const F& distance)
{
    const F zero = splat<F>(0.0f);
    return {distance, splat<F>(0.0f, 1.0f, 0.0f), zero, {zero, zero, zero}};
}

/// Replaces `hit` where another surface is nearer. Returns whether that is so for any strand.
template <class F>
HWY_INLINE bool take_nearer(const F& distance, const Vec3<F>& normal, const F& curvature, Hit<F>& hit)
{
    const auto nearer = distance < hit.distance;
    if (!any(nearer)) return false;
    hit.distance = select(nearer, distance, hit.distance);
    hit.normal = select(nearer, normal, hit.normal);
    hit.curvature = select(nearer, curvature, hit.curvature);
    return true;
}

/// Finds the sphere of a tapered capsule that is nearest to a point. For a point at h along the axis and at the
/// distance r from it, the distance to the sphere at h', sqrt((h - h')^2 + r^2) - radius - k h', is smallest at
/// h' = h + r k / sqrt(1 - k^2), or at an end. The code replaces r by its value on the surface, which is linear in h
/// and needs no square root. The error in h' is proportional to the depth, that of the distance to its square, and both
/// vanish on the surface.
template <class F>
HWY_INLINE bool near_capsule(const ColliderSubstep& s, const Vec3<F>& x, const F& margin, Hit<F>& hit)
{
    Vec3<F> off = x - splat<F>(s.a);
    F radius = splat<F>(s.capsule.radius) + margin;
    if (s.capsule.per_length2 != 0) {
        const Vec3<F> axis = splat<F>(s.capsule.axis);
        F t = dot(off, axis) * splat<F>(s.capsule.per_length2 * s.capsule.along) + splat<F>(s.capsule.slant) * radius;
        t = max(splat<F>(0.0f), min(splat<F>(1.0f), t));
        off = off - axis * t;
        radius = radius + splat<F>(s.capsule.growth) * t;
    }
    const F off2 = dot(off, off), bound = max(splat<F>(0.0f), radius + hit.distance);
    if (!any(off2 < bound * bound)) return false;
    const F n2 = max(off2, splat<F>(kNoDirection)), per = splat<F>(1.0f) / sqrt(n2);
    return take_nearer(n2 * per - radius, off * per, splat<F>(1.0f) / max(radius, splat<F>(1 / kMaxCurvature)), hit);
}

template <class F>
HWY_INLINE F absolute(const F& a)
{
    return max(a, splat<F>(0.0f) - a);
}

/// Converts a vector from a collider's own axes to those of the world.
template <class F>
HWY_INLINE Vec3<F> out_of_frame(const ColliderSubstep& s, const Vec3<F>& v)
{
    return splat<F>(s.framed.axes[0]) * v.x + splat<F>(s.framed.axes[1]) * v.y + splat<F>(s.framed.axes[2]) * v.z;
}

template <class F>
HWY_NOINLINE bool near_box(const ColliderSubstep& s, const Vec3<F>& x, const F& margin, Hit<F>& hit)
{
    const F zero = splat<F>(0.0f), one = splat<F>(1.0f);
    const Vec3<F> p = rotate_by(s.framed.axes, x - splat<F>(s.a));
    const Vec3<F> q{absolute(p.x) - splat<F>(s.framed.half.x), absolute(p.y) - splat<F>(s.framed.half.y),
                    absolute(p.z) - splat<F>(s.framed.half.z)};
    const Vec3<F> out{max(q.x, zero), max(q.y, zero), max(q.z, zero)};
    const F n2 = dot(out, out), radius = splat<F>(s.framed.radius) + margin;
    const F highest = max(q.x, max(q.y, q.z));
    const auto beyond = zero < highest;  // outside of the box without its rounding
    const F n = sqrt(max(n2, splat<F>(kNoDirection)));
    const F distance = select(beyond, n, highest) - radius;
    if (!any(distance < hit.distance)) return false;
    // Inside, the nearest face gives the normal. Ties: z before y before x.
    const auto x_face = max(q.y, q.z) < q.x;
    const auto y_face = q.z < q.y;
    const Vec3<F> face = select(x_face, splat<F>(1.0f, 0.0f, 0.0f),
                                select(y_face, splat<F>(0.0f, 1.0f, 0.0f), splat<F>(0.0f, 0.0f, 1.0f)));
    Vec3<F> normal = select(beyond, out * (one / n), face);
    normal = {select(p.x < zero, zero - normal.x, normal.x), select(p.y < zero, zero - normal.y, normal.y),
              select(p.z < zero, zero - normal.z, normal.z)};
    // Curved where an edge or a corner is nearest: if a face is nearest, one component has all of the distance.
    const auto round = max(out.x, max(out.y, out.z)) < n * splat<F>(0.9999f);
    const F curvature = select(round, one / max(radius, splat<F>(1 / kMaxCurvature)), zero);
    return take_nearer(distance, out_of_frame(s, normal), select(beyond, curvature, zero), hit);
}

template <class F>
HWY_INLINE bool near_plane(const ColliderSubstep& s, const Vec3<F>& x, const F& margin, Hit<F>& hit)
{
    const Vec3<F> normal = splat<F>(s.framed.axes[1]);
    return take_nearer(dot(x - splat<F>(s.a), normal) - margin, normal, splat<F>(0.0f), hit);
}

template <class F>
HWY_NOINLINE bool near_torus(const ColliderSubstep& s, const Vec3<F>& x, const F& margin, Hit<F>& hit)
{
    const F one = splat<F>(1.0f);
    const Vec3<F> y = x - splat<F>(s.a), axis = splat<F>(s.framed.axes[1]);
    const F height = dot(y, axis);
    const Vec3<F> flat = y - axis * height;
    const F flat2 = dot(flat, flat);
    const auto lost = flat2 < splat<F>(kNoDirection);  // on the axis: any point of the circle is nearest
    const Vec3<F> outward =
        select(lost, splat<F>(s.framed.axes[0]), flat * (one / sqrt(max(flat2, splat<F>(kNoDirection)))));
    const Vec3<F> off = y - outward * splat<F>(s.framed.ring);
    const F n2 = max(dot(off, off), splat<F>(kNoDirection)), n = sqrt(n2), radius = splat<F>(s.framed.radius) + margin;
    return take_nearer(n - radius, off * (one / n), one / max(radius, splat<F>(1 / kMaxCurvature)), hit);
}

/// The motion of a field carries its surface from the time of the field to the end of the substep. Near the surface,
/// this shifts it along its normal.
template <class F>
HWY_NOINLINE bool near_field(const ColliderSubstep& s, const Vec3<F>& x, const F& margin, Hit<F>& hit)
{
    const FieldSample<F> sample = sample_field(s.field.view, x);
    F distance = sample.distance - margin;
    if (!any(distance < hit.distance + splat<F>(s.field.max_error))) return false;
    Vec3<F> motion = splat<F>(0.0f, 0.0f, 0.0f);
    if (s.field.moves) {
        motion = field_motion(s.field.view, x) * splat<F>(s.field.stride);
        distance = distance - dot(sample.normal, motion) * splat<F>(s.field.time_offset);
    }
    hit.motion = select(distance < hit.distance, motion, hit.motion);
    return take_nearer(distance, sample.normal, splat<F>(0.0f), hit);
}

/// A field in the frame of a body that does not deform: x is converted to that frame.
template <class F>
HWY_NOINLINE bool near_bone_field(const ColliderSubstep& s, const Vec3<F>& x, const F& margin, Hit<F>& hit)
{
    const FieldSample<F> sample = sample_field(s.field.view, rotate_by(s.framed.axes, x - splat<F>(s.a)));
    const F distance = sample.distance - margin;
    if (!any(distance < hit.distance)) return false;
    return take_nearer(distance, out_of_frame(s, sample.normal), splat<F>(0.0f), hit);
}

/// Queries the tree for one strand after another.
template <class F>
HWY_NOINLINE bool near_triangles(const ColliderSubstep& s, const Vec3<F>& x, const F& margin, Hit<F>& hit)
{
    constexpr size_t kCount = std::is_same_v<F, float> ? 1 : LaneTraits<F>::kBlocks * kLanes;
    using T = LaneTraits<F>;
    HWY_ALIGN float position[3][kCount], grown[kCount], bound[kCount], distance[kCount], normal[3][kCount],
        motion[3][kCount];
    T::store(x.x, position[0], kLanes), T::store(x.y, position[1], kLanes), T::store(x.z, position[2], kLanes);
    T::store(margin, grown, kLanes), T::store(hit.distance, bound, kLanes);
    for (size_t i = 0; i < kCount; ++i) {
        const Vec3f p = Vec3f{position[0][i], position[1][i], position[2][i]} + s.triangles.shift;
        distance[i] = 1e9f;
        Vec3f n{0, 1, 0}, moved{0, 0, 0};
        const float within = std::max(std::max(bound[i], 0.0f) + grown[i], s.triangles.max_depth);
        if (const auto found = s.triangles.tree->nearest(p, within)) {
            const auto& [a, b, c] = s.triangles.triangles[found->triangle];
            const Vec3f* m = s.triangles.motion;
            distance[i] = found->distance - grown[i];
            n = found->normal;
            moved = (m[a] * found->weights.x + m[b] * found->weights.y + m[c] * found->weights.z) * s.triangles.stride;
        }
        normal[0][i] = n.x, normal[1][i] = n.y, normal[2][i] = n.z;
        motion[0][i] = moved.x, motion[1][i] = moved.y, motion[2][i] = moved.z;
    }
    const auto lanes = [](const float(&rows)[3][kCount]) HWY_ATTR {
        return Vec3<F>{T::load(rows[0], kLanes), T::load(rows[1], kLanes), T::load(rows[2], kLanes)};
    };
    const F d = T::load(distance, kLanes);
    hit.motion = select(d < hit.distance, lanes(motion), hit.motion);
    return take_nearer(d, lanes(normal), splat<F>(0.0f), hit);
}

/// Replaces `hit` where the collider, grown by `margin`, is nearer. Returns whether that is so for any strand.
template <class F>
HWY_INLINE bool take_nearer_collider(const ColliderSubstep& s, const Vec3<F>& x, const F& margin, Hit<F>& hit)
{
    switch (s.kind) {
        case ColliderSubstepKind::kCapsule: return near_capsule(s, x, margin, hit);
        case ColliderSubstepKind::kBox: return near_box(s, x, margin, hit);
        case ColliderSubstepKind::kPlane: return near_plane(s, x, margin, hit);
        case ColliderSubstepKind::kTorus: return near_torus(s, x, margin, hit);
        case ColliderSubstepKind::kField: return near_field(s, x, margin, hit);
        case ColliderSubstepKind::kBoneField: return near_bone_field(s, x, margin, hit);
        case ColliderSubstepKind::kTriangles: return near_triangles(s, x, margin, hit);
    }
    return false;
}

/// Whether a collider does not deform. One that does writes its motion to `hit` itself.
HWY_INLINE bool does_not_deform(const ColliderSubstep& s)
{
    return s.kind != ColliderSubstepKind::kField && s.kind != ColliderSubstepKind::kTriangles;
}

/// Displacement over the substep of the surface at x, for a collider that does not deform.
template <class F>
HWY_INLINE Vec3<F> motion_at(const ColliderSubstep& s, const Vec3<F>& x)
{
    return rotate_by(s.turned, x) + splat<F>(s.moved);
}

/// Whether any strand could touch the collider, grown by `margin`, within `reach` of x in any direction.
template <class F>
HWY_INLINE bool within_reach(const ColliderSubstep& s, const Vec3<F>& x, const F& margin, const F& reach)
{
    if (s.kind != ColliderSubstepKind::kCapsule) {
        const bool is_field = s.kind == ColliderSubstepKind::kField || s.kind == ColliderSubstepKind::kBoneField;
        const float max_error = is_field ? s.field.max_error : 0;
        Hit<F> hit = nothing_within(reach + splat<F>(max_error));
        return take_nearer_collider(s, x, margin, hit);
    }
    // If the cone has a point within `reach` of x, then x is within `bound` of its foot on the axis: `widest` is the
    // thickness of the cone across its axis in units of the radius, and `spread` covers its change within `reach`.
    const Vec3<F> axis = splat<F>(s.capsule.axis), y = x - splat<F>(s.a);
    F t = dot(y, axis) * splat<F>(s.capsule.per_length2);
    t = max(splat<F>(0.0f), min(splat<F>(1.0f), t));
    const Vec3<F> off = y - axis * t;
    const F bound =
        (splat<F>(s.capsule.radius) + splat<F>(s.capsule.growth) * t + margin) * splat<F>(s.capsule.widest) +
        reach * splat<F>(s.capsule.spread);
    return any(dot(off, off) < bound * bound);
}

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
