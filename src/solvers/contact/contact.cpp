#include "solvers/contact/contact.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

constexpr double kEndless = 1e9;  // bounding radius of a plane [m]

/// A capsule reduced to its visible part: if one end sphere contains the other, only the larger one is left.
struct Capsule {
    Vec3d a, axis;
    double radius, growth, length;
};

Capsule capsule_of(const Collider& c)
{
    const double ra = static_cast<double>(c.radius_a), rb = static_cast<double>(c.radius_b);
    const Vec3d axis = c.b - c.a;
    const double reach = length(axis);
    // Nearly contained counts as contained: the slant of such a cone would have no precision.
    constexpr double kSteepest = 0.999;
    if (std::abs(rb - ra) < kSteepest * reach) return {c.a, axis, ra, rb - ra, reach};
    return {rb > ra ? c.b : c.a, {0, 0, 0}, std::max(ra, rb), 0, 0};
}

/// Tangent of the angle between the cone and its axis, over the length of the axis [1/m]; see near_capsule.
double slant_of(const Capsule& s)
{
    if (s.length == 0) return 0;
    const double k = s.growth / s.length;
    return k / (std::sqrt(1 - k * k) * s.length);
}

double reach_of(const Capsule& s)
{
    return s.length / 2 + std::max(s.radius, s.radius + s.growth);
}

/// A box, plane or torus at the pose of its bone; a box without its rounding.
struct Framed {
    Vec3d centre, axes[3], half;
    double radius, ring, bounding_radius, detail, min_radius;
};

Framed framed_of(const Collider& c, const Pose& bone)
{
    Framed f{transform_point(bone, c.a), {}, {0, 0, 0}, 0, 0, kEndless, kEndless, kEndless};
    const Quat turn = bone.rotation * c.turn;
    f.axes[0] = rotate(turn, {1, 0, 0});
    f.axes[1] = rotate(turn, {0, 1, 0});
    f.axes[2] = rotate(turn, {0, 0, 1});
    if (c.kind == ColliderKind::kBox) {
        const double least = std::min({c.half.x, c.half.y, c.half.z});
        f.radius = std::min(static_cast<double>(c.radius_a), least);
        f.half = c.half - Vec3d{f.radius, f.radius, f.radius};
        f.bounding_radius = length(c.half);
        f.detail = least;
        f.min_radius = f.radius;
    }
    if (c.kind == ColliderKind::kTorus) {
        f.ring = static_cast<double>(c.radius_a);
        f.radius = static_cast<double>(c.radius_b);
        f.bounding_radius = f.ring + f.radius;
        f.detail = f.min_radius = f.radius;
    }
    return f;
}

void fill_capsule(const Collider& collider, const Pose& bone, const Vec3d& origin, ColliderSubstep& out)
{
    const Capsule s = capsule_of(collider);
    const Vec3d a = transform_point(bone, s.a) - origin, axis = rotate(bone.rotation, s.axis);
    out.a = to_float(a);
    out.centre = to_float(a + axis * 0.5);
    // Rounded up, because colliders beyond these bounds are skipped.
    out.bounding_radius = static_cast<float>(reach_of(s) * 1.0001 + 1e-6);
    out.detail = static_cast<float>(s.radius + s.growth / 2);
    out.min_radius = static_cast<float>(std::min(s.radius, s.radius + s.growth));
    out.capsule.axis = to_float(axis);
    out.capsule.radius = static_cast<float>(s.radius);
    out.capsule.growth = static_cast<float>(s.growth);
    out.capsule.per_length2 = s.length > 0 ? static_cast<float>(1 / (s.length * s.length)) : 0.0f;
    const double k = s.length > 0 ? s.growth / s.length : 0, wide = 1 / std::sqrt(1 - k * k);
    out.capsule.slant = static_cast<float>(slant_of(s) * wide);
    out.capsule.along = static_cast<float>(1 + slant_of(s) * wide * s.growth);
    out.capsule.widest = static_cast<float>(wide * 1.00001);
    out.capsule.spread = static_cast<float>(1 + std::abs(k) * wide) * 1.00001f;
}

void fill_framed(const Collider& collider, const Pose& bone, const Vec3d& origin, ColliderSubstep& out)
{
    const Framed f = framed_of(collider, bone);
    out.a = out.centre = to_float(f.centre - origin);
    out.bounding_radius = static_cast<float>(f.bounding_radius * 1.0001 + 1e-6);
    out.detail = static_cast<float>(f.detail);
    out.min_radius = static_cast<float>(f.min_radius);
    for (int i = 0; i < 3; ++i) out.framed.axes[i] = to_float(f.axes[i]);
    out.framed.half = to_float(f.half);
    out.framed.radius = static_cast<float>(f.radius);
    out.framed.ring = static_cast<float>(f.ring);
}

