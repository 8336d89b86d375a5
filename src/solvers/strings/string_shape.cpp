// Chain shape matching, [Rungjiratananon11] section 3, as an energy: see docs/strings.md.
#include "solvers/strings/string_rotation.h"
#include "solvers/strings/strings.h"

#include "math/vectors.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

/// A rest shape is straight if the height of its bow over its length is below this.
constexpr double kStraight = 1e-5;
constexpr int kMaxIterations = 8;         // towards the best rotation, from that of the last substep
constexpr double kConvergedAngle = 1e-9;  // a smaller remaining rotation is negligible [rad]

/// The particles around particle k that are matched together, `first` to `last`.
struct Region {
    size_t first, last;
};

Region region_around(const StringPiece& piece, size_t k, int half_width)
{
    const size_t w = std::min({static_cast<size_t>(half_width), k - piece.first, piece.last - k});
    return {k - w, k + w};
}

/// Fits a line along the string to the values of a region, weighted per particle, and subtracts it. For a straight rest
/// shape this is the best rigid motion: the direction of the line is all that matters of its rotation, and none is
/// needed where all particles coincide.
class LineFit {
public:
    LineFit(const Strings& s, const Region& region, double heavier) : s_(s), region_(region)
    {
        double t_sum = 0, t2_sum = 0, t = 0;
        for (size_t i = region.first; i <= region.last; ++i) {
            const double m = weight_of(s, i, heavier);
            weight_ += m;
            t_sum += m * t;
            t2_sum += m * t * t;
            t += s.rest[i];
        }
        middle_ = t_sum / weight_;
        spread_ = std::max(t2_sum - t_sum * middle_, 1e-300);
        heavier_ = heavier;
    }
    static double weight_of(const Strings& s, size_t i, double heavier)
    {
        return s.touching[i] ? s.mass[i] * heavier : s.mass[i];
    }
    template <class Value, class At, class Off>
    void off_line(const Value& zero, const At& at, const Off& off) const
    {
        Value mean = zero, slope = zero;
        double t = -middle_;
        for (size_t i = region_.first; i <= region_.last; ++i) {
            const double m = weight_of(s_, i, heavier_);
            mean = mean + at(i, t) * m;
            slope = slope + at(i, t) * (m * t);
            t += s_.rest[i];
        }
        mean = mean * (1 / weight_);
        slope = slope * (1 / spread_);
        t = -middle_;
        for (size_t i = region_.first; i <= region_.last; ++i) {
            off(i, at(i, t) - mean - slope * t);
            t += s_.rest[i];
        }
    }
    double weight() const { return weight_; }

private:
    const Strings& s_;
    Region region_;
    double weight_ = 0, middle_ = 0, spread_ = 0, heavier_ = 1;
};

/// Subtracts the best rigid motion of a bent rest shape, stretched like the string. Calls `off(i, d)` with the
/// residuals d.
template <class Off>
void off_shape(Strings& s, const Region& region, size_t k, double heavier, const Off& off)
{
    double weight = 0, size2 = 0;
    Vec3d middle{0, 0, 0}, rest_middle{0, 0, 0};
    for (size_t i = region.first; i <= region.last; ++i) {
        const double m = LineFit::weight_of(s, i, heavier);
        weight += m;
        middle += s.position[i] * m;
        rest_middle += s.rest_position[i] * m;
    }
    middle = middle * (1 / weight);
    rest_middle = rest_middle * (1 / weight);
    Columns a;
    for (size_t i = region.first; i <= region.last; ++i) {
        const double m = LineFit::weight_of(s, i, heavier);
        const Vec3d x = (s.position[i] - middle) * m, q = s.rest_position[i] - rest_middle;
        a.x += x * q.x, a.y += x * q.y, a.z += x * q.z;
        size2 += m * dot(q, q);
    }
    const Quat turn = s.region_turn[k] = best_rotation(a, s.region_turn[k]);
    Vec3d x = rotate(turn, {1, 0, 0}), y = rotate(turn, {0, 1, 0}), z = rotate(turn, {0, 0, 1});
    const double stretch = (dot(x, a.x) + dot(y, a.y) + dot(z, a.z)) / std::max(size2, 1e-300);
    x = x * stretch, y = y * stretch, z = z * stretch;
    for (size_t i = region.first; i <= region.last; ++i) {
        const Vec3d q = s.rest_position[i] - rest_middle;
        off(i, s.position[i] - middle - x * q.x - y * q.y - z * q.z);
    }
}

