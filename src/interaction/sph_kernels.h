/// The smoothing kernels of [Mueller03] in double precision, for the coefficients of the SIMD kernels and for tests. r
/// is a distance [m] and h the smoothing length [m]; all kernels are zero for r >= h.
#pragma once

#include <algorithm>
#include <numbers>

namespace tendril {

/// For densities; needs only r^2 [1/m^3]. [Mueller03] Eq. 20.
inline double poly6(double r, double h)
{
    const double u = std::max(0.0, 1 - r * r / (h * h));
    return 315 / (64 * std::numbers::pi * h * h * h) * u * u * u;
}

/// For pressure; its slope does not vanish at r = 0 [1/m^3]. [Mueller03] Eq. 21.
inline double spiky(double r, double h)
{
    const double t = std::max(0.0, 1 - r / h);
    return 15 / (std::numbers::pi * h * h * h) * t * t * t;
}
/// Derivative of the spiky kernel with respect to r [1/m^4].
inline double spiky_slope(double r, double h)
{
    const double t = std::max(0.0, 1 - r / h);
    return -45 / (std::numbers::pi * h * h * h * h) * t * t;
}

/// For viscosity; infinite at r = 0, but only its Laplacian is used [1/m^3]. [Mueller03] Eq. 22.
inline double viscous(double r, double h)
{
    const double s = r / h;
    if (s >= 1) return 0;
    return 15 / (2 * std::numbers::pi * h * h * h) * (-s * s * s / 2 + s * s + 1 / (2 * s) - 1);
}
/// Laplacian of the viscous kernel [1/m^5]. It is never negative, so viscosity never increases velocity differences.
inline double viscous_laplacian(double r, double h)
{
    return 45 / (std::numbers::pi * h * h * h * h * h) * std::max(0.0, 1 - r / h);
}

// The neighbour search sums powers of u = 1 - r^2/h^2. The series of t = 1 - r/h = 1 - sqrt(1 - u) in u has positive
// coefficients that sum to 1, so its terms from the third on are at most u^3 times the sum of their coefficients. This
// gives bounds on sums over t and t^2 that need no square root:

/// 1 - r/h <= u/2 + u^2/8 + 3 u^3/8. Averaged over the ball, a seventh too large.
template <class F>
inline F bound_of_t(F u1, F u2, F u3)
{
    return u1 / 2 + u2 / 8 + 3 * u3 / 8;
}
/// (1 - r/h)^2 = 2 t - u <= u^2/4 + 3 u^3/4. Averaged over the ball, 1.7 times the exact value.
template <class F>
inline F bound_of_t2(F u2, F u3)
{
    return u2 / 4 + 3 * u3 / 4;
}

}  // namespace tendril