ColliderSubstepKind kind_of(ColliderKind kind)
{
    switch (kind) {
        case ColliderKind::kBox: return ColliderSubstepKind::kBox;
        case ColliderKind::kPlane: return ColliderSubstepKind::kPlane;
        case ColliderKind::kTorus: return ColliderSubstepKind::kTorus;
        case ColliderKind::kCapsule: break;
    }
    return ColliderSubstepKind::kCapsule;
}

}  // namespace

ColliderSubstep collider_substep(const Collider& collider, const Pose& before, const Pose& after, const Vec3d& origin)
{
    ColliderSubstep out{};
    out.kind = kind_of(collider.kind);
    if (out.kind == ColliderSubstepKind::kCapsule)
        fill_capsule(collider, after, origin, out);
    else
        fill_framed(collider, after, origin, out);

    set_motion(before, after, origin, out);
    return out;
}

void set_motion(const Pose& before, const Pose& after, const Vec3d& origin, ColliderSubstep& out)
{
    // The point of the body that is now at x was at T x, with T from `after` back to `before`; it moved by x - T x.
    const Pose back = between(after, before);
    const Vec3d still = origin - transform_point(back, origin);
    const Vec3d columns[3] = {Vec3d{1, 0, 0} - rotate(back.rotation, {1, 0, 0}),
                              Vec3d{0, 1, 0} - rotate(back.rotation, {0, 1, 0}),
                              Vec3d{0, 0, 1} - rotate(back.rotation, {0, 0, 1})};
    out.turned[0] = to_float({columns[0].x, columns[1].x, columns[2].x});
    out.turned[1] = to_float({columns[0].y, columns[1].y, columns[2].y});
    out.turned[2] = to_float({columns[0].z, columns[1].z, columns[2].z});
    out.moved = to_float(still);
    const double turn =
        length(columns[0]) + length(columns[1]) + length(columns[2]);  // upper bound on the norm of the matrix
    const Vec3d centre = to_double(out.centre);
    const Vec3d at_centre = columns[0] * centre.x + columns[1] * centre.y + columns[2] * centre.z + still;
    out.max_travel = static_cast<float>(length(at_centre) +
                                        std::min(turn, 2.0) * std::min(static_cast<double>(out.bounding_radius), 1e4));
}

PosedCollider::PosedCollider(const Collider& collider, const Pose& bone) : kind_(collider.kind)
{
    if (kind_ == ColliderKind::kCapsule) {
        const Capsule s = capsule_of(collider);
        a_ = transform_point(bone, s.a);
        axis_ = rotate(bone.rotation, s.axis);
        centre_ = a_ + axis_ * 0.5;
        radius_ = s.radius;
        growth_ = s.growth;
        per_length2_ = s.length > 0 ? 1 / (s.length * s.length) : 0;
        slant_ = slant_of(s);
        bounding_radius_ = reach_of(s);
        return;
    }
    const Framed f = framed_of(collider, bone);
    a_ = centre_ = f.centre;
    std::copy(f.axes, f.axes + 3, axes_);
    half_ = f.half;
    radius_ = f.radius;
    ring_ = f.ring;
    bounding_radius_ = f.bounding_radius;
}

double PosedCollider::depth(const Vec3d& point) const
{
    const Vec3d y = point - a_;
    if (kind_ == ColliderKind::kCapsule) {
        const double along = dot(y, axis_) * per_length2_;
        const double t = std::clamp(along + slant_ * length(y - axis_ * along), 0.0, 1.0);
        return radius_ + growth_ * t - length(y - axis_ * t);
    }
    const Vec3d p{dot(y, axes_[0]), dot(y, axes_[1]), dot(y, axes_[2])};
    if (kind_ == ColliderKind::kPlane) return -p.y;
    if (kind_ == ColliderKind::kTorus) return radius_ - std::hypot(std::hypot(p.x, p.z) - ring_, p.y);
    const Vec3d q{std::abs(p.x) - half_.x, std::abs(p.y) - half_.y, std::abs(p.z) - half_.z};
    const Vec3d out{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
    return radius_ - length(out) - std::min(std::max({q.x, q.y, q.z}), 0.0);
}

}  // namespace tendril
