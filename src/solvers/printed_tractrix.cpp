#include "solvers/printed_tractrix.h"

#include "math/elementary.h"
#include "math/vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril {
namespace {

constexpr double kLargestP = 100;  // section 4.2, in the unit of positions

/// The inverse of sech, for u in [0, 1] up to rounding; infinite at 0.
double arcsech(double u)
{
    constexpr double kSmallest = 1e-300;  // below, its inverse would overflow
    if (!(u > kSmallest)) return std::numeric_limits<double>::infinity();
    u = std::min(u, 1.0);
    return natural_log((1 + std::sqrt(1 - u * u)) / u);
}

/// Moves one particle and lets the rest of the strand follow on both sides.
void lead(std::span<Vec3d> strand, size_t i, const Vec3d& desired)
{
    const Vec3d from = strand[i];
    printed_drag(strand, i, strand.size() - 1, desired);
    strand[i] = from;  // the head of the other side as well
    printed_drag(strand, i, 0, desired);
}

}  // namespace

Vec3d printed_tail(const Vec3d& head, const Vec3d& tail, const Vec3d& desired)
{
    const Vec3d s = desired - head;  // step 1
    const Vec3d t = tail - head;     // step 2
    const Vec3d st = cross(s, t);
    const double far = length(s), st_length = length(st), l = length(t);  // L: step 6
    // Section 4.1. Squares may also vanish where the products do not.
    if (!(st_length > 0 && far > 0 && l > 0)) return desired - t;
    const Vec3d x = s * (1 / far);         // step 3
    const Vec3d z = st * (1 / st_length);  // step 4
    const Vec3d y = cross(z, x);           // step 5
    const double beside = dot(y, t);
    const double p = std::min(kLargestP, l * arcsech(beside / l) + far);  // step 7 and section 4.2
    const double q = exp_minus(p / l), q2 = q * q;
    const double tanh = (1 - q2) / (1 + q2), sech = 2 * q / (1 + q2);
    return head + x * (far - l * tanh) + y * (l * sech);  // steps 8 and 9
}

void printed_drag(std::span<Vec3d> strand, size_t first, size_t last, const Vec3d& desired)
{
    Vec3d to = desired;
    for (size_t i = first; i != last;) {
        const size_t next = first < last ? i + 1 : i - 1;
        const Vec3d tail = printed_tail(strand[i], strand[next], to);
        strand[i] = to;
        to = tail;
        i = next;
    }
    strand[last] = to;
}

void printed_emulation(std::span<Vec3d> strand, std::span<const Vec3d> desired, std::span<const int> order,
                       bool has_root)
{
    for (const int i : order) lead(strand, static_cast<size_t>(i), desired[static_cast<size_t>(i)]);
    if (has_root) lead(strand, 0, desired[0]);
}

Vec3d printed_swing(std::span<Vec3d> strand, const Vec3d& drift, const Vec3d& root)
{
    const size_t tip = strand.size() - 1;
    printed_drag(strand, tip, 0, strand[tip] + drift);
    const Vec3d forth = strand[tip];
    printed_drag(strand, 0, tip, root);
    const double speed = length(drift), back = length(strand[tip] - forth);
    return speed > back ? drift * (1 - back / speed) : Vec3d{0, 0, 0};
}

Vec3d rotated_towards(const Vec3d& edge, const Vec3d& wanted, double share)
{
    const double l = length(edge), n = length(wanted);
    if (!(l > 0 && n > 0)) return edge;
    const Vec3d a = edge * (1 / l), b = wanted * (1 / n);
    const double along = dot(a, b);
    const Vec3d side = b - a * along;
    const double beside = length(side);
    const SinCos turn = sin_cos(share * angle_of(beside, along));
    const Vec3d across = beside > 0 ? side * (1 / beside) : any_perpendicular(a);
    return (a * turn.cos + across * turn.sin) * l;
}

}  // namespace tendril
