/// Vectors, rotations and poses. SI units, y up, right-handed. World positions are doubles, so that a scene works ten
/// kilometres from the origin as well as at it.
#pragma once

#include <cmath>

#define TENDRIL_INLINE inline
namespace tendril {

#include "tendril/detail/vec3.inl"

using Vec3f = Vec3<float>;
using Vec3d = Vec3<double>;

template <class F>
inline bool operator==(const Vec3<F>& a, const Vec3<F>& b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

template <class F>
inline F length(const Vec3<F>& a)
{
    return std::sqrt(dot(a, a));
}

template <class F>
inline bool is_finite(const Vec3<F>& a)
{
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

inline Vec3f to_float(const Vec3d& a)
{
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

inline Vec3d to_double(const Vec3f& a)
{
    return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
}

/// A rotation as a unit quaternion.
struct Quat {
    double x = 0, y = 0, z = 0, w = 1;
};

/// A rigid motion: rotates about the origin, then translates by `position`.
struct Pose {
    Vec3d position{0, 0, 0};
    Quat rotation;
};

/// Rotation by `angle` [rad] about a unit axis.
Quat rotation_about(const Vec3d& unit_axis, double angle);
Quat operator*(const Quat& a, const Quat& b);
Quat conjugate(const Quat& q);
Quat normalized(const Quat& q);
Vec3d rotate(const Quat& q, const Vec3d& v);
Vec3d transform_point(const Pose& pose, const Vec3d& p);
/// The rigid motion that takes `from` to `to`.
Pose between(const Pose& from, const Pose& to);
/// The rotation that takes the axes x, y, z to three perpendicular unit vectors.
Quat rotation_of(const Vec3d& x, const Vec3d& y, const Vec3d& z);

}  // namespace tendril
#undef TENDRIL_INLINE
