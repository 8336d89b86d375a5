#include "math/elementary.h"
#include "tendril/vec3.h"

namespace tendril {

Quat rotation_about(const Vec3d& unit_axis, double angle)
{
    const SinCos half = sin_cos(angle / 2);
    return {unit_axis.x * half.sin, unit_axis.y * half.sin, unit_axis.z * half.sin, half.cos};
}

Quat operator*(const Quat& a, const Quat& b)
{
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

Quat conjugate(const Quat& q)
{
    return {-q.x, -q.y, -q.z, q.w};
}

Quat normalized(const Quat& q)
{
    const double n = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(n > 0)) return {};
    return {q.x / n, q.y / n, q.z / n, q.w / n};
}

Vec3d rotate(const Quat& q, const Vec3d& v)
{
    const Vec3d axis{q.x, q.y, q.z};
    const Vec3d t = cross(axis, v) * 2.0;
    return v + t * q.w + cross(axis, t);
}

Vec3d transform_point(const Pose& pose, const Vec3d& p)
{
    return pose.position + rotate(pose.rotation, p);
}

bool is_finite(const Pose& pose)
{
    const Quat& q = pose.rotation;
    return is_finite(pose.position) && std::isfinite(q.x + q.y + q.z + q.w);
}

}  // namespace tendril
