// Twist, [Rungjiratananon11] section 4. The force on the centreline is that of [Bergou08] M. Bergou et al.: Discrete
// elastic rods, SIGGRAPH 2008, and frames are carried in time as in [Bergou10] Discrete viscous threads, SIGGRAPH 2010.
#include "solvers/strings.h"

#include "math/elementary.h"
#include "math/vectors.h"

#include <cmath>
#include <numbers>

namespace tendril {
namespace {

/// Turns v by the smallest rotation that takes the unit vector a to b.
Vec3d carried(const Vec3d& v, const Vec3d& a, const Vec3d& b)
{
    const double c = 1 + dot(a, b);
    if (c < 1e-12) return v - a * (2 * dot(v, a));  // turned back: any of many
    const Vec3d axis = cross(a, b);
    return v * (c - 1) + cross(axis, v) + axis * (dot(axis, v) / c);
}

/// The angle about a unit axis from u to v, both across it, nearest to another one.
double angle_between(const Vec3d& u, const Vec3d& v, const Vec3d& axis, double near)
{
    const double turn = angle_of(dot(cross(u, v), axis), dot(u, v));
    constexpr double kTurn = 2 * std::numbers::pi;
    return turn + kTurn * std::round((near - turn) / kTurn);
}

Vec3d direction(const Vec3d& from, const Vec3d& to)
{
    return unit_or(to - from, {1, 0, 0});
}

}  // namespace

void start_frames(Strings& s)
{
    for (const StringPiece& piece : s.pieces) {
        Vec3d along{0, 0, 0};
        for (size_t i = piece.first; i < piece.last; ++i) {
            const Vec3d next = direction(s.place[i], s.place[i + 1]);
            s.across[i] = i == piece.first ? any_across(next) : carried(s.across[i - 1], along, next);
            s.frame_turn[i] = 0;
            along = next;
        }
    }
}

void twist_centreline(Strings& s, const StringPiece& piece)
{
    for (size_t i = piece.first + 1; i < piece.last; ++i) {
        const Vec3d a = s.place[i] - s.place[i - 1], b = s.place[i + 1] - s.place[i];
        const double la = length(a), lb = length(b), l = (s.rest[i - 1] + s.rest[i]) / 2;
        s.torque[i] = s.twist_stiffness[i] / l * s.twist(i);
        const double open = la * lb + dot(a, b);
        if (s.torque[i] == 0 || open < 1e-3 * la * lb) continue;
        // The twist falls by b/(2 la) and grows by b/(2 lb) per metre that the outer two move, with b the curvature
        // binormal.
        const Vec3d binormal = cross(a, b) * (2 / open);
        const Vec3d left = binormal * (s.torque[i] / (2 * la)), right = binormal * (s.torque[i] / (2 * lb));
        s.acceleration[i - 1] += left * s.lightness[i - 1];
        s.acceleration[i] -= (left - right) * s.lightness[i];
        s.acceleration[i + 1] -= right * s.lightness[i + 1];
    }
}

void carry_frames(Strings& s, const StringPiece& piece)
{
    Vec3d along_before{0, 0, 0};
    for (size_t i = piece.first; i < piece.last; ++i) {
        const Vec3d was = direction(s.before[i], s.before[i + 1]), is = direction(s.place[i], s.place[i + 1]);
        const Vec3d u = carried(s.across[i], was, is);
        s.across[i] = unit_or(u - is * dot(u, is), any_across(is));
        if (i > piece.first)
            s.frame_turn[i] =
                angle_between(carried(s.across[i - 1], along_before, is), s.across[i], is, s.frame_turn[i]);
        along_before = is;
    }
}

void turn_segment(Strings& s, size_t i, const Vec3d& across)
{
    const Vec3d along = direction(s.place[i], s.place[i + 1]);
    s.clamped[i] = 1;
    s.angle[i] = angle_between(s.across[i], across - along * dot(across, along), along, s.angle[i]);
}

void spread_twist(Strings& s, const StringPiece& piece, double spread)
{
    // Implicitly, so that any spread is stable: the new angles obey a' - a = spread (torque ahead - torque behind),
    // each torque in units of that of the stiffest joint.
    double stiffest = 0;
    for (size_t i = piece.first + 1; i < piece.last; ++i) stiffest = std::max(stiffest, s.twist_stiffness[i]);
    if (!(stiffest > 0)) return;
    const auto conductance = [&](size_t i) { return spread * s.twist_stiffness[i] / stiffest; };
    const auto frozen = [&](size_t i) { return s.frame_turn[i] - s.rest_twist[i]; };
    thread_local std::vector<double> upper, value;
    const size_t n = piece.segments();
    upper.resize(n), value.resize(n);
    for (size_t k = 0; k < n; ++k) {
        const size_t i = piece.first + k;
        const double behind = k > 0 && !s.clamped[i] ? conductance(i) : 0;
        const double ahead = k + 1 < n && !s.clamped[i] ? conductance(i + 1) : 0;
        double diagonal = 1 + behind + ahead, right = s.angle[i];
        if (k > 0) right -= behind * frozen(i);
        if (k + 1 < n) right += ahead * frozen(i + 1);
        if (k > 0) {
            diagonal -= behind * upper[k - 1];
            right += behind * value[k - 1];
        }
        upper[k] = ahead / diagonal;
        value[k] = right / diagonal;
    }
    for (size_t k = n; k-- > 0;) {
        const double next = k + 1 < n ? s.angle[piece.first + k + 1] : 0;
        s.angle[piece.first + k] = value[k] + upper[k] * next;
    }
}

}  // namespace tendril
