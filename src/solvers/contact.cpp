#include "solvers/contact.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// A collider without what does not show: where one sphere is inside the other, only the larger is left.
struct Shape {
    Vec3d a, axis;
    double radius, growth, length;
};

Shape shape_of(const Collider& c)
{
    const double ra = static_cast<double>(c.radius_a), rb = static_cast<double>(c.radius_b);
    const Vec3d axis = c.b - c.a;
    const double reach = length(axis);
    // Nearly so is as good: the slant of what is left would have no digits.
    constexpr double kSteepest = 0.999;
    if (std::abs(rb - ra) < kSteepest * reach) return {c.a, axis, ra, rb - ra, reach};
    return {rb > ra ? c.b : c.a, {0, 0, 0}, std::max(ra, rb), 0, 0};
}

/// One over the cotangent of the cone's opening: see `slant`.
double slant_of(const Shape& s)
{
    if (s.length == 0) return 0;
    const double k = s.growth / s.length;
    return k / (std::sqrt(1 - k * k) * s.length);
}

}  // namespace

ColliderSubstep collider_step(const Collider& collider, const Pose& before, const Pose& after, const Vec3d& origin)
{
    const Shape s = shape_of(collider);
    const Vec3d a = transform_point(after, s.a) - origin, axis = rotate(after.rotation, s.axis);
    ColliderSubstep out{};
    out.a = to_float(a);
    out.axis = to_float(axis);
    out.radius = static_cast<float>(s.radius);
    out.growth = static_cast<float>(s.growth);
    out.per_length2 = s.length > 0 ? static_cast<float>(1 / (s.length * s.length)) : 0.0f;
    const double k = s.length > 0 ? s.growth / s.length : 0, wide = 1 / std::sqrt(1 - k * k);
    out.slant = static_cast<float>(slant_of(s) * wide);
    out.along = static_cast<float>(1 + slant_of(s) * wide * s.growth);
    out.per_width = static_cast<float>(1 / std::max(2 * s.radius + s.growth, 1e-6));
    // Rounded up: what these bounds leave out is not looked at.
    out.widest = static_cast<float>(wide * 1.00001);
    out.spread = static_cast<float>(1 + std::abs(k) * wide) * 1.00001f;
    out.middle = to_float(a + axis * 0.5);
    out.reach = static_cast<float>((s.length / 2 + std::max(s.radius, s.radius + s.growth)) * 1.0001 + 1e-6);

    // The point of the body that is at x now was at T x: displacement x - T x, with T from `after` back to `before`.
    const Pose back = between(after, before);
    const Vec3d still = origin - transform_point(back, origin);
    const Vec3d columns[3] = {Vec3d{1, 0, 0} - rotate(back.rotation, {1, 0, 0}),
                              Vec3d{0, 1, 0} - rotate(back.rotation, {0, 1, 0}),
                              Vec3d{0, 0, 1} - rotate(back.rotation, {0, 0, 1})};
    out.turned[0] = to_float({columns[0].x, columns[1].x, columns[2].x});
    out.turned[1] = to_float({columns[0].y, columns[1].y, columns[2].y});
    out.turned[2] = to_float({columns[0].z, columns[1].z, columns[2].z});
    out.moved = to_float(still);
    return out;
}

PlacedCollider::PlacedCollider(const Collider& collider, const Pose& bone)
{
    const Shape s = shape_of(collider);
    a_ = transform_point(bone, s.a);
    axis_ = rotate(bone.rotation, s.axis);
    middle_ = a_ + axis_ * 0.5;
    radius_ = s.radius;
    growth_ = s.growth;
    per_length2_ = s.length > 0 ? 1 / (s.length * s.length) : 0;
    slant_ = slant_of(s);
    reach_ = s.length / 2 + std::max(s.radius, s.radius + s.growth);
}

double PlacedCollider::depth(const Vec3d& point) const
{
    const Vec3d y = point - a_;
    const double along = dot(y, axis_) * per_length2_;
    const double t = std::clamp(along + slant_ * length(y - axis_ * along), 0.0, 1.0);
    return radius_ + growth_ * t - length(y - axis_ * t);
}

}  // namespace tendril
