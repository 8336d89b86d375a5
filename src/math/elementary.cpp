#include "math/elementary.h"

#include "math/scalar.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace tendril {
namespace {

// Taylor series; x2 is the square of x. On [-pi/4, pi/4] the first omitted term is below 1e-17.
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
    // Subtract whole quarter turns. Splitting pi/2 into two parts keeps the remainder exact [Cody and Waite].
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

using std::abs;
using std::sqrt;
bool any(bool mask)
{
    return mask;
}
template <class F>
F filled(F a)
{
    return a;
}

#define TENDRIL_INLINE inline
#include "math/angle.inl"
#undef TENDRIL_INLINE

}  // namespace

double angle_of(double y, double x)
{
    return angle_from_x(y, x);
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

double natural_log(double x)
{
    assert(x > 0);
    int exponent = 0;
    double m = std::frexp(x, &exponent);  // exact
    if (m < 0.5 * std::numbers::sqrt2) {
        m *= 2;
        --exponent;
    }
    // log m = 2 artanh t; |t| < 0.172, so the first omitted term is below 1e-18.
    const double t = (m - 1) / (m + 1), t2 = t * t;
    double sum = 0;
    for (int k = 21; k >= 1; k -= 2) sum = sum * t2 + 1.0 / k;
    return 2 * t * sum + exponent * std::numbers::ln2;
}

double nth_root(double x, int n)
{
    assert(x >= 0 && x <= 1 && n >= 1);
    if (n == 1 || x == 0) return x;
    double y = 1;  // started above the root, Newton's iteration decreases monotonically to it
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
