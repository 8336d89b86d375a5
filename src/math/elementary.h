/// Sine, cosine, angle, exponential, logarithm and n-th root from exactly rounded operations only. The functions of the
/// C library may differ in the last bit between systems, and one bit is enough to make two simulations diverge.
#pragma once

namespace tendril {

struct SinCos {
    double sin, cos;
};

/// Accurate for |angle| [rad] up to about 1e6: within 2e-16 of the exact values, plus the rounding of the angle itself.
SinCos sin_cos(double angle);

/// The angle from the x axis to the vector (x, y), like atan2: in [-pi, pi] rad, within 5e-16; 0 for the zero vector.
double angle_of(double y, double x);

/// exp(-x) for x >= 0.
double exp_minus(double x);

/// The natural logarithm of a normal x > 0, within 3e-16 of it or of 1, whichever is larger.
double natural_log(double x);

/// The n-th root of x in [0, 1].
double nth_root(double x, int n);

}  // namespace tendril