bool touches(const Strings& s, const Region& region)
{
    bool any = false;
    for (size_t i = region.first; i <= region.last; ++i) any |= s.touching[i] != 0;
    return any;
}

/// Whether the rest shape of the region is bent.
bool is_bent(const Strings& s, const Region& region)
{
    double bow = 0, along = 0;
    const Vec3d a = s.rest_position[region.first], d = s.rest_position[region.last] - a;
    const Vec3d unit = unit_or(d, {1, 0, 0});
    for (size_t i = region.first; i <= region.last; ++i) {
        const Vec3d off = s.rest_position[i] - a;
        bow = std::max(bow, length(off - unit * dot(off, unit)));
        along += i < region.last ? s.rest[i] : 0;
    }
    return bow > kStraight * along || length(d) < (1 - kStraight) * along;
}

/// The residual of a line fit to three numbers is a single number: their component along the only vector that has
/// neither mean nor slope.
Strings::ThreeParticleFit fit_three_particles(const Strings& s, size_t k, const LineFit& line)
{
    Strings::ThreeParticleFit fit{};
    double size2 = 0;
    line.off_line(
        0.0, [k](size_t i, double) { return i == k ? 1.0 : 0.0; },
        [&](size_t i, double off) {
            fit.off[i + 1 - k] = off;
            size2 += s.mass[i] * off * off;
        });
    for (size_t j = 0; j < 3; ++j) fit.weight[j] = s.mass[k + j - 1] * fit.off[j] / std::max(size2, 1e-300);
    return fit;
}

}  // namespace

// Newton's method is needed because long regions with little bend say little about the rotation about their line. Where
// it would lead away, the step of [Mueller16] M. Mueller et al.: A robust method to extract the rotational part of
// deformations, MIG 2016, is taken.
Quat best_rotation(const Columns& a, Quat q)
{
    for (int turn = 0; turn < kMaxIterations; ++turn) {
        const Vec3d x = rotate(q, {1, 0, 0}), y = rotate(q, {0, 1, 0}), z = rotate(q, {0, 0, 1});
        const Vec3d pull = cross(x, a.x) + cross(y, a.y) + cross(z, a.z);
        const double hold = dot(x, a.x) + dot(y, a.y) + dot(z, a.z);
        if (!(dot(pull, pull) > kConvergedAngle * kConvergedAngle * hold * hold)) break;
        // The negative second derivative is trace(S) I - S, with S the symmetric part of A times the inverse of the
        // rotation.
        const Vec3d rows[3] = {x * a.x.x + y * a.y.x + z * a.z.x, x * a.x.y + y * a.y.y + z * a.z.y,
                               x * a.x.z + y * a.y.z + z * a.z.z};
        const double least = 1e-9 * std::abs(hold), xy = -(rows[0].y + rows[1].x) / 2,
                     xz = -(rows[0].z + rows[2].x) / 2, yz = -(rows[1].z + rows[2].y) / 2;
        const double xx = hold - rows[0].x + least, yy = hold - rows[1].y + least, zz = hold - rows[2].z + least;
        const double minor = xx * yy - xy * xy, cx = yy * zz - yz * yz, cy = xz * yz - xy * zz, cz = xy * yz - xz * yy;
        const double whole = xx * cx + xy * cy + xz * cz;
        Vec3d by = pull * (1 / (std::abs(hold) + 1e-300));
        if (xx > 0 && minor > 0 && whole > 0)
            by = Vec3d{cx * pull.x + cy * pull.y + cz * pull.z,
                       cy * pull.x + (xx * zz - xz * xz) * pull.y + (xy * xz - xx * yz) * pull.z,
                       cz * pull.x + (xy * xz - xx * yz) * pull.y + minor * pull.z} *
                 (1 / whole);
        const double angle = length(by);
        if (!(angle > 1e-12)) break;
        q = normalized(rotation_about(by * (1 / angle), std::min(angle, 1.0)) * q);
    }
    return q;
}

