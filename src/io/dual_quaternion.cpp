#include "io/dual_quaternion.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

double dot_of(const Quat& a, const Quat& b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

void add_scaled(Quat& sum, const Quat& q, double s)
{
    sum = {sum.x + q.x * s, sum.y + q.y * s, sum.z + q.z * s, sum.w + q.w * s};
}

double largest_difference(const Vec3d& a, const Vec3d& b)
{
    return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
}

/// The rotation that is nearest to a map, by Newton's iteration of the polar decomposition; false if there is none.
/// Each step averages the map with its inverse transpose, whose columns are cross products of its columns over its
/// determinant.
bool nearest_rotation(Vec3d& x, Vec3d& y, Vec3d& z)
{
    constexpr int kMaxSteps = 100;  // a factor of two per step at first, then quadratic
    constexpr double kConverged = 1e-14;
    for (int step = 0; step < kMaxSteps; ++step) {
        const double determinant = dot(x, cross(y, z));
        if (!(determinant != 0) || !std::isfinite(determinant)) return false;
        const double s = 1 / determinant;
        const Vec3d u = (x + cross(y, z) * s) * 0.5, v = (y + cross(z, x) * s) * 0.5, w = (z + cross(x, y) * s) * 0.5;
        const double change = std::max({largest_difference(x, u), largest_difference(y, v), largest_difference(z, w)});
        x = u;
        y = v;
        z = w;
        if (change < kConverged) break;
    }
    if (!is_finite(x) || !is_finite(y) || !is_finite(z)) return false;
    if (dot(x, cross(y, z)) > 0) return true;
    // A reflection becomes part of the stretch.
    x = x * -1.0;
    y = y * -1.0;
    z = z * -1.0;
    return true;
}

}  // namespace

DualMotion dual_motion(const Affine& map)
{
    DualMotion out;
    Vec3d x = map.x, y = map.y, z = map.z;
    if (!nearest_rotation(x, y, z)) return out;
    out.real = rotation_of(x, y, z);
    const Vec3d& t = map.origin;
    out.dual = Quat{t.x * 0.5, t.y * 0.5, t.z * 0.5, 0} * out.real;
    const auto unrotated = [&](const Vec3d& v) { return Vec3d{dot(x, v), dot(y, v), dot(z, v)}; };
    out.stretch = {unrotated(map.x), unrotated(map.y), unrotated(map.z), {0, 0, 0}};
    return out;
}

void DualBlend::add(const DualMotion& motion, double weight)
{
    stretched_ += transform_point(motion.stretch, point_) * weight;
    const double along_shorter_arc = dot_of(motion.real, pivot_) < 0 ? -weight : weight;
    add_scaled(real_, motion.real, along_shorter_arc);
    add_scaled(dual_, motion.dual, along_shorter_arc);
}

Vec3d DualBlend::point() const
{
    const double squared = dot_of(real_, real_);
    if (!(squared > 0)) return point_;
    const Quat shift = dual_ * conjugate(real_);
    return rotate(normalized(real_), stretched_) + Vec3d{shift.x, shift.y, shift.z} * (2 / squared);
}

}  // namespace tendril
