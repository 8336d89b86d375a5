#include "math/elementary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

// Taylor series with the argument's square x2; on [-pi/4, pi/4] the first term left out is below 1e-17.
double sin_series(double x, double x2)
{
    double term = x, sum = x;
    for (int k = 3; k <= 19; k += 2) {
        term = -term * x2 / static_cast<double>((k - 1) * k);
        sum += term;
    }
    return sum;
}

double cos_series(double x2)
{
    double term = 1, sum = 1;
    for (int k = 2; k <= 18; k += 2) {
        term = -term * x2 / static_cast<double>((k - 1) * k);
        sum += term;
    }
    return sum;
}

}  // namespace

SinCos sin_cos(double angle)
{
    // Take away whole quarter turns; pi/2 in two parts keeps the rest exact [Cody and Waite].
    constexpr double kHalfPiHigh = 1.57079632673412561417;
    constexpr double kHalfPiLow = 6.07710050650619224932e-11;
    constexpr double kQuartersPerRadian = 0.636619772367581343076;
    const double quarters = std::nearbyint(angle * kQuartersPerRadian);
    const double r = (angle - quarters * kHalfPiHigh) - quarters * kHalfPiLow;
    const double s = sin_series(r, r * r);
    const double c = cos_series(r * r);
    const double turn = quarters - 4 * std::floor(quarters / 4);
    if (turn == 0) return {s, c};
    if (turn == 1) return {c, -s};
    if (turn == 2) return {-s, -c};
    return {-c, s};
}

namespace {

/// The angle whose tangent is t in [0, 1].
double octant_angle(double t)
{
    if (t < 0.01) {
        const double t2 = t * t;
        return t * (1 - t2 * (1.0 / 3 - t2 * (1.0 / 5 - t2 * (1.0 / 7 - t2 * (1.0 / 9)))));
    }
    // Halved twice, it is below 0.2.
    for (int i = 0; i < 2; ++i) t = t / (1 + std::sqrt(1 + t * t));
    const double t2 = t * t;
    constexpr double kOver[] = {1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
    double sum = 0;
    for (const double over : kOver) sum = over - t2 * sum;
    return 4 * t * sum;
}

}  // namespace

double angle_of(double y, double x)
{
    const double across = std::abs(y), along = std::abs(x), most = std::max(across, along);
    if (!(most > 0)) return 0;
    double angle = octant_angle(std::min(across, along) / most);
    if (across > along) angle = std::numbers::pi / 2 - angle;
    if (x < 0) angle = std::numbers::pi - angle;
    return y < 0 ? -angle : angle;
}

double exp_minus(double x)
{
    assert(x >= 0);
    if (x > 700) return 0;
    int halvings = 0;
    for (; x > 0.25; ++halvings) x /= 2;
    double term = 1, sum = 1;
    for (int k = 1; k <= 14; ++k) {
        term = -term * x / k;
        sum += term;
    }
    for (; halvings > 0; --halvings) sum *= sum;
    return sum;
}

double nth_root(double x, int n)
{
    assert(x >= 0 && x <= 1 && n >= 1);
    if (n == 1 || x == 0) return x;
    double y = 1;  // from above Newton's iteration falls monotonically to the root
    for (int iteration = 0; iteration < 2000; ++iteration) {
        double power = 1;
        for (int k = 1; k < n; ++k) power *= y;
        const double next = y - (y * power - x) / (n * power);
        if (!(next < y)) break;
        y = next;
    }
    return y;
}

}  // namespace tendril
