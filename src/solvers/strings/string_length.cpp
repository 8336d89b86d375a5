// Lengths, tension and its effect on the material, [Rungjiratananon11] section 5. The tension of a segment is the
// multiplier of its length constraint: in a rope at rest, Eq. 8 sees tension only in the first segment.
#include "solvers/strings/strings.h"

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

constexpr double kMinLength = 1e-9;                  // [m]
constexpr double kMaxPull = 0.4;                     // T h^2 / (m l)
constexpr double kMaxTransientPull = 16 * kMaxPull;  // within a substep, while tensions have not settled

/// Data of a segment in one Newton step.
struct Row {
    Vec3d along;   // unit vector from its first particle to its second
    double upper;  // superdiagonal of the tridiagonal system after forward elimination
    double value;
};

/// Whether a tension exceeds `limit` times that which moves a particle by the length of a segment in a substep.
bool pulls_harder(const Strings& s, const StringPiece& piece, double h, double limit)
{
    // Substeps up to half of sqrt(m l / T) are accurate within a percent; at 0.8 sqrt(m l / T) motion grows.
    for (size_t i = piece.first; i < piece.last; ++i) {
        const double lightest = std::max(1 / s.mass[i], 1 / s.mass[i + 1]);
        if (s.tension[i] * lightest * h * h > limit * s.rest[i]) return true;
    }
    return false;
}

}  // namespace

void begin_lengths(Strings& s, const StringPiece& piece, double h)
{
    s.hard[piece.first] = pulls_harder(s, piece, h, kMaxPull);  // with the tensions of the last substep
    for (size_t i = piece.first; i <= piece.last; ++i) {
        if (i < piece.last) s.tension[i] = 0;
        s.by_lengths[i] = {0, 0, 0};
    }
}

void solve_lengths(Strings& s, const StringPiece& piece, double h, int iterations)
{
    if (s.hard[piece.first]) return pull_lengths(s, piece, h);
    // Over a substep, a tension T moves the ends of a segment towards each other by h^2 T w each, with w their inverse
    // mass. After the motion by all tensions, its length must be that at which the material carries T:
    // length - ease = c T.
    const size_t n = piece.segments();
    const double h2 = h * h;
    thread_local std::vector<Row> rows;
    rows.resize(n);
    for (int iteration = 0; iteration < iterations; ++iteration) {
        double behind = 0;  // coupling to the previous segment
        for (size_t k = 0; k < n; ++k) {
            const size_t i = piece.first + k;
            Row& row = rows[k];
            if (k == 0) {
                const Vec3d e = s.edge(i);
                row.value = length(e);
                row.along = e * (1 / std::max(row.value, kMinLength));
            }
            const double ease = s.relaxed_length(i), compliance = ease / s.stiffness[i];
            double diagonal = h2 * (s.inverse_mass[i] + s.inverse_mass[i + 1]) + compliance;
            double right = row.value - ease - compliance * s.tension[i];
            double ahead = 0;
            if (k + 1 < n) {
                const Vec3d e = s.edge(i + 1);
                rows[k + 1].value = length(e);
                rows[k + 1].along = e * (1 / std::max(rows[k + 1].value, kMinLength));
                ahead = h2 * s.inverse_mass[i + 1] * dot(row.along, rows[k + 1].along);
            }
            if (k > 0) {
                diagonal -= behind * rows[k - 1].upper;
                right += behind * rows[k - 1].value;
            }
            const double per = 1 / diagonal;
            row.upper = ahead * per;
            row.value = right * per;
            behind = ahead;
        }
        Vec3d pull{0, 0, 0};  // of the next segment, on its first particle
        double next = 0;
        for (size_t k = n; k-- > 0;) {
            const size_t i = piece.first + k;
            next = rows[k].value + rows[k].upper * next;
            s.tension[i] += next;
            const Vec3d own = rows[k].along * (h2 * next);
            const Vec3d moved = (pull - own) * s.inverse_mass[i + 1];
            s.position[i + 1] += moved;
            s.by_lengths[i + 1] += moved;
            pull = own;
        }
        s.position[piece.first] += pull * s.inverse_mass[piece.first];
        s.by_lengths[piece.first] += pull * s.inverse_mass[piece.first];
    }
    if (!pulls_harder(s, piece, h, kMaxTransientPull)) return;
    // The pull is too hard for this method. Starts again from where inertia and other passes have moved the particles.
    s.hard[piece.first] = 1;
    for (size_t i = piece.first; i <= piece.last; ++i) {
        s.position[i] -= s.by_lengths[i];
        s.by_lengths[i] = {0, 0, 0};
    }
    pull_lengths(s, piece, h);
}

void yield_material(Strings& s, const StringPiece& piece)
{
    for (size_t i = piece.first; i < piece.last; ++i) {
        const double beyond = s.tension[i] - (s.yield[i] + s.hardening[i] * s.elongation[i]);
        // The permanent strain that lowers the tension to the yield limit of the hardened material.
        if (beyond > 0) s.elongation[i] += beyond / (s.stiffness[i] + s.hardening[i]);
    }
}

void release_tension(Strings& s, const StringPiece& piece)
{
    for (size_t i = piece.first; i < piece.last; ++i) {
        s.elongation[i] = std::max(s.elongation[i], length(s.edge(i)) / s.rest[i] - 1);
        s.velocity[i] = s.velocity[i + 1] = {0, 0, 0};
    }
}

std::optional<size_t> find_tear(const Strings& s, const StringPiece& piece)
{
    std::optional<size_t> weakest;
    double most = 1;
    for (size_t i = piece.first; i < piece.last; ++i) {
        const double load = s.tension[i] / s.strength[i];
        if (load < most || (weakest && load == most)) continue;
        most = load;
        weakest = i;
    }
    return weakest;
}

}  // namespace tendril
