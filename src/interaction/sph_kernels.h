/// The smoothing kernels of [Mueller03], in double, for whoever prepares or checks what the SIMD kernels do. r is a
/// distance [m], h the smoothing length [m]; all vanish from h on.
#pragma once

#include <algorithm>
#include <numbers>

namespace tendril {

/// For densities: depends on r^2 alone [1/m^3]. [Mueller03] Eq. 20.
inline double poly6(double r, double h)
{
    const double u = std::max(0.0, 1 - r * r / (h * h));
    return 315 / (64 * std::numbers::pi * h * h * h) * u * u * u;
}

/// For pressure: does not flatten where particles meet [1/m^3]. [Mueller03] Eq. 21.
inline double spiky(double r, double h)
{
    const double t = std::max(0.0, 1 - r / h);
    return 15 / (std::numbers::pi * h * h * h) * t * t * t;
}
/// Its derivative along r [1/m^4].
inline double spiky_slope(double r, double h)
{
    const double t = std::max(0.0, 1 - r / h);
    return -45 / (std::numbers::pi * h * h * h * h) * t * t;
}

/// For viscosity, without what makes it infinite at 0: only its Laplacian is used [1/m^3]. [Mueller03] Eq. 22.
inline double viscous(double r, double h)
{
    const double s = r / h;
    if (s >= 1) return 0;
    return 15 / (2 * std::numbers::pi * h * h * h) * (-s * s * s / 2 + s * s + 1 / (2 * s) - 1);
}
/// Positive everywhere: viscosity never drives velocities apart [1/m^5].
inline double viscous_laplacian(double r, double h)
{
    return 45 / (std::numbers::pi * h * h * h * h * h) * std::max(0.0, 1 - r / h);
}

// The sums that the search makes are over u = 1 - r^2/h^2. With t = 1 - r/h = 1 - sqrt(1 - u), whose series in u has
// positive terms that sum up to 1 at u = 1, all terms from the third on are at most their sum times u^3. So, at the
// price of a slack, sums over t and t^2 have bounds that need no square root:

/// 1 - r/h <= u/2 + u^2/8 + 3 u^3/8. On average over the ball a seventh too large.
template <class F>
inline F bound_of_t(F u1, F u2, F u3)
{
    return u1 / 2 + u2 / 8 + 3 * u3 / 8;
}
/// (1 - r/h)^2 = 2 t - u <= u^2/4 + 3 u^3/4. On average over the ball 1.7 times too large.
template <class F>
inline F bound_of_t2(F u2, F u3)
{
    return u2 / 4 + 3 * u3 / 4;
}

}  // namespace tendril
