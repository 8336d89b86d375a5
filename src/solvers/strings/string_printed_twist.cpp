// Twist and external forces as printed: [Rungjiratananon11] Eq. 1 to 5, and the force of 5.4.
#include "solvers/strings/string_printed.h"

#include "math/vectors.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace tendril {
namespace {

/// Limit on the angle of a segment relative to its initial one [rad]. Eq. 2 and 3 as printed multiply it in every
/// substep.
constexpr double kMaxAngle = 1000 * 2 * std::numbers::pi;
/// The curvature binormal is infinite where a string folds back onto itself; there, the denominator of Eq. 5 counts as
/// this share of the product of the lengths.
constexpr double kFoldedBack = 1e-12;

/// The angles of all segments from the twist-free to the material frame, as changes since the start: theta - theta_0 of
/// Eq. 1. The twist-free frame is that of the paper, transported along the string from its first segment.
void twist_angles(const Strings& s, const StringPiece& piece, std::vector<double>& angles)
{
    angles.clear();
    double turns = 0;
    for (size_t i = piece.first; i < piece.last; ++i) {
        if (i > piece.first) turns += s.frame_turn[i] - s.rest_twist[i];
        angles.push_back(s.angle[i] + turns);
    }
}

/// The half-width of the region of a segment. The paper varies it with the torsional rigidity but does not print how;
/// here it is proportional, and at least 1.
size_t twist_width(const Strings& s, size_t segment, double stiffest, int half_width)
{
    const double own = (s.twist_stiffness[segment] + s.twist_stiffness[segment + 1]) / 2;
    const double share = stiffest > 0 ? own / stiffest : 1;
    return static_cast<size_t>(std::max(1.0, std::floor(half_width * share + 0.5)));
}

/// Limits an acceleration so that it moves a particle by at most `farthest` in a substep. Returns whether it had to.
bool limit_acceleration(Vec3d& acceleration, double farthest, double h)
{
    const double moves = length(acceleration) * h * h;
    if (moves <= farthest) return false;
    acceleration = std::isfinite(moves) ? acceleration * (farthest / moves) : Vec3d{0, 0, 0};
    return true;
}

}  // namespace

Vec3d curvature_binormal(const Strings& s, const StringPiece& piece, size_t i)
{
    if (i <= piece.first || i >= piece.last) return {0, 0, 0};
    const Vec3d a = s.edge(i - 1), b = s.edge(i);
    const double lengths = length(a) * length(b);
    if (!(lengths > 0)) return {0, 0, 0};
    return cross(a, b) * (2 / std::max(lengths + dot(a, b), kFoldedBack * lengths));  // Eq. 5
}

size_t apply_printed_forces(Strings& s, const StringPiece& piece, double h)
{
    double whole = 0;  // L
    for (size_t i = piece.first; i < piece.last; ++i) whole += s.rest[i];
    thread_local std::vector<double> angles;
    twist_angles(s, piece, angles);
    for (size_t i = piece.first; i <= piece.last; ++i) s.acceleration[i] = {0, 0, 0};
    for (size_t i = piece.first + 1; i + 1 < piece.last; ++i) {
        // Eq. 4. Segment i begins at particle i; beta is the torsional rigidity GJ of the material.
        const size_t k = i - piece.first;
        const double bend = angles[k + 1] - 2 * angles[k] + angles[k - 1];
        const Vec3d binormals = curvature_binormal(s, piece, i + 1) + curvature_binormal(s, piece, i - 1);
        const Vec3d force = binormals * (-s.twist_stiffness[i] / whole * bend / (2 * s.rest[i]));
        s.acceleration[i] = force * s.inverse_mass[i];
    }
    // 5.4: after a release or a tear, the tension of the last substep is the force with which segments bounce back.
    for (size_t i = piece.first; i < piece.last; ++i) {
        if (!s.bounces[i]) continue;
        const Vec3d pull = unit_or(s.edge(i), {0, 0, 0}) * s.tension[i];
        s.acceleration[i] += pull * s.inverse_mass[i];
        s.acceleration[i + 1] -= pull * s.inverse_mass[i + 1];
    }
    size_t limited = 0;
    for (size_t i = piece.first; i <= piece.last; ++i) {
        s.bounces[i] = 0;
        limited += limit_acceleration(s.acceleration[i], whole, h);
    }
    // Bodies feel the torque at their clamps. The paper does not print it; the energy of [2], which Eq. 4 comes from,
    // has beta/L times the difference between the ends.
    const double ends = angles.empty() ? 0 : angles.back() - angles.front();
    for (size_t i = piece.first + 1; i < piece.last; ++i) s.torque[i] = s.twist_stiffness[i] / whole * ends;
    return limited;
}

size_t spread_twist_by_regions(Strings& s, const StringPiece& piece, const PrintedStrings& settings)
{
    const size_t n = piece.segments();
    if (n == 0) return 0;
    thread_local std::vector<double> angles, increments, regions;
    twist_angles(s, piece, angles);
    increments.assign(n, 0.0);
    regions.assign(n, 0.0);
    double stiffest = 0;
    for (size_t i = piece.first; i <= piece.last; ++i) stiffest = std::max(stiffest, s.twist_stiffness[i]);
    for (size_t k = 0; k < n; ++k) {
        const size_t w = twist_width(s, piece.first + k, stiffest, settings.twist_half_width);
        const size_t first = std::max(k, w) - w, last = std::min(n - 1, k + w);
        double weighted = 0, mass = 0;
        for (size_t j = first; j <= last; ++j) {
            // A segment has half the mass of each of its particles.
            const double m = (s.mass[piece.first + j] + s.mass[piece.first + j + 1]) / 2;
            weighted += angles[j] * m;
            mass += m;
        }
        for (size_t j = first; j <= last; ++j) {
            increments[j] += weighted / mass;  // Eq. 1, and the sum of Eq. 2
            regions[j] += 1;
        }
    }
    size_t limited = 0;
    for (size_t k = 0; k < n; ++k) {
        const size_t i = piece.first + k;
        if (s.clamped[i]) continue;  // its angle is given
        const double changed = settings.twist_increment == TwistIncrement::kMean ? increments[k] / regions[k]
                                                                                 : angles[k] + increments[k];  // Eq. 3
        const double kept = std::clamp(changed, -kMaxAngle, kMaxAngle);
        limited += kept != changed;
        s.angle[i] += kept - angles[k];
    }
    return limited;
}

}  // namespace tendril
