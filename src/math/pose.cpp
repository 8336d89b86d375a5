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

Pose between(const Pose& from, const Pose& to)
{
    const Quat turn = normalized(to.rotation * conjugate(from.rotation));
    return {to.position - rotate(turn, from.position), turn};
}

Quat rotation_of(const Vec3d& x, const Vec3d& y, const Vec3d& z)
{
    // Compute the largest of the four components first, from the trace or a diagonal entry, and divide the others by
    // it.
    const double trace = x.x + y.y + z.z;
    Quat q;
    if (trace > x.x && trace > y.y && trace > z.z)
        q = {y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace};
    else if (x.x >= y.y && x.x >= z.z)
        q = {1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y};
    else if (y.y >= z.z)
        q = {x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y, z.x - x.z};
    else
        q = {z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y, x.y - y.x};
    return normalized(q);
}

}  // namespace tendril