void prepare_regions(Strings& s, int half_width)
{
    s.half_width = half_width;
    s.region_rate.assign(s.size(), 0.0);
    s.region_bent.assign(s.size(), 0);
    s.region_fit.resize(s.size());
    s.region_turn.resize(s.size());
    for (const StringPiece& piece : s.pieces)
        for (size_t k = piece.first + 1; k < piece.last; ++k) {
            const Region region = region_around(piece, k, half_width);
            s.region_bent[k] = is_bent(s, region);
            // If a straight region is bent with the curvature c, its distance from the line is c/2 times the residual
            // of a line fit to t^2, with t the distance along it. Accelerated by r times that distance, with its
            // masses, it has the energy r/2 (c/2)^2 spread. A beam over one segment has EI/2 c^2 l.
            double spread = 0;
            const LineFit line(s, region, 1);
            line.off_line(
                0.0, [](size_t, double t) { return t * t; },
                [&](size_t i, double left) { spread += s.mass[i] * left * left; });
            if (region.last - region.first == 2) s.region_fit[k] = fit_three_particles(s, k, line);
            const double l = (s.rest[k - 1] + s.rest[k]) / 2;
            s.region_rate[k] = 4 * s.bend_stiffness[k] * l / std::max(spread, 1e-300);
        }
}

double bend_rate2(const Strings& s, size_t i)
{
    return i < s.region_rate.size() ? s.region_rate[i] * (2 * s.half_width + 1) : 0;
}

double match_shapes(Strings& s, const StringPiece& piece, const ShapeMatching& matching, double h)
{
    // A particle is in at most 2 w + 1 regions, which must not overshoot together in a substep.
    const double most = 1 / (h * h * (2 * s.half_width + 1));
    double share = 1;
    for (size_t k = piece.first + 1; k < piece.last; ++k) {
        if (!(s.region_rate[k] > 0)) continue;
        const double rate = std::min(s.region_rate[k], most);
        share = std::min(share, rate / s.region_rate[k]);
        const double slowing = matching.damping * std::sqrt(rate * most) * h;
        const Region region = region_around(piece, k, s.half_width);
        const bool narrow = region.last - region.first == 2 && (matching.heavier == 1 || !touches(s, region));
        if (narrow) {
            const Strings::ThreeParticleFit& n = s.region_fit[k];
            const auto combined = [&](const std::vector<Vec3d>& v) {
                return v[k - 1] * n.weight[0] + v[k] * n.weight[1] + v[k + 1] * n.weight[2];
            };
            Vec3d back = combined(s.velocity) * slowing;
            if (!s.region_bent[k]) back += combined(s.position) * rate;
            for (size_t j = 0; j < 3; ++j)
                if (s.inverse_mass[k + j - 1] > 0) s.acceleration[k + j - 1] -= back * n.off[j];
            if (!s.region_bent[k]) continue;
        }
        const auto pull = [&](size_t i, const Vec3d& back) {
            if (s.inverse_mass[i] > 0) s.acceleration[i] -= back;
        };
        if (s.region_bent[k])
            off_shape(s, region, k, matching.heavier, [&](size_t i, const Vec3d& d) { pull(i, d * rate); });
        if (narrow) continue;
        const double position_rate = s.region_bent[k] ? 0 : rate;
        LineFit(s, region, matching.heavier)
            .off_line(
                Vec3d{0, 0, 0},
                [&](size_t i, double) { return s.position[i] * position_rate + s.velocity[i] * slowing; }, pull);
    }
    return share;
}

}  // namespace tendril
