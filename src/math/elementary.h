/// Sine, cosine, angles, exponential and root from additions and multiplications only. The C library's may differ in
/// the last bit from one system to the next, and one bit is enough to part two simulations.
#pragma once

namespace tendril {

struct SinCos {
    double sin, cos;
};

/// For |angle| [rad] up to about 1e6, within 2e-16 of the exact values plus the rounding of the angle itself.
SinCos sin_cos(double angle);

/// The angle of a vector with these sides from the x axis, in [-pi, pi] rad, within 5e-16; 0 of the zero vector.
double angle_of(double y, double x);

/// exp(-x) for x >= 0.
double exp_minus(double x);

/// The n-th root of x in [0, 1].
double nth_root(double x, int n);

}  // namespace tendril
